"""What the ledger runs to write, preview and take back goes through an index, with statistics and without."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.domain.decisions import Claim, Decision, Mark, Order

from engine_facts import saying, tell

NOW = datetime(2026, 9, 1, tzinfo=UTC)
BIG = ("memories", "journal", "marks", "orders", "derived", "undoes", "lifted", "m", "j", "k", "l", "c", "p")
WHOLE = re.compile(rf"^SCAN ({'|'.join(BIG)})\b")

WATCHED = re.compile(r"\s*(SELECT|WITH|UPDATE|DELETE|INSERT INTO (?!memory_text))")

ALLOWED = {
    "FROM lifted WHERE to_seq IS NULL": "decisions that were taken back are few beside the memories",
    "SELECT DISTINCT predicate FROM memories": "a rule about a predicate is set once; an index would cost every write",
    "FROM memories WHERE predicate IN": "the same: the rows that such a rule moves to other lines",
    "FROM journal ORDER BY seq DESC LIMIT 1": "the newest entry: one step from the end of the table",
}
"""Part of a statement that may look at a whole table: why."""


@pytest.fixture(scope="module", params=["no statistics", "statistics"])
def big(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """5,000 memories of 3 agents: chains, evidence, sources, held ones, marks, orders, ends, decisions taken back."""
    path = tmp_path_factory.mktemp("plans") / "store.db"
    made = iter(range(1, 1_000_000))
    with open_engine(path, clock=lambda: NOW, make_id=lambda *_: f"m_{next(made):06d}") as engine:
        for batch in range(10):
            engine.store_many([
                saying(
                    f"v{k % 7}", NOW - timedelta(days=k % 300 + 1), agent=f"agent{k % 3}", subject=f"s{k % 200}",
                    predicate=f"p{k % 11}", derived_from=[f"m_{k:06d}"] if k % 50 == 9 else (),
                )
                for k in range(batch * 490, batch * 490 + 490)
            ])  # fmt: skip
        for k in range(100):
            told = tell(engine, f"w{k}", "2026-01-01", subject=f"lone{k}")
            if k % 4 == 0:
                engine.retract(told.id)
            elif k % 4 == 1:
                engine.end(told.id, "2026-02-01")
            elif k % 4 == 2:
                engine.undo(told.seq)
        for k in range(20):
            engine.apply(Decision("store", "gate", (Order("origin", "blocked", "*", value=f"channel:{k}"),)))
        engine.set_predicate("agent0", "p3", "many")
    if request.param == "statistics":
        with closing(sqlite3.connect(path, isolation_level=None)) as raw:
            raw.execute("ANALYZE")
    return path


def _found(engine: Any) -> Any:
    return engine.list_recent("agent1", limit=1)[0]


def _retract_and_back(engine: Any) -> None:
    engine.undo(engine.undo(engine.retract(_found(engine).id).seq).seq)


def _hold(engine: Any) -> None:
    claim = Claim("held", "agent1", "x", "2026-01-01T00:00:00.000000+00:00", subject="s1", predicate="p1", object="x")
    seq = engine.apply(Decision("store", "gate", (claim, Mark("held", "held", "burst")), "agent1")).seq
    engine.undo(seq)


def _order(engine: Any) -> None:
    order = Order("alias", "joined", "agent1", subject="the first", value="s1")
    engine.undo(engine.apply(Decision("store", "operator", (order,), "agent1")).seq)


VERBS: dict[str, Callable[[Any], object]] = {
    "tell": lambda e: tell(e, "new", "2026-08-01", agent="agent1", subject="s1", predicate="p1"),
    "tell in between": lambda e: tell(e, "old", "2026-03-01", agent="agent1", subject="s1", predicate="p1"),
    "confirm": lambda e: tell(e, "new", "2026-08-02", agent="agent1", subject="s1", predicate="p1"),
    "tell from sources": lambda e: tell(e, "x", agent="agent1", subject="s2", derived_from=["m_000002", "none"]),
    "tell many": lambda e: e.store_many([saying(f"b{k}", agent="agent1", subject=f"s{k}") for k in range(50)]),
    "retract, take back, take that back": _retract_and_back,
    "hold, take back": _hold,
    "order, take back": _order,
    "end": lambda e: e.end(_found(e).id, NOW + timedelta(days=9)),
    "correct": lambda e: e.correct_value(_found(e).id, object="right"),
    "expire": lambda e: e.expire_by_subject("agent1", "s40", reason="x"),
    "set a rule": lambda e: e.set_predicate("agent2", "p5", "many"),
    "preview taking back": lambda e: e.preview_undo(3),
    "get_at": lambda e: e.get_at("agent1", "s1", "p1", NOW),
    "get_at, known at": lambda e: e.get_at("agent1", "s1", "p1", NOW, known_at=5),
    "get_history": lambda e: e.get_history("agent1", "s1", "p1"),
    "list_recent": lambda e: e.list_recent("agent1"),
    "journal": lambda e: e.journal(5),
    "evidence": lambda e: e.reader.fact(e.reader.n_of(_found(e).id)),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_looks_at_no_whole_table(big: Path, tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(big.read_bytes())
    from memstation.store.database import Database

    seen: list[str] = []
    connect = Database._connect

    def traced(self: Any, *arguments: Any, **named: Any) -> Any:
        connection = connect(self, *arguments, **named)
        connection.set_trace_callback(seen.append)
        return connection

    monkeypatch.setattr(Database, "_connect", traced)
    made = iter(range(1, 1_000_000))
    with open_engine(path, clock=lambda: NOW, make_id=lambda *_: f"n_{next(made):06d}") as engine:
        VERBS[verb](engine)
    statements = [
        sql
        for sql in dict.fromkeys(seen)
        if re.match(r"\s*(SELECT|WITH|UPDATE|DELETE|INSERT INTO (?!memory_text))", sql)
    ]
    assert statements
    with closing(sqlite3.connect(path)) as raw:
        for sql in statements:
            plan = [row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {sql}")]
            whole = [line for line in plan if WHOLE.match(line)]
            assert not whole or any(part in " ".join(sql.split()) for part in ALLOWED), f"{sql}\n{plan}"

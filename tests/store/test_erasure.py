"""Erasure: afterwards the text is in no byte of any file, nothing brings it back, and the store still verifies."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.domain.decisions import Claim, Decision, Mark, Order
from memstation.domain.errors import NotFound, Refused
from memstation.domain.names import fold_name
from memstation.store.carried import digest_of
from memstation.store.digests import FIRST, entry_hash
from memstation.store.journal import ENTRY_SQL
from memstation.store.text_index import segment

from engine_checks import new_store
from engine_facts import saying, tell, value_at
from engine_histories import Seeded

SECRETS = (
    "zanzibar", "Quetzalweg", "pneumonoultra", "壽司郎之屋", "🦜parrotkey", "Łódźstraße", "tagsecret", "whisperevent",
    "metasecret", "rejectedvalue", "reasonsecret", "Mirabelle", "overflowtail", "undonesecret", "endsecret",
)  # fmt: skip
BIG = "overflowhead " + "padding of no meaning " * 900 + "overflowtail"


def decide(engine: Any, kind: str, *statements: Any, reason: str = "", agent: str = "ada") -> int:
    return int(engine.apply(Decision(kind, "operator", statements, agent, reason)).seq)


def fill(engine: Any, *, many: int = 60) -> None:
    """A person's history with everything that can be told about one, among other facts."""
    for i in range(many):
        tell(engine, f"city {i}", f"2026-01-{1 + i % 28:02d}", subject=f"person {i}", content=f"lives in number {i}")
    about = {"subject": "Mirabelle"}
    tell(engine, "zanzibar", "2026-01-01", **about, content="moved to zanzibar", tags=("tagsecret",))
    tell(engine, "Quetzalweg", "2026-02-01", **about, content="lives at Quetzalweg 5", source_event="whisperevent")
    tell(engine, "Quetzalweg", "2026-02-03", **about, content="lives at Quetzalweg 5", metadata={"k": "metasecret"})
    tell(
        engine, "壽司郎之屋", "2026-01-01", subject="mirabelle ", predicate="eats", content="愛吃壽司郎之屋 🦜parrotkey"
    )
    tell(engine, "Łódźstraße", "2026-01-01", subject="ＭＩＲＡＢＥＬＬＥ", predicate="street", content=BIG)
    first = tell(engine, "pneumonoultra", "2026-03-01", **about, predicate="ill", id="mirabelle-illness")
    tell(engine, "better", "2026-03-05", subject="person 1", predicate="made", derived_from=(first.id,))
    engine.retract(first.id, reason="reasonsecret about Mirabelle")
    undone = tell(engine, "undonesecret", "2026-04-01", **about, predicate="later")
    engine.undo(undone.seq, reason="Mirabelle again")
    held = tell(engine, "heldvalue", "2026-04-01", **about, predicate="held")
    decide(engine, "store", Mark(held.id, "held", "reasonsecret of a hold"))
    ended = tell(engine, "endsecret", "2026-04-01", **about, predicate="club")
    engine.end(ended.id, "2026-05-01", reason="endsecret")
    decide(engine, "store", Order("rejected", "rejected", "ada", "Mirabelle", "city", "rejectedvalue"))
    decide(engine, "store", Order("alias", "joined", "ada", subject="Mirabelle", value="mira-the-canonical"))
    tell(engine, "other", "2026-01-01", subject="mira-the-canonical", predicate="pet", content="a parrot")
    tell(engine, "theirs", "2026-01-01", agent="bo", **about, content="bo keeps this")
    engine.expire_by_subject("ada", "person 2", reason="Mirabelle said so")


def files_of(path: Path) -> Iterator[bytes]:
    for suffix in ("", "-wal", "-shm"):
        file = path.with_name(path.name + suffix)
        if file.exists():
            yield file.read_bytes()


def spellings(secret: str) -> set[bytes]:
    texts = {secret, secret.lower(), fold_name(secret), secret.encode("ascii", "backslashreplace").decode()}
    texts |= {part for part in segment(secret).split() if len(part) > 3}
    return {text.encode() for text in texts}


def left_in(path: Path, secrets: tuple[str, ...] = SECRETS) -> set[str]:
    bodies = list(files_of(path))
    return {secret for secret in secrets for body in bodies if any(text in body for text in spellings(secret))}


def erase(engine: Any, about: str = "mirabelle", **more: Any) -> Any:
    phrase = engine.preview_forget("ada", about, **more).phrase
    return engine.forget("ada", about, phrase=phrase, **more)


ONLY_ADA = tuple(secret for secret in SECRETS if secret != "Mirabelle")
"""The other agent keeps the name."""


def test_the_text_is_in_no_byte_afterwards(engine: Any) -> None:
    fill(engine)
    assert left_in(engine.path) == set(SECRETS)
    before = engine.verify()
    assert before.ok, before.problems
    done = erase(engine)
    assert done.is_scrubbed
    assert left_in(engine.path, ONLY_ADA) == set()
    report = engine.verify(expect_head=before.head)
    assert report.ok, report.problems
    assert value_at(engine, "2026-06-01", agent="bo", subject="Mirabelle") == "theirs"
    assert list(engine.get_by_ids("ada", ["mirabelle-illness"]).missing_ids) == ["mirabelle-illness"]


def test_the_name_goes_too_when_nobody_else_keeps_it(engine: Any) -> None:
    fill(engine)
    engine.forget("bo", "Mirabelle", phrase=engine.preview_forget("bo", "Mirabelle").phrase)
    erase(engine, mentions=True)
    assert left_in(engine.path) == set()
    assert b"mira-the-canonical" not in engine.path.read_bytes()


def test_the_store_goes_on(engine: Any) -> None:
    fill(engine)
    erase(engine)
    for entry in engine.journal(limit=1000):
        if entry.kind not in ("undo", "erasure"):
            try:
                engine.undo(entry.seq)
            except Refused:
                continue
    assert engine.verify().ok, engine.verify().problems
    tell(engine, "anew", "2026-06-01", subject="Mirabelle")
    assert engine.verify().ok
    assert left_in(engine.path, ONLY_ADA) == set()
    for entry in engine.journal(limit=1000):
        if entry.kind == "undo" and entry.seq > 80:
            try:
                engine.undo(entry.seq)
            except Refused:
                continue
    erase(engine)
    assert engine.verify().ok, engine.verify().problems
    assert engine.get_history("ada", "Mirabelle", "city") == []


def test_an_erasure_cannot_be_taken_back(engine: Any) -> None:
    fill(engine, many=3)
    done = erase(engine)
    with pytest.raises(Refused):
        engine.undo(done.seq)


def test_a_wrong_phrase_erases_nothing(engine: Any) -> None:
    fill(engine, many=3)
    before = engine.state_digest()
    phrase = engine.preview_forget("ada", "mirabelle").phrase
    tell(engine, "more", "2026-06-01", subject="Mirabelle", predicate="more")
    with pytest.raises(Refused):
        engine.forget("ada", "mirabelle", phrase=phrase)
    engine.undo(engine.journal(limit=1000)[-1].seq)
    assert engine.state_digest() == before


def test_nothing_to_erase_is_said(engine: Any) -> None:
    tell(engine, "x", "2026-01-01")
    with pytest.raises(NotFound):
        engine.preview_forget("ada", "nobody")


def test_mentions_are_left_and_counted_unless_asked_for(engine: Any) -> None:
    tell(engine, "A", "2026-01-01", subject="Mira")
    tell(engine, "old office", "2026-01-01", subject="team", predicate="place")
    tell(engine, "at Mira's house", "2026-02-01", subject="team", predicate="place")
    found = engine.preview_forget("ada", "mira").found
    assert len(found.ids) == 1
    assert len(found.mentions) == 1
    erase(engine, "mira", mentions=True)
    assert value_at(engine, "2026-03-01", subject="team", predicate="place") == "old office"
    assert left_in(engine.path, ("Mira",)) == set()
    assert engine.verify().ok, engine.verify().problems


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE memories SET content = 'x' WHERE role = 'erased'", "changed"),
        ("UPDATE memories SET role = 'withdrawn' WHERE role = 'erased'", "erased"),
        ("UPDATE memories SET role = 'erased' WHERE role = 'fact'", "erased"),
        ("UPDATE erased SET digest = zeroblob(32) WHERE target = (SELECT min(target) FROM erased)", "erasure left"),
        ("DELETE FROM erased WHERE target = (SELECT min(target) FROM erased)", "not what was written"),
        ("UPDATE journal SET salt = zeroblob(16) WHERE seq = (SELECT min(target) FROM erased)", "erasure left"),
        (
            "UPDATE journal SET at = '2020' || substr(at, 5) WHERE seq = (SELECT min(target) FROM erased)",
            "erasure left",
        ),
        ("UPDATE journal SET salt = zeroblob(16) WHERE seq = 1", "not what was written"),
        ("UPDATE orders SET value = 'x' WHERE about = 'erased'", "erasure left"),
        ("UPDATE marks SET kind = 'cap' WHERE n IN (SELECT n FROM memories WHERE role = 'erased')", "erasure left"),
    ],
)
def test_tampering_is_reported(engine: Any, sql: str, said: str) -> None:
    fill(engine, many=3)
    erase(engine)
    with closing(sqlite3.connect(engine.path)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute(sql).rowcount > 0
        connection.commit()
    assert any(said in problem for problem in engine.verify().problems), engine.verify().problems


def test_the_guards_are_back(engine: Any) -> None:
    fill(engine, many=3)
    erase(engine)
    with closing(sqlite3.connect(engine.path)) as connection:
        for table, column in (("memories", "content"), ("marks", "reason"), ("orders", "value"), ("journal", "reason")):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(f"UPDATE {table} SET {column} = 'x'")
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute("DELETE FROM erased")


def test_a_reader_holds_it_up_and_the_next_opening_finishes(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(engine, many=3)
    monkeypatch.setattr("memstation.store.database.BUSY_SECONDS", 0.05)
    engine.close()
    with open_engine(engine.path) as held_up:
        reader = sqlite3.connect(engine.path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchone()
        assert not erase(held_up).is_scrubbed
        assert left_in(engine.path, ONLY_ADA) != set()
        reader.close()
    with open_engine(engine.path) as again:
        assert left_in(engine.path, ONLY_ADA) == set()
        assert again.verify().ok


@pytest.mark.parametrize("seed", range(12))
def test_random_histories_as_if_it_had_never_been_told(seed: int) -> None:
    """Erasing a subject leaves the facts about other subjects as they were, and the layout right."""
    with new_store() as store:
        list(store.tell_random(Seeded(seed), 40))
        engine = store.engine
        others = {
            (agent, name, day): value_at(engine, f"2026-01-0{day}", agent=agent, subject=name)
            for agent, name in (("ada", "acct"), ("bo", "user"), ("bo", "acct"))
            for day in range(1, 9)
        }
        decide(engine, "store", Claim("m_last", "ada", "x", subject="user", predicate="city", object="Z"))
        erase(engine, "user")
        assert engine.verify().ok, engine.verify().problems
        for (agent, name, day), value in others.items():
            assert value_at(engine, f"2026-01-0{day}", agent=agent, subject=name) == value
        assert not [r for r in engine.list_recent("ada", 100) if fold_name(r.subject or "") == "user"]


def test_the_copy_set_aside_is_cleaned(engine: Any, tmp_path: Path) -> None:
    copy = tmp_path / "before.sqlite"
    shutil.copyfile(Path(__file__).parent.parent / "data" / "duduclaw.sqlite", copy)
    with closing(sqlite3.connect(copy)) as seed:
        row = "INSERT INTO memories (id, agent_id, content, timestamp, subject) VALUES (?, ?, ?, '2026-01-01', ?)"
        seed.execute(row, ("x1", "ada", "zanzibar " * 2000, "Mirabelle"))
        seed.execute(row, ("x2", "bo", "theirs to keep", "Mirabelle"))
        seed.execute("INSERT INTO memories_fts (content, agent_id, memory_id) VALUES ('zanzibar', 'ada', 'x1')")
        seed.execute("INSERT INTO entity_alias (agent_id, canonical, alias) VALUES ('ada', 'Mirabelle', 'mimisecret')")
        seed.commit()
        kept = seed.execute("SELECT count(*) FROM memories").fetchone()[0] - 1
    with closing(sqlite3.connect(engine.path)) as own:
        own.execute("INSERT INTO meta (key, value) VALUES ('adopted_copy', ?)", (str(copy),))
        own.commit()
    fill(engine, many=3)
    assert erase(engine).copy == "cleaned"
    assert left_in(copy, ("zanzibar", "mimisecret")) == set()
    with closing(sqlite3.connect(copy)) as seed:
        assert seed.execute("SELECT count(*) FROM memories").fetchone()[0] == kept
        assert seed.execute("SELECT count(*) FROM memories WHERE id = 'x2'").fetchone()[0] == 1
    copy.unlink()
    tell(engine, "anew", "2026-06-01", subject="Mirabelle")
    assert erase(engine).copy == "missing"


_KILLED = """
import sys
from memstation import open_engine
with open_engine(sys.argv[1]) as engine:
    phrase = engine.preview_forget("ada", "mirabelle").phrase
    print("go", flush=True)
    engine.forget("ada", "mirabelle", phrase=phrase)
    print("done", flush=True)
"""


@pytest.mark.parametrize("wait", [0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12])
def test_killed_at_any_moment_it_is_all_or_nothing(engine: Any, wait: float) -> None:
    fill(engine, many=20)
    before = engine.state_digest()
    engine.close()
    process = subprocess.Popen([sys.executable, "-c", _KILLED, str(engine.path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"go\n"
    time.sleep(wait)
    process.kill()
    acknowledged = b"done" in process.communicate()[0]
    with open_engine(engine.path) as again:
        assert again.verify().ok, again.verify().problems
        if again.state_digest() == before:
            assert not acknowledged
            assert erase(again).is_scrubbed
        assert left_in(engine.path, ONLY_ADA) == set()


def test_an_older_store_is_brought_up_to_date_and_erased(engine: Any) -> None:
    """What version 1 wrote had no salt in its decisions: their digests are those of a decision without one."""
    fill(engine, many=3)
    with closing(sqlite3.connect(engine.path)) as old:
        _as_version_1(old)
    engine.close()
    with open_engine(engine.path) as upgraded:
        assert upgraded.verify().ok, upgraded.verify().problems
        tell(upgraded, "anew", "2026-06-01")
        assert upgraded.verify().ok
        assert erase(upgraded).is_scrubbed
        assert upgraded.verify().ok, upgraded.verify().problems
    assert left_in(engine.path, ONLY_ADA) == set()


def _as_version_1(old: sqlite3.Connection) -> None:
    """Make a file what the first version would have written."""
    for (name,) in old.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        old.execute(f"DROP TRIGGER {name}")
    previous = FIRST
    for (*entry,) in old.execute(f"SELECT {ENTRY_SQL} FROM journal ORDER BY seq").fetchall():
        found = old.execute("SELECT row_digest FROM memories WHERE n BETWEEN ? AND ? ORDER BY n", (entry[7], entry[8]))
        digest = digest_of(old.cursor(), entry[0], b"", [(row[0], False) for row in found.fetchall()])
        hash_ = entry_hash(previous, entry, digest)
        values = (digest, previous, hash_, entry[0])
        old.execute("UPDATE journal SET digest = ?, previous = ?, hash = ? WHERE seq = ?", values)
        previous = hash_
    old.execute("DROP TABLE erased")
    old.execute("ALTER TABLE journal DROP COLUMN salt")
    old.execute("PRAGMA user_version = 1")
    old.commit()


def test_the_past_shows_nothing_of_it_and_can_be_asked_all_the_same(engine: Any) -> None:
    """Every moment of belief, before and after, compared with now: only what is left, and no failure."""
    fill(engine, many=4)
    erase(engine)
    newest = engine.head().seq
    for seq in range(1, newest + 1):
        for row in engine.differences("ada", f"#{seq}"):
            assert "mirabelle" not in f"{row.subject} {row.then} {row.now}".lower()
        assert engine.get_history("ada", "Mirabelle", "lives", known_at=seq) == []
        assert engine.reader.decision(seq) is not None


def test_a_name_inside_another_word_is_no_mention(engine: Any) -> None:
    tell(engine, "A", "2026-01-01", subject="Ann")
    tell(engine, "planning an annex", "2026-01-01", subject="team", predicate="work")
    tell(engine, "Joanna and Annette", "2026-01-02", subject="team", predicate="members")
    tell(engine, "for ANN.", "2026-01-03", subject="team", predicate="desk")
    engine.store_temporal(
        *saying("kept", "2026-01-01", subject="board", predicate="note", metadata={"by": "first line\nann wrote it"})
    )
    spared = tell(engine, "wrong", "2026-01-04", subject="team", predicate="tool").id
    engine.retract(spared, reason="planning changed", reject=False)
    named = tell(engine, "wrong", "2026-01-04", subject="team", predicate="chat").id
    engine.retract(named, reason="Ann's mistake", reject=False)
    narrow, wide = (engine.preview_forget("ada", "ann", mentions=asked).found for asked in (False, True))
    assert len(narrow.ids) == 1 and len(narrow.mentions) == 2
    assert len(wide.ids) == 3 and wide.mentions == ()
    erase(engine, "ann", mentions=True)
    assert value_at(engine, "2026-03-01", subject="team", predicate="work") == "planning an annex"
    assert value_at(engine, "2026-03-01", subject="team", predicate="members") == "Joanna and Annette"
    assert value_at(engine, "2026-03-01", subject="team", predicate="desk") is None
    assert value_at(engine, "2026-03-01", subject="board", predicate="note") is None
    reasons = {entry.reason for entry in engine.journal(limit=100)}
    assert "planning changed" in reasons and "Ann's mistake" not in reasons
    assert engine.verify().ok

"""A store in memory of the shape that the station asks for: enough to drive every room without a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memstation.domain.decisions import Applied, Effects, FactChange
from memstation.domain.errors import Changed, InvalidInput, MemstationError
from memstation.domain.heads import StoreHead
from memstation.read.gate_rows import GateCounts, HeldGroup, Waiting
from memstation.read.review_rows import HeldRow, ReviewCounts
from memstation.read.rows import PAGE, AgentRow, ChangeRow, DueRow, FactRow, LogDetail, LogRow, Overview

NOW = datetime(2026, 4, 14, 9, 14, tzinfo=UTC)
EVENING = NOW.replace(hour=18, minute=0)
HOSTILE = (
    "\x1b[2J\x1b]52;c;QUJD\x07 [/] [@click=app.bell]x[/] [red]y \u202eevil\u202c z\u200b\u200b\u200bw "
    "ok\ud83dend safe\rEVIL\nline2\t\x9b2J 日本語 👩‍👩‍👧"
)


@dataclass(frozen=True)
class Anchors:
    count: int
    keys: tuple[Any, ...]


class ListSource:
    """Rows in memory, read by pages as a store would."""

    def __init__(self, rows: Sequence[Any], key: Callable[[Any], Any], delay: float = 0.0) -> None:
        self.rows, self._key, self.delay = list(rows), key, delay
        self.pages_read = 0
        self.error: MemstationError | None = None

    def _check(self) -> None:
        if self.error:
            raise self.error

    def head(self) -> list[Any]:
        self._check()
        return self.rows[:PAGE]

    def anchors(self) -> Anchors:
        self._check()
        time.sleep(self.delay)
        return Anchors(len(self.rows), tuple(self._key(row) for row in self.rows[::PAGE]))

    def page(self, key: Any) -> list[Any]:
        self._check()
        self.pages_read += 1
        start = self.index_of(key)
        return [] if start is None else self.rows[start : start + PAGE]

    def key(self, row: Any) -> Any:
        return self._key(row)

    def index_of(self, key: Any) -> int | None:
        return next((place for place, row in enumerate(self.rows) if self._key(row) == key), None)


def fact(n: int, **changes: Any) -> FactRow:
    row = FactRow(
        n=n, id=f"m_{n:04}", agent_id="dudu", state="current", tainted=False, subject="user", predicate="deploy_target",
        object="Cloudflare Workers", content="The team deploys to Cloudflare Workers",
        valid_from=datetime(2026, 3, 3, tzinfo=UTC), valid_until=None, origin="operator", trust=1.0, many=False,
    )  # fmt: skip
    return replace(row, **changes)


def entry(seq: int, **changes: Any) -> LogRow:
    row = LogRow(
        seq=seq, at=NOW - timedelta(minutes=7 * (420 - seq)), actor="agent", agent_id="dudu", kind="store", reason="",
        stands=True, taken_back_by=None, target=None, group=None, facts=1, closed=0,
        summary=f"user standup_time 09:{seq % 60:02}",
    )  # fmt: skip
    return replace(row, **changes)


def change(kind: str = "withdrawn", **changes: Any) -> FactChange:
    row = FactChange(
        kind=kind, id="m_0001", agent_id="dudu", subject="user", predicate="deploy_target", object="Heroku",
        content="", origin="channel:telegram/42", state_before="current", state="withdrawn",
        valid_from=datetime(2026, 4, 14, 9, 2, tzinfo=UTC), valid_until=None,
        was_from=datetime(2026, 4, 14, 9, 2, tzinfo=UTC), was_until=None, trust=0.3,
    )  # type: ignore[arg-type] # fmt: skip
    return replace(row, **changes)


def the_log() -> list[LogRow]:
    """Entries 414 down to 1, with the operator's own among them."""
    rows = {seq: entry(seq) for seq in range(1, 415)}
    rows[408] = entry(408, at=datetime(2026, 4, 13, 18, 1, tzinfo=UTC), actor="operator", kind="retract", facts=0,
                      closed=2, reason="a poisoned channel", summary="user deploy_owner @ops_helper")  # fmt: skip
    rows[407] = entry(407, at=datetime(2026, 4, 13, 17, 58, tzinfo=UTC), actor="operator", kind="correct", facts=1,
                      closed=1, summary="老闆 office 台北")  # fmt: skip
    rows[405] = entry(405, at=datetime(2026, 4, 13, 17, 40, tzinfo=UTC), actor="operator", kind="undo", target=404,
                      facts=0, closed=1, summary="#404: user budget_cap USD 400")  # fmt: skip
    rows[404] = entry(404, at=datetime(2026, 4, 13, 17, 39, tzinfo=UTC), actor="operator", kind="correct",
                      stands=False, taken_back_by=405, summary="user budget_cap USD 400")  # fmt: skip
    rows[400] = entry(400, summary=HOSTILE, agent_id="dudu\x1b[31m", reason=HOSTILE)
    return [rows[seq] for seq in sorted(rows, reverse=True)]


def agent(name: str, facts: int, counts: tuple[int, int, int], hour: int, days: tuple[int, ...]) -> AgentRow:
    new, changed, held = counts
    return AgentRow(name, facts, new, changed, held, NOW.replace(hour=hour, minute=11), days)


def the_overview(since: datetime | None) -> Overview:
    """The Today of the wireframes, as far as it exists."""
    changes = tuple(
        ChangeRow(NOW - timedelta(minutes=12 * i), "dudu", 414 - i, "agent", fact(
            50 + i, state="held" if i == 0 else "current", object="Heroku" if i == 0 else f"value {i}",
            origin="channel:telegram/42" if i == 0 else "channel:line/7", predicate=f"standup_time_{i}",
        )) for i in range(12)
    )  # fmt: skip
    waiting = Waiting(
        groups=(
            HeldGroup("dudu", "channel:telegram/42", "burst", 7, "user", NOW + timedelta(hours=3, minutes=12), 20),
            HeldGroup("agnes", "mcp_external:webclip", "injection_suspect", 3, HOSTILE, NOW + timedelta(hours=21), 30),
            HeldGroup("dudu", "agent_derived", "rejected_before", 2, None, None, 33),
        ),
        blocked=HeldGroup("dudu", "channel:irc/9", "blocked_origin", 40, None, NOW + timedelta(hours=2), 40),
        lapsed=4,
        lapsed_at=NOW - timedelta(hours=6),
    )
    return Overview(
        since=since,
        agents=(
            replace(agent("dudu", 1204, (41, 6, 9), 9, (1, 2, 2, 5, 2, 3, 2, 5, 9, 2, 2, 12, 14, 15)), dropped=2),
            agent("agnes", 386, (18, 3, 3), 8, (1, 4, 2, 2, 3, 2, 2, 3, 4, 2, 5, 5, 0, 0)),
            agent("kei", 92, (2, 0, 0), 1, (1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)),
        ),
        due=(
            DueRow(fact(11, agent_id="agnes", subject="office", predicate="wifi", object="atrium"), EVENING, False),
            DueRow(
                fact(12, subject="老闆", predicate="office", object="東京", state="scheduled"),
                NOW + timedelta(hours=20),
                True,
            ),
        ),
        held_count=12, changes=changes, new=61, changed=9, head=entry(414), mine=entry(408), waiting=waiting,
        gate=GateCounts(24, 12, 2, 5), dropped=2,
    )  # fmt: skip


class FakeReader:
    """Answers like the read room."""

    def __init__(self, engine: FakeEngine) -> None:
        self.engine = engine
        self.error: MemstationError | None = None
        self.overview_of: Callable[[datetime | None], Overview] = the_overview

    def _check(self) -> None:
        if self.error is not None:
            raise self.error

    def agents(self) -> list[str]:
        self._check()
        return ["agnes", "dudu", "kei", "老闆の秘書"]

    def overview(self, since: datetime | None, me: str) -> Overview:
        self._check()
        return self.overview_of(since)

    def log(self, query: Any) -> ListSource:
        if query.filter_text.startswith("bad:"):
            raise InvalidInput("This filter cannot be read", "there is no field 'bad'", "try who:you")
        rows = [row for row in self.engine.log if query.filter_text.casefold() in row.summary.casefold()]
        source = ListSource(rows, key=lambda row: row.seq)
        source.error = self.error
        return source

    def decision(self, seq: int) -> LogDetail | None:
        self._check()
        row = next((row for row in self.engine.log if row.seq == seq), None)
        if row is None:
            return None
        told = (fact(seq, object=row.summary, content=row.summary),) if row.facts else ()
        marks = (("withdrawn: retracted", fact(7, state="withdrawn", object="@ops_helper")),) if row.closed else ()
        return LogDetail(row, told, marks, (), ())

    def stamp(self) -> object:
        self._check()
        return self.engine.writes


@dataclass(frozen=True)
class Report:
    ok: bool
    entries: int
    problems: tuple[str, ...] = ()
    head: str = "ab12"
    stopped: bool = False


class FakeEngine:
    """A store in memory that can take decisions back."""

    read_only = False
    uuid = "0000-fake"
    path = Path("/home/ops/agents.db")

    def __init__(self, log: Sequence[LogRow] | None = None) -> None:
        self.log = list(the_log() if log is None else log)
        self.reader = FakeReader(self)
        self.writes = 0
        self.undone: list[tuple[int, str, str | None]] = []
        self.changed_once = False
        self.report = Report(True, len(self.log))
        self.closed = False
        self.hold_check = False
        self.counts = ReviewCounts(waiting=12, blocked=0, due_today=7, urgent=0, lapsed=0)
        self.effects = Effects(
            emptied=(("dudu", "user", "pager"),), gaps=(), orders=(), told=(),
            counts={"closed": 1, "came_back": 1},
            listed=lambda: (change(), change("came_back", object="Vercel", state="current", was_from=None)),
            digested=lambda: "d1",
        )  # fmt: skip

    def clock(self) -> datetime:
        return NOW

    def write(self, row: LogRow) -> None:
        """Somebody writes."""
        self.log.insert(0, row)
        self.writes += 1

    def preview_undo(self, seq: int) -> Effects:
        return self.effects

    def undo(self, seq: int, *, actor: str, expect: str | None = None) -> Applied:
        if self.changed_once:
            self.changed_once = False
            raise Changed("Not done: somebody else decided it first")
        self.undone.append((seq, actor, expect))
        number = self.log[0].seq + 1
        place = next(place for place, row in enumerate(self.log) if row.seq == seq)
        target = self.log[place]
        self.log[place] = replace(target, stands=False, taken_back_by=number)
        if target.kind == "undo":
            self.log = [replace(row, stands=True, taken_back_by=None) if row.seq == target.target else row
                        for row in self.log]  # fmt: skip
        self.write(entry(number, at=NOW, actor=actor, kind="undo", target=seq, facts=0, closed=1,
                         summary=f"#{seq}: {target.summary}"))  # fmt: skip
        return Applied(number, NOW, self.effects)

    def head(self) -> StoreHead:
        return StoreHead(self.log[0].seq if self.log else 0, "ab12")

    def review_counts(self, agent: str | None = None) -> ReviewCounts:
        return self.counts

    def queue(self, agent: str | None = None, *, lapsed: bool = False) -> list[HeldRow]:
        self.reader._check()
        return []

    def held_card(self, memory_id: str) -> None:
        return None

    def last_verdicts(self, actor: str, limit: int = 10) -> list[LogRow]:
        return []

    def expire_due(self) -> None:
        return None

    def verify(self, expect_head: str | None = None, progress: Any = None) -> Report:
        if progress is not None:
            while self.hold_check and progress(1, 414):
                time.sleep(0.01)
            if not progress(414, 414):
                return replace(self.report, stopped=True, ok=False)
        return self.report

    def close(self) -> None:
        self.closed = True

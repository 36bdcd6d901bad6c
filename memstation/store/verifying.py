"""Checks the whole store against itself: digests, chain, what stands, the layout, what is derived. It never writes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memstation.domain.decisions import DECISION_KINDS
from memstation.domain.names import fact_key, is_blank, note_key, object_key, value_digest
from memstation.store import journal, stubs
from memstation.store.carried import EVENT_SQL
from memstation.store.checks.findings import A_FEW, MALFORMED, Area, Findings, Progress, Stopped, is_undecodable
from memstation.store.checks.layout import check_layout
from memstation.store.checks.shape import check_shape
from memstation.store.checks.sides import check_sides
from memstation.store.checks.standing import check_standing
from memstation.store.digests import FIRST, decision_digest, entry_hash, remains_digest, row_digest
from memstation.store.rules import ORDER_SQL
from memstation.store.schema import TOLD_COLUMNS
from memstation.words import N_

__all__ = ["Progress", "VerifyReport", "verify"]

_EVERY_ENTRIES = 500
_EVERY_ROWS = 5_000


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What a check of the whole store found."""

    ok: bool
    entries: int
    memories: int
    problems: tuple[str, ...]
    """At most 100, each with the number that it is about."""
    head: str
    """The newest entry's hash, in hex; keep it elsewhere to see a tail that was cut off."""
    stopped: bool = False
    areas: tuple[Area, ...] = ()
    """What each of the problems is of."""

    def with_problem(self, problem: str) -> VerifyReport:
        """The report with a problem more, which was found outside the file."""
        return replace(self, ok=False, problems=(*self.problems, problem), areas=(*self.areas, "head"))


def verify(cursor: sqlite3.Cursor, expect_head: str | None = None, progress: Progress | None = None) -> VerifyReport:
    """Check the store on the cursor's snapshot.

    Whatever the file holds, the answer is a report: a value of a wrong type, broken JSON, bytes that are no text.
    Marks, orders and undos are held in memory, memories only line by line.

    Args:
        cursor: a cursor in a read transaction.
        expect_head: a head kept outside the file; it must be the hash of an entry in the chain.
        progress: called now and then; see `Progress`.

    Raises:
        sqlite3.Error: the file cannot be read for a reason that is not in it (busy, a failing disk).
    """
    try:
        return _verified(Findings(cursor, progress), expect_head)
    except sqlite3.OperationalError as error:
        if not is_undecodable(error):
            raise
        undecodable = str(error)
    # Bytes that are no UTF-8: once more, reading them as some text, which is not what was told.
    connection = cursor.connection
    factory = connection.text_factory
    connection.text_factory = _any_text
    findings = Findings(cursor, progress)
    findings.say("SQLite: {line}", line=undecodable)
    try:
        return _verified(findings, expect_head)
    finally:
        connection.text_factory = factory


def told_problems(cursor: sqlite3.Cursor, progress: Progress | None = None) -> tuple[str, ...]:
    """What is wrong with what was told and with the chain; what is derived from it is not looked at.

    Raises:
        sqlite3.Error, Stopped: as `verify`; it was asked to stop.
    """
    findings = Findings(cursor, progress)
    try:
        with findings.part("journal"):
            _Check(findings).chain(None)
    except sqlite3.OperationalError as error:
        if not is_undecodable(error):
            raise
        findings.say("SQLite: {line}", line=error)
    return tuple(findings.problems)


def _any_text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _verified(findings: Findings, expect_head: str | None) -> VerifyReport:
    check = _Check(findings)
    stopped = False
    try:
        check_shape(findings)
        findings.area = "told"
        with findings.part("journal"):
            check.chain(expect_head)
        findings.area = "derived"
        lifted = check_standing(findings)
        with findings.part("memories"):
            check_layout(findings, lifted)
        check_sides(findings)
    except Stopped:
        stopped = True
    problems = tuple(findings.problems)
    return VerifyReport(
        not problems and not stopped, findings.entries, check.memories, problems, check.head.hex(), stopped,
        tuple(findings.areas),
    )  # fmt: skip


class _Ordered:
    """Rows in the order of their first column, a number, handed out up to one number after another."""

    def __init__(self, rows: Iterator[tuple[Any, ...]]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def up_to(self, number: int) -> Iterator[tuple[Any, ...]]:
        """Those that were not handed out yet."""
        while self._next is not None and self._next[0] <= number:
            row, self._next = self._next, next(self._rows, None)
            yield row


class _Check:
    """The chain of the journal, and what each entry says was told."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._rows = findings.rows
        self._say = findings.say
        self.head = FIRST
        self.memories = 0
        self._unclaimed = 0

    def chain(self, expect_head: str | None) -> None:
        """Recompute every digest and walk the chain."""
        ((self._findings.total,),) = self._rows("SELECT count(*) FROM journal")
        wanted_head = None if expect_head is None else expect_head.strip().lower()
        seen_head = wanted_head in (None, FIRST.hex())
        self._prepare()
        expected_seq, last_at = 1, ""
        left: dict[int, bytes] = dict(self._rows("SELECT target, digest FROM erased ORDER BY target, seq"))
        sql = f"SELECT {journal.ENTRY_SQL}, salt, digest, previous, hash FROM journal ORDER BY seq"
        for *entry, salt, digest, previous, hash_ in self._rows(sql):
            seq, at = entry[0], str(entry[1])
            if seq != expected_seq:
                self._say(N_("#{expected_seq} is missing from the journal"), expected_seq=expected_seq)
            if at < last_at:
                self._say(N_("#{seq}: its time is before that of the decision before it"), seq=seq)
            carried = self._digest(seq, salt, self._claims(seq, entry[7], entry[8]))
            if seq in left:
                if _remains(salt, entry, (digest, previous, hash_), carried) != left[seq]:
                    self._say(N_("#{seq}: what an erasure left of it was changed"), seq=seq)
            else:
                if carried != digest:
                    self._say(N_("#{seq}: what it told is not what was written"), seq=seq)
                if _hash(previous, entry, digest) != hash_:
                    self._say(N_("#{seq}: the entry was changed"), seq=seq)
            if previous != self.head:
                self._say(N_("#{seq}: the chain is broken before it"), seq=seq)
            if entry[4] not in DECISION_KINDS:
                self._say(N_("#{seq}: a kind of decision that is not known"), seq=seq)
            self.head = hash_ if isinstance(hash_, bytes) else b""
            seen_head = seen_head or self.head.hex() == wanted_head
            expected_seq, last_at = seq + 1, at
            self._findings.entries += 1
            if self._findings.entries % _EVERY_ENTRIES == 0:
                self._findings.go_on()
        self._strays()
        if not seen_head:
            self._say(N_("the head that was kept outside the file is not in its chain"))

    def _prepare(self) -> None:
        """Begin to read all that carries a number, each in the order of the journal."""
        self._memories = _Ordered(self._told())
        # A number that is no number is told of where types are; here it would have no place in the order.
        number = "WHERE typeof(seq) = 'integer' ORDER BY seq"
        self._marks = _Ordered(self._rows(f"SELECT seq, n, k, kind, value, reason, at FROM marks {number}, n, k"))
        self._orders = _Ordered(self._rows(f"SELECT {ORDER_SQL} FROM orders {number}, k"))
        self._undoes = _Ordered(self._rows(f"SELECT seq, target FROM undoes {number}, target"))
        self._events = _Ordered(self._rows(f"SELECT seq, {EVENT_SQL} FROM events {number}, k"))
        self._erased = _Ordered(self._rows(f"SELECT seq, target, digest FROM erased {number}, target"))

    def _told(self) -> Iterator[tuple[int, bytes, bool]]:
        """Rows by `n`, each with its digest, recomputed from its columns and compared, and whether it is an end."""
        columns = ", ".join(TOLD_COLUMNS)
        sql = f"SELECT salt, row_digest, fact_key, object_key, value_digest, role, {columns} FROM memories ORDER BY n"
        for salt, digest, fact, object_, value, role, *values in self._rows(sql):
            n = values[0]
            try:
                if row_digest(salt, values) != digest:
                    self._say(N_("memory {n} was changed"), n=n)
                if (tuple(values) == stubs.told(n, values[1], values[2], values[18])) != (role == stubs.ROLE):
                    self._say(N_("memory {n}: whether it was erased is not what it tells"), n=n)
                named = dict(zip(TOLD_COLUMNS, values, strict=True))
                if self._keys(named, role == "end") != (fact, object_, value):
                    self._say(N_("memory {n}: its keys are not those of its text"), n=n)
            except MALFORMED:
                self._say(N_("memory {n} was changed: it cannot be read"), n=n)
            self.memories += 1
            if self.memories % _EVERY_ROWS == 0:
                self._findings.go_on()
            yield n, digest, role == "end"

    @staticmethod
    def _keys(told: dict[str, Any], is_end: bool) -> tuple[bytes, bytes, bytes]:
        agent, content = str(told["agent_id"]), str(told["content"])
        subject, predicate, object_ = told["subject"], told["predicate"], told["object"]
        if is_blank(subject) or is_blank(predicate):
            about = json.loads(str(told["metadata"])).get("of", "") if is_end else told["id"]
            fact = note_key(agent, str(about))
        else:
            fact = fact_key(agent, str(subject), str(predicate))
        return fact, object_key(object_, content), value_digest(object_, content)

    def _claims(self, seq: int, first_n: object, last_n: object) -> list[tuple[bytes, bool]]:
        """The digests of the claims and ends that an entry told, by `n`, and which are ends."""
        if first_n is None and last_n is None:
            return []
        if not isinstance(first_n, int) or not isinstance(last_n, int) or last_n < first_n:
            self._say(N_("#{seq}: it does not say which memories it told"), seq=seq)
            return []
        self._unknown(self._memories.up_to(first_n - 1))
        digests, expected = [], first_n
        for n, digest, is_end in self._memories.up_to(last_n):
            for gone in range(expected, min(n, expected + A_FEW)):
                self._say(N_("memory {n} of #{seq} is missing"), n=gone, seq=seq)
            digests.append((digest, is_end))
            expected = n + 1
        for gone in range(expected, min(last_n + 1, expected + A_FEW)):
            self._say(N_("memory {n} of #{seq} is missing"), n=gone, seq=seq)
        return digests

    def _unknown(self, rows: Iterator[tuple[Any, ...]]) -> None:
        for n, *_ in rows:
            self._unclaimed += 1
            if self._unclaimed <= A_FEW:
                self._say(N_("memory {n} is in no entry of the journal"), n=n)

    def _strays(self) -> None:
        """What is left over once every entry has taken its own."""
        self._unknown(self._memories.up_to(1 << 63))
        for table in ("marks", "orders", "undoes", "erased", "events"):
            sql = f"SELECT DISTINCT seq FROM {table} WHERE seq NOT IN (SELECT seq FROM journal) LIMIT {A_FEW}"
            for (seq,) in self._rows(sql):
                self._say(N_("{table} carry #{seq}, which is not in the journal"), table=table, seq=seq)

    def _digest(self, seq: int, salt: bytes, rows: list[tuple[bytes, bool]]) -> bytes:
        marks = (mark[1:] for mark in self._marks.up_to(seq) if mark[0] == seq)
        orders = (order for order in self._orders.up_to(seq) if order[0] == seq)
        targets = (undo[1] for undo in self._undoes.up_to(seq) if undo[0] == seq)
        erased = (left[1:] for left in self._erased.up_to(seq) if left[0] == seq)
        events = (event[1:] for event in self._events.up_to(seq) if event[0] == seq)
        try:
            return decision_digest(rows, marks, orders, targets, salt=salt, erased=erased, events=events)
        except MALFORMED:
            return b""


def _hash(previous: bytes, entry: Sequence[object], digest: bytes) -> bytes:
    try:
        return entry_hash(previous, entry, digest)
    except MALFORMED:
        return b""


def _remains(salt: bytes, entry: Sequence[object], chain: Sequence[bytes], carried: bytes) -> bytes:
    try:
        return remains_digest(salt, entry, chain, carried)
    except MALFORMED:
        return b""

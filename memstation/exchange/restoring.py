"""Tells a store what a file holds, in parts, each one decision. It must not write before all of it was checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from memstation.domain.decisions import HOLD_KINDS, Claim, Decision, End, Mark, Order, Statement
from memstation.domain.findings import Scan
from memstation.domain.origins import OPERATOR
from memstation.exchange.checking import BATCH, Checked, Source, check
from memstation.exchange.report import Progress, RestoreReport
from memstation.exchange.stored import ids_of, known, known_marks, known_orders
from memstation.guard.shape import repaired
from memstation.ops import gate
from memstation.store import journal
from memstation.store.ledger import Ledger
from memstation.store.lines import batches
from memstation.store.rules import key_of

_DECIDED = frozenset({*HOLD_KINDS, "withdrawn"})
"""Marks that judge a claim."""
_AGAINST = tuple(sorted(_DECIDED - {"released"}))
"""Those after which the gate has nothing more to say."""

PART = 10_000
"""Most statements of one decision."""

Marked = TypeVar("Marked", Mark, Order)
Unit: TypeAlias = tuple[Claim | End | None, list[Mark]]
"""A claim or an end with the marks on it, which are told together: no withdrawn claim may stand between two parts."""


def restore(
    ledger: Ledger, source: Source, progress: Progress | None = None, *, actor: str = OPERATOR, kind: str = "restore"
) -> RestoreReport:
    """Tell the store everything in the source that it has not been told.

    Origins, trust and marks are kept as they are: no ceiling, no burst. What the scan finds, and values that are
    rejected in this store, are held, unless the file brings a verdict on them. What the store was told before is
    skipped, so a stopped restore is resumed by running it again; it goes on in the same group, and one undo takes
    back all. When `progress` answers False, it stops after the part.

    Raises:
        InvalidInput, Refused: as `check`; nothing was written.
    """
    found = check(ledger, source, progress)
    count = source.repaired
    if found.stopped:
        return RestoreReport(0, 0, found.total, (), stopped=True)
    continues = _stopped(ledger, source, found, actor) if kind == "restore" else None
    run = _Run(ledger, source, found, actor, progress, kind, continues)
    run.tell()
    return RestoreReport(
        told=run.told, skipped=run.skipped, total=found.total, parts=tuple(run.parts),
        continues=run.continues if run.parts else None, left_out=source.left_out(),
        held=run.held, taken_back=tuple(sorted(run.taken_back)), repaired=count,
        stopped=run.told + run.skipped < found.total,
    )  # fmt: skip


def _stopped(ledger: Ledger, source: Source, found: Checked, actor: str) -> int | None:
    """The first part of an earlier restore of this file that did not come to its end, and stands."""
    with ledger.looking() as looking:
        for first in journal.stopped_restores(looking.cursor, actor, repaired(source.name)):
            # Another file may have the same name: then it does not tell what that restore told.
            if all(found.has(id_) for id_ in ids_of(looking.cursor, journal.parts(looking.cursor, first))):
                return first
    return None


@dataclass(slots=True)
class _Run:
    """The second reading."""

    ledger: Ledger
    source: Source
    found: Checked
    actor: str
    progress: Progress | None
    kind: str
    continues: int | None = None
    told: int = 0
    skipped: int = 0
    held: int = 0
    parts: list[int] = field(default_factory=list)
    taken_back: set[int] = field(default_factory=set)
    stopping: bool = False

    def tell(self) -> None:
        """Write part after part, until all is told or `progress` answers False."""
        waiting: list[Statement] = []
        for part in self._parts():
            if waiting:
                self._write(waiting, is_last=False)
                if self.stopping:
                    return
            waiting = part
        if waiting:
            self._write(waiting, is_last=True)

    def _write(self, statements: list[Statement], *, is_last: bool) -> None:
        judged = self._judged(statements)
        # What a person let in has been looked at; but not by whoever rejected its value or blocked its source here.
        scans = [Scan() if self._marked(claim, "released") else gate.scanned(claim) for claim in judged]
        agents = {item.agent_id for item in statements if isinstance(item, Claim | End | Order)}
        with self.ledger.writing() as writing:
            group = self.continues
            if group is None and self.parts:
                group = self.parts[0]
            elif group is None and not is_last:
                # Only the number of the first part names the group, so the first of several names itself.
                group = journal.head(writing.cursor).seq + 1
            first = journal.head(writing.cursor).seq + 1 if group is None else group
            held = gate.holds_of(writing, judged, scans, before=first) if judged else ()
            decision = Decision(
                self.kind, self.actor, (*statements, *held), agents.pop() if len(agents) == 1 else "",
                repaired(self.source.name), group, not is_last,
            )  # fmt: skip
            self.parts.append(writing.apply(decision).seq)
        self.told += len(statements)
        self.held += sum(isinstance(statement, Mark) for statement in held)
        self._say()

    def _judged(self, statements: list[Statement]) -> list[Claim]:
        """The claims that the gate looks at: those that the file brings no verdict against."""
        if self.kind != "restore":
            # A file that is adopted stays where it is, with what it had let in.
            return []
        claims = [item for item in statements if isinstance(item, Claim)]
        return [claim for claim in claims if not self._marked(claim, *_AGAINST)]

    def _marked(self, claim: Claim, *kinds: str) -> bool:
        """Whether the latest verdict that the file brings on a claim is one of these, or it is withdrawn."""
        marks = [mark.kind for mark in self.found.marks.get(claim.id, ()) if mark.kind in _DECIDED]
        return bool(marks) and (("withdrawn" in marks and "withdrawn" in kinds) or marks[-1] in kinds)

    def _say(self) -> None:
        if self.progress is not None and not self.progress(self.told + self.skipped, self.found.total):
            self.stopping = True

    # -- what is to be told -------------------------------------------------------------------------------------

    def _parts(self) -> Iterator[list[Statement]]:
        part: list[Statement] = []
        for group in self._new():
            # What belongs together is split only where it alone is too much.
            if part and len(part) + len(group) > PART:
                yield part
                part = []
            part += group
            while len(part) > PART:
                yield part[:PART]
                part = part[PART:]
        if part:
            yield part

    def _new(self) -> Iterator[list[Statement]]:
        """What the store has not been told: orders first, so that lines are laid out once."""
        for order in self._new_orders():
            yield [order]
        for batch in batches(self._units(), BATCH):
            yield from self._new_units(batch)
            self._say()
            if self.stopping:
                return

    def _new_orders(self) -> list[Order]:
        with self.ledger.looking() as looking:
            keys = dict.fromkeys(key_of(order) for order in self.found.orders)
            before = _forms(known_orders(looking.cursor, keys))
        return self._unknown(self.found.orders, before)

    def _units(self) -> Iterator[Unit]:
        """Each claim and end of the file with its marks, then the marks on memories of the store alone."""
        for at, (_, told) in enumerate(self.source.statements()):
            if isinstance(told, Claim | End):
                if at in self.found.repeats:
                    self.skipped += 1
                else:
                    yield told, self.found.marks.get(told.id, [])
        for memory_id, marks in self.found.marks.items():
            if not self.found.has(memory_id):
                yield None, marks

    def _new_units(self, batch: list[Unit]) -> Iterator[list[Statement]]:
        with self.ledger.looking() as looking:
            stored = known(looking.cursor, [told.id for told, _ in batch if told is not None])
            marked = {mark.id for _, marks in batch for mark in marks}
            before = _forms(known_marks(looking.cursor, marked))
        for told, marks in batch:
            group: list[Statement] = list(self._unknown(marks, before))
            if told is not None and told.id not in stored:
                group.insert(0, told)
            elif told is not None:
                self.skipped += 1
                by = stored[told.id].taken_back_by
                if by is not None:
                    self.taken_back.add(by)
            if group:
                yield group

    def _unknown(self, items: list[Marked], before: Counter[Marked]) -> list[Marked]:
        """Those that were not told before; of equal ones, those beyond the number told before."""
        new = []
        for item in items:
            if before[item]:
                before[item] -= 1
                self.skipped += 1
            else:
                new.append(item)
        return new


def _forms(items: Iterable[Marked]) -> Counter[Marked]:
    """How often each was told; once more without its time, for a file that does not tell it."""
    counts: Counter[Marked] = Counter()
    for item in items:
        counts[item] += 1
        counts[replace(item, at=None)] += 1
    return counts

"""Adopts a file of the seed's system in place, as a store of ours. It must not ask: whoever calls it has."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from memstation.domain.errors import Stopped, StoreUnusable
from memstation.domain.instants import Clock, to_text
from memstation.domain.origins import OPERATOR
from memstation.exchange.duduclaw import SeedMemories
from memstation.exchange.duduclaw_file import SeedFile, open_seed_file
from memstation.exchange.old_answers import ChangedAnswer, changed_answers
from memstation.exchange.report import LeftOut, Progress
from memstation.exchange.restoring import restore
from memstation.store.ledger import Ledger
from memstation.store.opening import open_database
from memstation.store.taking_over import TakenOver, next_copy, taking_over

SHOWN = 1_000
"""Changed answers that a report carries; the file beside the copy has all."""
_CARRIED = ("memories", "entity_alias")


@dataclass(frozen=True, slots=True)
class AdoptionReport:
    """What a file is, and what its adoption did, or would do."""

    path: str
    columns: int
    """Columns of its memories: 11 and 29 are the versions known."""
    memories: int
    agents: int
    names: int
    held: int
    taken_out: int
    ownerless: int
    left_out: LeftOut
    """Tables and fields that are only in the copy."""
    changed_keys: int
    changed: tuple[ChangedAnswer, ...]
    """The first of them."""
    copy: str
    report: str
    """JSONL with every changed answer; empty in a preview."""
    parts: tuple[int, ...] = ()
    told: int = 0
    repaired: int = 0


def preview_adoption(
    path: Path, clock: Clock, progress: Progress | None = None, *, owner: str | None = None
) -> AdoptionReport:
    """What adopting would do, found by telling the file to a store that is thrown away. The file is not touched.

    Raises:
        Stopped: `progress` answered False.
        InvalidInput, NotFound, Refused: it cannot be adopted.
    """
    path = path.resolve()
    with open_seed_file(path) as file, tempfile.TemporaryDirectory(prefix="memstation-") as folder:
        source = SeedMemories(file, owner=owner)
        with closing(open_database(Path(folder) / "preview.db")) as database:
            ledger = Ledger(database, clock)
            told = restore(ledger, source, progress)
            if told.stopped:
                raise _stopped(path)
            with ledger.looking() as looking:
                changed = _Changed()
                for answer in changed_answers(file, looking.cursor, looking.now):
                    changed.add(answer)
        return _report(
            path, file, source, changed, copy=str(next_copy(path)), report="", repaired=told.repaired, told=told.told
        )


def adopt(
    path: Path, clock: Clock, progress: Progress | None = None, *, actor: str = OPERATOR, owner: str | None = None
) -> AdoptionReport:
    """Make the file a store of ours, in one transaction, after copying it aside.

    Raises:
        Stopped: `progress` answered False; nothing was changed.
        Refused: it is a store of ours already.
        InvalidInput, NotFound, Busy, StoreUnusable: it cannot be adopted; nothing was changed.
    """
    path = path.resolve()
    with taking_over(path, lambda: progress is None or progress(0, 0)) as taken, open_seed_file(taken.copy) as file:
        return _rebuilt(path, taken, file, clock, progress, actor, owner)


def _rebuilt(
    path: Path, taken: TakenOver, file: SeedFile, clock: Clock, progress: Progress | None, actor: str, owner: str | None
) -> AdoptionReport:
    source = SeedMemories(file, owner=owner, name=path.name)
    taken.rebuild()
    told = restore(taken.ledger(clock), source, progress, actor=actor, kind="adopt")
    if told.stopped:
        raise _stopped(path)
    changed = _Changed()
    with _written(taken.report) as lines:
        for answer in changed_answers(file, taken.cursor, to_text(clock())):
            changed.add(answer)
            lines.append(answer)
            if progress is not None and not progress(told.told, told.total):
                raise _stopped(path)
    report = _report(
        path, file, source, changed, copy=str(taken.copy), report=str(taken.report), parts=told.parts, told=told.told,
        repaired=told.repaired,
    )  # fmt: skip
    taken.remember(
        {"system": "duduclaw", "columns": report.columns, "memories": report.memories, "at": to_text(clock())}
    )
    return report


class _Lines:
    """Writes changed answers, one JSON object a line."""

    def __init__(self, handle: int) -> None:
        self.file = open(handle, "w", encoding="utf-8")  # noqa: SIM115 (closed by `_written`)

    def append(self, answer: ChangedAnswer) -> None:
        """One more."""
        self.file.write(json.dumps(asdict(answer)) + "\n")


@contextmanager
def _written(path: Path) -> Iterator[_Lines]:
    """The report's file, on the disk when the block ends well, and gone when it does not."""
    try:
        path.unlink(missing_ok=True)
        lines = _Lines(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with lines.file:
            yield lines
            lines.file.flush()
            os.fsync(lines.file.fileno())
    except BaseException as error:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            why = error.strerror
            raise StoreUnusable("The report cannot be written", "{path}: {why}", path=path, why=why) from error
        raise


class _Changed:
    """Counts keys and keeps the first answers."""

    def __init__(self) -> None:
        self.keys = 0
        self.first: list[ChangedAnswer] = []
        self._last: tuple[str, str, str] | None = None

    def add(self, answer: ChangedAnswer) -> None:
        """One more; answers about one key come together."""
        key = (answer.agent_id, answer.subject, answer.predicate)
        self.keys += key != self._last
        self._last = key
        if len(self.first) < SHOWN:
            self.first.append(answer)


def _report(
    path: Path, file: SeedFile, source: SeedMemories, changed: _Changed, *, copy: str, report: str, repaired: int,
    told: int, parts: tuple[int, ...] = (),
) -> AdoptionReport:  # fmt: skip
    odd: Counter[str] = Counter(dict(source.left_out()))
    tables = {table: file.count(table) for table in file.tables() if table not in _CARRIED}
    left_out = sorted({**odd, **{table: count for table, count in tables.items() if count}}.items())
    return AdoptionReport(
        path=str(path), columns=file.columns, memories=file.count("memories"), agents=file.agents(),
        names=file.count("entity_alias"), held=file.tally("quarantined"), taken_out=file.tally("invalidated_by_event"),
        ownerless=file.ownerless(), left_out=tuple(left_out), changed_keys=changed.keys, changed=tuple(changed.first),
        copy=copy, report=report, parts=parts, told=told, repaired=repaired,
    )  # fmt: skip


def _stopped(path: Path) -> Stopped:
    return Stopped("It was stopped", "{path}", "nothing was changed", path=path)

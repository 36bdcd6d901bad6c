"""How often a value that a person purged, denied or retracted comes back, by eight roads. It judges no other thing.

Each attempt is made on a small store of its own. What comes back is what an agent would be told as a fact again.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memstation.domain.decisions import Decision, Order
from memstation.domain.errors import MemstationError
from memstation.domain.memory import MemoryEntry, Outcome, TemporalMeta
from memstation.domain.names import fold_name, visible
from memstation.engine import MemoryEngine, open_engine
from memstation.exchange.exporting import export
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore
from memstation.ops import review

AGENT, SUBJECT, PREDICATE = "bench", "payee", "iban"
POISON, GOOD, BAD = "channel:poisoned", "GB00 GOOD", "XX99 BAD"
START = datetime(2026, 1, 1, tzinfo=UTC)
KINDS = ("purged", "denied", "retracted")


@dataclass
class Case:
    """A store in which a person has put a value out of use."""

    folder: Path
    kind: str
    now: datetime = START
    poison: str = ""
    """Id of the memory that said it."""
    closed: int = 0
    """The decision that put it out of use."""
    engine: MemoryEngine = field(init=False)

    def __post_init__(self) -> None:
        self.engine = open_engine(self.folder / "returns.db", clock=lambda: self.now)

    def tell(self, value: str = BAD, *, origin: str = POISON, subject: str = SUBJECT, **more: object) -> Outcome:
        """Tell a value of the one fact."""
        self.now += timedelta(minutes=90)
        predicate, content = str(more.pop("predicate", PREDICATE)), str(more.pop("content", f"It is {value}."))
        meta = TemporalMeta(subject, predicate, value, origin=origin, **more)  # type: ignore[arg-type]
        return self.engine.store_temporal(MemoryEntry(AGENT, content), meta)

    def put_out_of_use(self) -> None:
        """Have the person decide, some time after the source spoke."""
        self.now += timedelta(hours=1)
        match self.kind:
            case "purged":
                self.closed = self.engine.invalidate_by_origin(AGENT, POISON).seq or 0
            case "denied":
                held = self.engine.decide(lambda looking: review.hold(looking, [self.poison], actor="operator"))
                self.closed = self.engine.deny([self.poison]).seq
                assert held.seq < self.closed
            case _:
                self.closed = self.engine.retract(self.poison).seq

    def is_back(self) -> bool:
        """Whether an agent is told the value again."""
        said = (fact.object or fact.content for fact in self.engine.list_recent(AGENT, 1000))
        return any(fold_name(BAD) in fold_name(visible(text)) for text in said)


Road = Callable[[Case], Iterator[str]]
"""Makes attempts, and says of each how it was answered."""


def _answer(outcome: Outcome) -> str:
    return f"{outcome.status}: {outcome.reason}" if outcome.reason else outcome.status


def _refused(act: Callable[[], object]) -> str:
    try:
        act()
    except MemstationError as error:
        return f"refused: {error.title}"
    return "done"


def write_again(case: Case) -> Iterator[str]:
    """The source says it again, as it was and in other spellings."""
    for value in (BAD, BAD.lower(), f" {BAD}  ", BAD.replace(" ", "\u3000"), "X\u200bX99 BAD"):
        yield _answer(case.tell(value))


def another_source(case: Case) -> Iterator[str]:
    """Others say it."""
    for origin in ("channel:other", "agent_derived", "tool_echo:page", "user_direct", "import:notes", "mcp_external:x"):
        yield _answer(case.tell(origin=origin))


def reaffirm(case: Case) -> Iterator[str]:
    """Whoever echoed it before says the very same again, twice."""
    for _ in range(2):
        yield _answer(case.tell(origin="tool_echo:echo"))


def old_backup(case: Case) -> Iterator[str]:
    """An export from before the decision is restored: the same memories, and the same under other ids."""
    backup = case.folder / "before.jsonl"
    yield _restored(case, backup)
    lines = [json.loads(line) for line in backup.read_text(encoding="utf-8").splitlines()]
    renamed = case.folder / "renamed.jsonl"
    renamed.write_text(
        "\n".join(json.dumps({**line, "id": f"other-{line['id']}"} if "id" in line else line) for line in lines),
        encoding="utf-8",
    )
    yield _restored(case, renamed)


def _restored(case: Case, file: Path) -> str:
    report = restore(case.engine.ledger, JsonFile(file))
    return f"held: {report.held} of {report.told} told, {report.skipped} known"


def older_undo(case: Case) -> Iterator[str]:
    """Every decision from before is taken back, and brought back."""
    for entry in [entry for entry in case.engine.journal(limit=1000) if entry.seq < case.closed]:
        taken: list[int] = []
        answer = _refused(lambda seq=entry.seq, taken=taken: taken.append(case.engine.undo(seq).seq))  # type: ignore[misc]
        yield f"{answer}: #{entry.seq} taken back"
        for undo in taken:
            yield f"{_refused(lambda undo=undo: case.engine.undo(undo))}: #{entry.seq} brought back"  # type: ignore[misc]


def approve_closed(case: Case) -> Iterator[str]:
    """The hold that was closed is approved, brought back, given more time."""
    ids = [case.poison, *(row.id for row in case.engine.queue(lapsed=True))]
    yield _refused(lambda: case.engine.approve(ids))
    yield _refused(lambda: case.engine.approve(ids, raise_trust=True))
    yield _refused(lambda: case.engine.decide(lambda looking: review.bring_back(looking, ids, actor="operator")))
    yield _refused(lambda: case.engine.decide(lambda looking: review.extend(looking, ids, actor="operator")))


def consolidate(case: Case) -> Iterator[str]:
    """A memory is made from it that says the same, about the same and in a sentence of its own."""
    yield _answer(case.tell(origin="agent_derived", derived_from=[case.poison]))
    if case.kind == "purged":
        told = case.tell(
            f"rule: pay to {BAD}", origin="agent_derived", predicate="rule", derived_from=[case.poison],
            content=f"Payments to the payee go to {BAD}.",
        )  # fmt: skip
        yield _answer(told)


def alias(case: Case) -> Iterator[str]:
    """It is said under names that are joined to the subject, directly and through another; and after they part."""
    for verdict, name, joined in (
        ("joined", "the payee", SUBJECT), ("joined", "supplier", "the payee"), ("parted", "the payee", SUBJECT),
    ):  # fmt: skip
        order = Order("alias", verdict, AGENT, name, value=joined)
        case.engine.apply(Decision("predicate", "operator", (order,), AGENT))
        yield _answer(case.tell(origin="user_direct", subject=name if verdict == "joined" else SUBJECT))


ROADS: dict[str, Road] = {
    "written again by the source": write_again,
    "written by another source": another_source,
    "reaffirmed by an echo": reaffirm,
    "restored from an old backup": old_backup,
    "an older decision undone": older_undo,
    "a closed hold approved": approve_closed,
    "consolidated into a new memory": consolidate,
    "told under a joined name": alias,
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to bring a value back."""

    road: str
    kind: str
    answer: str
    """What the store said to it."""
    returned: bool


def attempts(folder: Path, roads: Sequence[str] = tuple(ROADS), kinds: Sequence[str] = KINDS) -> Iterator[Attempt]:
    """Go every road for every kind of decision."""
    for road in roads:
        for kind in kinds:
            with tempfile.TemporaryDirectory(dir=folder) as own:
                case = _prepared(Path(own), kind, road)
                try:
                    for answer in ROADS[road](case):
                        yield Attempt(road, kind, answer, case.is_back())
                finally:
                    case.engine.close()


def _prepared(folder: Path, kind: str, road: str) -> Case:
    case = Case(folder, kind)
    case.tell(GOOD, origin="user_direct")
    wrong = case.tell("YY11 WRONG")
    case.engine.retract(wrong.id, reject=False)
    first = case.tell()
    case.engine.undo(first.seq)
    case.poison = case.tell().id
    if road == "reaffirmed by an echo" and kind == "purged":
        case.tell(origin="tool_echo:echo")
    if road == "a closed hold approved":
        # It waits for a person when the decision is taken.
        case.engine.decide(lambda looking: review.hold(looking, [case.poison], actor="operator"))
    export(case.engine.ledger, folder / "before.jsonl", store=folder / "returns.db")
    if road == "a closed hold approved" and kind != "purged":
        case.closed = case.engine.deny([case.poison]).seq if kind == "denied" else case.engine.retract(case.poison).seq
    else:
        case.put_out_of_use()
    assert not case.is_back(), (kind, road)
    return case


def main(*, as_json: bool = False) -> int:
    """Print how many attempts by each road were made, and how many brought a value back.

    Returns:
        0 when none did.
    """
    with tempfile.TemporaryDirectory(prefix="memstation-bench-") as folder:
        found = list(attempts(Path(folder)))
    returned = sum(attempt.returned for attempt in found)
    if as_json:
        print(json.dumps({"attempts": [asdict(one) for one in found], "returned": returned}, indent=1))
    else:
        made, back = Counter(one.road for one in found), Counter(one.road for one in found if one.returned)
        for road in ROADS:
            print(f"{road:<34} {made[road]:>4} attempts {back[road]:>4} came back")
        print(f"{'all eight roads':<34} {len(found):>4} attempts {returned:>4} came back")
    return 0 if returned == 0 else 1

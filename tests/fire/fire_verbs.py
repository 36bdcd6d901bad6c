"""What a process does to a store while it is killed: the registry of verbs, each one line of `VERBS`.

To put a new verb under fire, write a function `(child) -> None` that does it once on `child.engine` and give it a line
in `VERBS`. A verb that takes several decisions calls `child.acknowledge()` after each (a progress callback will do);
the last is acknowledged for it. A verb that makes a file names it with `child.file(...)`, and where the file's name
promises that it is whole, says what must be in it with `child.promise(...)` before it begins; `fire_parent.check_files`
holds it to that. A verb that works on another file (adoption, a backup) makes its own under `child.folder`, and
`fire_parent.CHECKS` takes a function `(folder) -> None` that looks at what is left of it after the kill.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memstation.domain.decisions import Claim, Decision, Mark, Order
from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.exchange.adopting import restore_duduclaw
from memstation.exchange.exporting import export, export_to
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore

from engine_facts import saying
from exchange.seed_files import closed, fact, seed_file

if TYPE_CHECKING:
    from fire.fire_child import Child

SUBJECTS = ("user", "boss", "老闆")
PREDICATES = ("city", "mood", "speaks")
ORIGINS = ("operator", "channel:line/7", "agent_derived", "import:notes")


def told(child: Child) -> tuple[Any, Any]:
    """A fact on one of a few keys, so that values close, confirm and displace one another."""
    dice = child.dice
    day = f"2026-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
    return saying(
        f"v{dice.randint(1, 6)}", day, subject=dice.choice(SUBJECTS), predicate=dice.choice(PREDICATES),
        origin=dice.choice(ORIGINS), content=f"said {dice.randint(1, 6)} " + "x" * dice.choice((0, 20, 5_000)),
    )  # fmt: skip


def some_fact(child: Child) -> str:
    subject, predicate = child.dice.choice(SUBJECTS), child.dice.choice(PREDICATES)
    found = [r.id for r in child.engine.get_history("ada", subject, predicate) if r.valid_until is None]
    if not found:
        raise NotFound("No such fact")
    return child.dice.choice(found)


def store(child: Child) -> None:
    child.say(child.engine.store_temporal(*told(child)).id)


def store_many(child: Child) -> None:
    for outcome in child.engine.store_many([told(child) for _ in range(child.dice.randint(2, 40))]):
        child.say(outcome.id)


def end(child: Child) -> None:
    child.engine.end(some_fact(child), "2027-01-01")


def undo(child: Child) -> None:
    entries = child.engine.reader.head()
    child.engine.undo(child.dice.randint(1, entries.seq if entries else 1))


def alias(child: Child) -> None:
    verdict = child.dice.choice(("joined", "parted"))
    child.engine.apply(Decision("store", "operator", (Order("alias", verdict, "ada", "the boss", value="boss"),)))


def hold(child: Child) -> None:
    claim = Claim(child.engine.new_id(), "ada", "held", subject="user", predicate="mood", object="held")
    kind = child.dice.choice(("held", "cap"))
    mark = Mark(claim.id, kind, "burst", 0.1 if kind == "cap" else None)
    child.engine.apply(Decision("store", "agent", (claim, mark), "ada"))
    child.say(claim.id)


def _restored(child: Child, done: int, total: int) -> bool:
    child.acknowledge()
    return True


def restore_lines(child: Child) -> None:
    """A file of several parts; now and then the same again, as after a stop."""
    number = child.dice.randint(0, 5) + 100 * child.turn
    path = child.file(f"in-{number}.jsonl")
    items: list[dict[str, Any]] = [{"kind": "memstation", "format": 1}]
    items += [
        {"kind": "claim", "id": f"r{number}-{k}", "agent_id": "ada", "content": f"line {k}", "subject": f"s{number}",
         "predicate": "p", "object": f"o{k}", "asserted_from": f"2026-01-{1 + k % 28:02}T00:00:00+00:00"}
        for k in range(150)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    restore(child.engine.ledger, JsonFile(path), lambda done, total: _restored(child, done, total))


def restore_seed(child: Child) -> None:
    path = child.file(f"seed-{child.turn}-{child.step}.db")
    more = f"{child.turn}-{child.step}"
    rows = [fact(f"a{more}", "Kyoto", 1, **closed(f"b{more}", 4)), fact(f"b{more}", "Nara", 4)]
    restore_duduclaw(child.engine.ledger, seed_file(path, *rows), lambda done, total: _restored(child, done, total))


def export_all(child: Child) -> None:
    path = child.file(f"out-{child.turn}-{child.step}.jsonl")
    lines: list[str] = []
    export_to(child.engine.ledger, lines.append)
    child.promise(path, "".join(lines))
    export(child.engine.ledger, path, store=child.engine.path)


def reopen(child: Child) -> None:
    child.open_again()


VERBS: dict[str, tuple[int, Callable[[Child], object]]] = {
    "store_temporal": (8, store),
    "store_many": (4, store_many),
    "retract": (3, lambda child: child.engine.retract(some_fact(child))),
    "end": (2, end),
    "correct_value": (2, lambda child: child.engine.correct_value(some_fact(child), object=f"c{child.step}")),
    "set_predicate": (1, lambda child: child.engine.set_predicate("ada", "speaks", child.dice.choice(("one", "many")))),
    "undo": (4, undo),
    "expire_by_subject": (1, lambda child: child.engine.expire_by_subject("ada", "user", reason="gone")),
    "alias": (1, alias),
    "hold": (2, hold),
    "restore_jsonl": (1, restore_lines),
    "restore_duduclaw": (1, restore_seed),
    "reindex": (1, lambda child: child.engine.reindex()),
    "export": (1, export_all),
    "reopen": (1, reopen),
}
"""Name: how often it is done among the others, and what it does. A refusal is an answer like others."""

ANSWERS = (InvalidInput, Refused, NotFound)

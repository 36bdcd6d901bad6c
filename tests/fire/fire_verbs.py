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
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memstation.domain.decisions import Claim, Decision, Event, Mark, Order
from memstation.domain.errors import NotFound, Refused
from memstation.domain.purging import PurgeChoices
from memstation.exchange.adopting import restore_duduclaw
from memstation.exchange.adoption import adopt
from memstation.exchange.exporting import export, export_to
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore
from memstation.ops import review

from engine_facts import saying
from exchange.seed_files import closed, fact, seed_file

if TYPE_CHECKING:
    from fire.fire_child import Child

SAMPLE = Path(__file__).parent.parent / "data" / "duduclaw_11_columns.sqlite"
"""Another program's file, to be adopted."""

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


NAMES = ("boss", "the boss", "老闆", "李老闆", "zhixu")


def join(child: Child) -> None:
    """Names join, move and go round in circles, which are refused."""
    canonical, other = child.dice.sample(NAMES, 2)
    child.engine.suggest_aliases("ada", [(canonical, other)])
    child.acknowledge()
    child.engine.add_alias("ada", canonical, other, actor=child.dice.choice(("operator", "agent:ada")))


def settle(child: Child) -> None:
    """A conflict is dismissed, or one that was is reopened."""
    found = child.engine.conflicts("ada")
    if found:
        child.engine.dismiss_conflicts([child.dice.choice(found)])
        return
    off = child.engine.conflicts("ada", dismissed=True)
    if not off:
        raise NotFound("Nothing is in conflict")
    child.engine.reopen_conflicts(off[:1])


def hold(child: Child) -> None:
    claim = Claim(child.engine.new_id(), "ada", "held", subject="user", predicate="mood", object="held")
    kind = child.dice.choice(("held", "cap"))
    mark = Mark(claim.id, kind, "burst", 0.1 if kind == "cap" else None)
    child.engine.apply(Decision("store", "agent", (claim, mark), "ada"))
    child.say(claim.id)


def some_held(child: Child, *, lapsed: bool = False) -> str:
    rows = child.engine.queue("ada", lapsed=lapsed)
    if not rows:
        raise NotFound("Nothing is held")
    return child.dice.choice(rows[:20]).id


def burst(child: Child) -> None:
    """From the fifth new value on they are held; said again they get a hit."""
    subject = f"crowd {child.turn}-{child.step}"
    for value in (1, 2, 3, 4, 5, 6, 6):
        child.say(child.engine.store_temporal(*saying(f"b{value}", subject=subject, origin="channel:line/8")).id)
        child.acknowledge()


def held_write(child: Child) -> None:
    """What would replace the operator's own word waits."""
    subject = f"own {child.turn}-{child.step}"
    child.say(child.engine.store_temporal(*saying("mine", "2026-01-01", subject=subject)).id)
    child.acknowledge()
    child.say(child.engine.store_temporal(*saying("theirs", subject=subject, origin="channel:line/8")).id)


def drop(child: Child) -> None:
    """Nothing is told: the decision is its note alone."""
    event = Event("prompt_injection", "ada", "channel:line/9", '{"rules": ["override"]}')
    child.engine.apply(Decision("drop", "agent", (event,), "ada"))


def edit(child: Child) -> None:
    held = some_held(child)
    child.engine.decide(
        lambda looking: review.edit(
            looking, held, lambda _: child.engine.new_id(), actor="operator", object=f"e{child.turn}-{child.step}"
        )
    )


def extend(child: Child) -> None:
    held = some_held(child)
    child.engine.decide(lambda looking: review.extend(looking, [held], actor="operator", seconds=60.0))


def hold_fact(child: Child) -> None:
    fact_id = some_fact(child)
    child.engine.decide(lambda looking: review.hold(looking, [fact_id], actor="operator"))


def lapse(child: Child) -> None:
    """Held without time, and let run out."""
    claim = Claim(child.engine.new_id(), "ada", "short", subject="user", predicate="mood", object=f"s{child.step}")
    child.engine.apply(Decision("store", "agent", (claim, Mark(claim.id, "held", "burst", 0.0)), "ada"))
    child.say(claim.id)
    child.acknowledge()
    child.engine.expire_due()


def bring_back(child: Child) -> None:
    gone = some_held(child, lapsed=True)
    child.engine.decide(lambda looking: review.bring_back(looking, [gone], actor="operator"))


def lift(child: Child) -> None:
    rows = child.engine.rejected("ada")
    if not rows:
        raise NotFound("Nothing is rejected")
    row = child.dice.choice(rows)
    child.engine.lift([(row.seq, row.k)])


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


def forget(child: Child) -> None:
    """A person of this turn's own, told and then erased for good."""
    person = f"Mirabelle{child.turn}n{child.step}"
    for day in ("2026-01-01", "2026-02-01"):
        child.say(child.engine.store_temporal(*saying(f"at {day}", day, subject=person, content=f"{person} {day}")).id)
        child.acknowledge()
    phrase = child.engine.preview_forget("ada", person).phrase
    child.begin("erase", person)
    child.engine.forget("ada", person, phrase=phrase)
    child.end("erased", person)


def adopt_file(child: Child) -> None:
    """Another program's file, in a folder of its own; the kill finds it before, within or after."""
    folder = child.file(f"adopt-{child.turn}-{child.step}")
    folder.mkdir()
    path = folder / "memory.db"
    shutil.copyfile(SAMPLE, path)
    child.begin("adopt", folder.name)
    adopt(path, child.engine.clock)
    child.end("adopted", folder.name)


def back_up(child: Child) -> None:
    path = child.file(f"backup-{child.turn}-{child.step}.db")
    child.begin("copy", path.name)
    child.engine.back_up(path)
    child.end("copied", path.name)


def reopen(child: Child) -> None:
    child.open_again()


def purge(child: Child) -> None:
    """Something is made from what the source told; then all of it goes."""
    origin = child.dice.choice(ORIGINS[1:])
    told_ = child.engine.store_temporal(*saying("made", subject="user", predicate="mood", origin=origin))
    child.say(told_.id)
    child.acknowledge()
    made = child.engine.store_temporal(
        *saying(None, subject=None, predicate=None, origin="agent_derived", derived_from=[told_.id])
    )
    child.say(made.id)
    child.acknowledge()
    choices = PurgeChoices(child.dice.random() < 0.3, child.dice.random() < 0.3, child.dice.random() < 0.5)
    child.engine.invalidate_by_origin("ada", origin, choices=choices)


def block(child: Child) -> None:
    act = child.engine.block_origin if child.dice.random() < 0.3 else child.engine.unblock_origin
    act(child.dice.choice(("ada", None)), child.dice.choice(ORIGINS[1:]))


def trust(child: Child) -> None:
    if child.dice.random() < 0.5:
        child.engine.set_trust([some_fact(child)], child.dice.choice((0.2, 0.4)))
    else:
        number = child.dice.choice((None, 0.1, 0.9))
        child.engine.set_origin_trust(child.dice.choice(("ada", None)), child.dice.choice(ORIGINS[1:]), number)


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
    "join": (2, join),
    "part": (2, lambda child: child.engine.remove_alias("ada", child.dice.choice(NAMES))),
    "settle": (1, settle),
    "hold": (2, hold),
    "restore_jsonl": (1, restore_lines),
    "restore_duduclaw": (1, restore_seed),
    "reindex": (1, lambda child: child.engine.reindex()),
    "export": (1, export_all),
    "reopen": (1, reopen),
    "forget": (2, forget),
    "adopt": (1, adopt_file),
    "back_up": (1, back_up),
    "approve": (3, lambda child: child.engine.approve([some_held(child)], raise_trust=child.dice.random() < 0.5)),
    "deny": (3, lambda child: child.engine.deny([some_held(child)])),
    "edit": (1, edit),
    "hold_fact": (1, hold_fact),
    "extend": (1, extend),
    "lapse": (2, lapse),
    "bring_back": (1, bring_back),
    "lift": (2, lift),
    "burst": (1, burst),
    "held_write": (2, held_write),
    "drop": (1, drop),
    "purge": (2, purge),
    "block": (1, block),
    "trust": (2, trust),
    "promote": (1, lambda child: child.engine.promote([some_fact(child)])),
    "repair": (1, lambda child: child.engine.repair()),
}
"""Name: how often it is done among the others, and what it does. A refusal is an answer like others."""

ANSWERS = (Refused, NotFound)
"""What a verb may answer. Input that is refused as wrong would be a fault of the verb, and fails the run."""

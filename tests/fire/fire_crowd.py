"""Several processes that write to one store at once, and say what they were told. None waits for another's end."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

from memstation import open_engine
from memstation.domain.decisions import Decision, Order
from memstation.domain.errors import Busy, InvalidInput, MemstationError, NotFound, Refused

from engine_facts import saying


def crowd(path: str, answers: str, name: str, seconds: float) -> None:
    """Write for so long, on keys that others write too."""
    dice = random.Random(name)
    told: list[int] = []
    errors: list[str] = []
    busy = 0
    with open_engine(path) as engine:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                told.append(_one(engine, dice, name, told))
            except Busy:
                busy += 1
            except (Refused, NotFound):
                pass  # such as: another has withdrawn it meanwhile
            except InvalidInput as error:
                if not error.title.startswith(OVERTAKEN):
                    errors.append(str(error))
            except Exception as error:
                errors.append(f"{type(error).__name__}: {error}")
    Path(answers).write_text(json.dumps({"told": told, "errors": errors, "busy": busy}))


OVERTAKEN = ("It has ended already", "The value is the same", "It cannot end before it began")
"""What a correction is answered with when another process was faster."""


def _one(engine: Any, dice: random.Random, name: str, told: list[int]) -> int:
    """Take one decision and give its number, as the store answers it."""
    pick = dice.random()
    if pick < 0.6 or not told:
        fact = _fact(dice, name)
        with engine.ledger.writing() as writing:
            from memstation.domain.decisions import Claim

            entry, meta = fact
            claim = Claim(
                engine.new_id(), entry.agent_id, entry.content, f"{meta.valid_from}T00:00:00.000000+00:00",
                subject=meta.subject, predicate=meta.predicate, object=meta.object, origin="operator",
            )  # fmt: skip
            return int(writing.apply(Decision("store", name, (claim,), entry.agent_id)).seq)
    if pick < 0.66:
        return int(engine.store_many([_fact(dice, name) for _ in range(dice.randint(2, 20))], actor=name)[-1].seq)
    if pick < 0.72:
        facts = [f for f in engine.get_history("ada", "user", dice.choice("pqr")) if f.valid_until is None]
        if not facts:
            raise NotFound("Nothing to change")
        if dice.random() < 0.5:
            return int(engine.end(dice.choice(facts).id, "2027-01-01", actor=name).seq)
        return int(engine.correct_value(dice.choice(facts).id, object=f"c{dice.randint(1, 9)}", actor=name).seq)
    if pick < 0.77:
        facts = engine.get_history("ada", "user", dice.choice("pqr"))
        if not facts:
            raise NotFound("Nothing to retract")
        return int(engine.retract(dice.choice(facts).id, actor=name, reject=False).seq)
    if pick < 0.84:
        return int(engine.undo(dice.choice(told), actor=name).seq)
    if pick < 0.92:
        return int(engine.set_predicate("ada", dice.choice("pqr"), dice.choice(("one", "many")), actor=name).seq)
    order = Order("alias", dice.choice(("joined", "parted")), "ada", "the user", value="user")
    return int(engine.apply(Decision("store", name, (order,), "ada")).seq)


def _fact(dice: random.Random, name: str) -> Any:
    day = f"2026-{dice.randint(1, 9):02}-{dice.randint(1, 28):02}"
    return saying(f"{name} {dice.randint(1, 9)}", day, predicate=dice.choice("pqr"))


def stores(path: str, name: str, first: int, count: int) -> None:
    """Tell values of one key with growing starts: every second day is this process's."""
    with open_engine(path) as engine:
        for number in range(count):
            day = 2 * number + first
            entry, meta = saying(f"{name} {number}", f"{2000 + day // 336}-{1 + day % 336 // 28:02}-{1 + day % 28:02}")
            engine.store_temporal(entry, meta)


def aliases(path: str, count: int) -> None:
    """Join and part one alias, again and again."""
    with open_engine(path) as engine:
        for number in range(count):
            verdict = ("joined", "parted")[number % 2]
            order = Order("alias", verdict, "ada", "the user", value="user")
            engine.apply(Decision("store", "aliases", (order,), "ada"))


def write_one(path: str, value: str) -> None:
    """One fact, by another process."""
    with open_engine(path) as engine:
        engine.store_temporal(*saying(value, "2026-05-05"))


def write_on(path: str, name: str, until: Any) -> None:
    """One fact after another, each a decision of its own, until told to stop."""
    with open_engine(path) as engine:
        number = 0
        while not until.is_set():
            number += 1
            engine.store_temporal(*saying(f"{name} {number}", "2026-05-05", predicate=f"{name} {number % 500}"))


def hold(path: str, holding: Any, release: Any) -> None:
    """Hold the write lock until told to let go."""
    import sqlite3

    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    holding.set()
    release.wait(180)
    connection.execute("ROLLBACK")
    connection.close()


__all__ = ["MemstationError", "aliases", "crowd", "hold", "stores", "write_on", "write_one"]

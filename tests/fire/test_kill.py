"""Killed at any moment of any verb: what was acknowledged is there, nothing is half, and the next write just works."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from memstation import open_engine
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore

from engine_facts import tell
from fire.fire_child import restore_slowly
from fire.fire_parent import FORK, Fire, wait_for_lines
from fire.fire_verbs import VERBS


def test_a_dozen_kills(tmp_path: Path) -> None:
    fire = Fire(tmp_path, random.Random(3))
    fire.run(12)
    assert fire.decisions > 5, "there was something to lose"


def test_a_restore_that_was_killed_goes_on_and_is_taken_back_whole(tmp_path: Path) -> None:
    path, acknowledged = tmp_path / "m.db", tmp_path / "acknowledged.txt"
    acknowledged.touch()
    lines: list[dict[str, object]] = [{"kind": "memstation", "format": 1}]
    lines += [{"kind": "claim", "id": f"r{k}", "agent_id": "ada", "content": f"line {k}"} for k in range(150)]
    file = tmp_path / "in.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with open_engine(path) as engine:
        tell(engine, "Nara", "2026-01-01")
        digest = engine.state_digest()
    child = FORK.Process(target=restore_slowly, args=(str(path), str(file), str(acknowledged)))
    child.start()
    try:
        wait_for_lines(acknowledged, 0, 2, child)
    finally:
        child.kill()
        child.join()
        child.close()
    with open_engine(path) as engine:
        assert engine.journal()[-1].seq == 3
        report = restore(engine.ledger, JsonFile(file))
        assert (report.continues, report.parts, report.told, report.skipped) == (2, (4,), 70, 80)
        engine.undo(report.parts[0])
        assert engine.state_digest() == digest
        assert engine.verify().ok


@pytest.mark.slow
def test_two_hundred_kills(tmp_path: Path) -> None:
    fire = Fire(tmp_path, random.Random(200))
    fire.run(200)
    print(f"\n{fire.stores} stores, {fire.decisions} decisions acknowledged, {fire.extras} beside, {dict(fire.did)}")
    assert set(fire.did) == set(VERBS), "a verb was never done"
    assert fire.decisions > 100, "there was something to lose"

"""Two processes that decide the same at once leave one decision, and the loser is told what was decided."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from memstation import open_engine

from gate_writes import held

DECIDER = """
import sys
from memstation import open_engine
from memstation.domain.errors import MemstationError

path, verb, ids = sys.argv[1], sys.argv[2], sys.argv[3:]
with open_engine(path) as engine:
    print("ready", flush=True)
    sys.stdin.readline()
    for memory_id in ids:
        try:
            getattr(engine, verb)([memory_id], actor=verb)
            print("done", memory_id)
        except MemstationError as error:
            print("refused", memory_id, error.title, error.detail)
"""


@pytest.mark.parametrize("verbs", [("approve", "deny"), ("deny", "deny")])
def test_two_processes_that_decide_at_once_leave_one_decision(store_path: Path, verbs: tuple[str, str]) -> None:
    with open_engine(store_path) as engine:
        ids = [held(engine, predicate=f"p{n}").id for n in range(12)]
    deciders = [
        subprocess.Popen(
            [sys.executable, "-c", DECIDER, str(store_path), verb, *ids],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for verb in verbs
    ]  # fmt: skip
    for decider in deciders:
        assert decider.stdout is not None and decider.stdout.readline() == "ready\n"
    for decider in deciders:
        assert decider.stdin is not None
        decider.stdin.write("go\n")
        decider.stdin.flush()
    said = []
    for decider in deciders:
        output, errors = decider.communicate(timeout=120)
        assert decider.returncode == 0, errors
        said.append(dict((line.split()[1], line) for line in output.splitlines()))
    for memory_id in ids:
        lines = [said[0][memory_id], said[1][memory_id]]
        assert sorted(line.split()[0] for line in lines) == ["done", "refused"]
        loser = next(line for line in lines if line.startswith("refused"))
        assert "It is not held" in loser and ("approved by approve" in loser or "denied by deny" in loser)
    with open_engine(store_path) as engine:
        assert sum(entry.kind in ("approve", "deny") for entry in engine.journal(limit=1000)) == len(ids)
        assert engine.queue() == [] and engine.verify().ok

"""A file that appears whole: half files of dead processes go, those of living ones stay, a taken name is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from memstation.store.whole import clear_parts, part_beside, put_in_place

FILL = """
import sys, time
from pathlib import Path
from memstation.store.whole import part_beside
with part_beside(Path(sys.argv[1])) as part:
    part.write_text("half")
    part.with_name(part.name + "-journal").write_text("SQLite's")
    print(part, flush=True)
    time.sleep(600)
"""


def filling(target: Path) -> subprocess.Popen[str]:
    """A process that has begun to fill a file."""
    return subprocess.Popen([sys.executable, "-c", FILL, str(target)], stdout=subprocess.PIPE, text=True)


def test_what_a_killed_process_left_goes_with_the_next_file_of_the_folder(tmp_path: Path) -> None:
    with filling(tmp_path / "a.jsonl") as killed, filling(tmp_path / "b.jsonl") as living:
        try:
            assert killed.stdout is not None and living.stdout is not None
            dead, alive = Path(killed.stdout.readline().strip()), Path(living.stdout.readline().strip())
            killed.kill()
            killed.wait()
            assert dead.exists() and alive.exists()
            with part_beside(tmp_path / "c.jsonl") as mine:
                mine.write_text("whole")
                assert not dead.exists() and not dead.with_name(f"{dead.name}-journal").exists()
                assert alive.read_text() == "half" and clear_parts(tmp_path) == 0
                put_in_place(mine, tmp_path / "c.jsonl")
            left = {path.name for path in tmp_path.iterdir()} - {"c.jsonl"}
            assert len(left) == 3 and all(name.startswith(".b.jsonl.") for name in left)
            assert (tmp_path / "c.jsonl").read_text() == "whole"
        finally:
            killed.kill()
            living.kill()
    assert clear_parts(tmp_path) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["c.jsonl"]


def test_another_programs_hidden_file_stays(tmp_path: Path) -> None:
    other = tmp_path / ".a.jsonl.part"
    other.write_text("theirs")
    with part_beside(tmp_path / "a.jsonl"):
        pass
    assert list(tmp_path.iterdir()) == [other]


@pytest.mark.parametrize("code", [1, 38, 95])
def test_without_links_a_name_is_given_and_one_that_is_taken_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """EPERM, ENOSYS and EOPNOTSUPP: what file systems without hard links answer."""

    def no_links(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", no_links)
    target = tmp_path / "a.jsonl"
    with part_beside(target) as part:
        part.write_text("mine")
        put_in_place(part, target)
    assert target.read_text() == "mine"
    with part_beside(target) as part:
        part.write_text("later")
        with pytest.raises(FileExistsError):
            put_in_place(part, target)
    assert target.read_text() == "mine" and list(tmp_path.iterdir()) == [target]

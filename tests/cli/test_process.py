"""The program as a process: quick help, exit codes, closed pipes, plain locales, files that are no store."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
from cli_runs import Program
from memstation.cli import cli

SAMPLE = Path(__file__).parent.parent / "data" / "duduclaw.sqlite"


@pytest.mark.parametrize(
    "args",
    [["--help"], ["--version"], ["list", "--help"], ["restore", "--help"], ["review", "approve", "--help"], ["paths"]],
)
def test_help_loads_nothing_heavy(program: Program, args: list[str]) -> None:
    code = (
        "import sys\nfrom memstation.cli import cli\n"
        f"try:\n    cli({args!r})\nexcept SystemExit as done:\n    assert not done.code\n"
        "heavy = [name for name in ('sqlalchemy', 'textual', 'numpy', 'networkx', 'rich') if name in sys.modules]\n"
        "assert not heavy or heavy == ['rich'] and sys.argv[1] == 'paths', heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, args[0]], env={**os.environ, **program.env}, capture_output=True, timeout=60
    )
    assert done.returncode == 0, done.stderr.decode()


def all_commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command with its whole name, groups and what is within them too."""
    for name, command in group.commands.items():
        yield before + name, command
        if isinstance(command, click.Group):
            yield from all_commands(command, f"{before}{name} ")


def test_every_command_has_help_with_an_example() -> None:
    for name, command in all_commands(cli):
        assert command.help, name
        assert command.example.startswith(f"memstation {name}"), name  # type: ignore[attr-defined]
        for parameter in command.params:
            assert getattr(parameter, "help", "") or parameter.param_type_name == "argument", (name, parameter.name)


@pytest.mark.parametrize("name", sorted(name for name, _ in all_commands(cli)))
def test_help_is_shown(program: Program, name: str) -> None:
    ran = program(*name.split(" "), "--help")
    assert ran.code == 0 and f"memstation {name}" in ran.out and "Example:" in ran.out


def test_exit_codes(program: Program) -> None:
    program.add()
    assert program.alone("agents")[0] == 0
    code, out, err = program.alone("list", "nobody")
    assert (code, out) == (1, b"") and err.startswith(b"memstation: No such agent") and err.count(b"\n") == 1
    for args in (("bogus",), ("list",), ("list", "dudu", "--limit", "x"), ("--bogus",), ("undo",)):
        code, out, err = program.alone(*args)
        assert (code, out) == (2, b"") and err.startswith(b"memstation: wrong usage") and err.count(b"\n") == 1
    assert program.alone("--version")[1].startswith(b"memstation, version ")


@pytest.mark.parametrize("args", [(), ("demo",)])
def test_the_station_needs_a_terminal(program: Program, args: tuple[str, ...]) -> None:
    code, out, err = program.alone(*args)
    assert (code, out) == (1, b"") and err.startswith(b"memstation: The station needs a terminal")
    assert not program.home.exists()


def test_a_closed_pipe_ends_quietly(program: Program, tmp_path: Path) -> None:
    lines = ['{"kind":"memstation","format":1}']
    lines += [f'{{"kind":"claim","id":"m{k}","agent_id":"dudu","content":"{"x" * 400}"}}' for k in range(1000)]
    (tmp_path / "x.jsonl").write_text("\n".join(lines) + "\n")
    assert program("restore", str(tmp_path / "x.jsonl")).code == 0
    for args in (("list", "dudu", "--limit", "1000"), ("list", "dudu", "--limit", "1000", "--json"), ("export", "-")):
        process = program.process(*args)
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait(60) == 0


@pytest.mark.parametrize(
    "env", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "POSIX"}, {"NO_COLOR": "1"}]
)
def test_plain_locales(program: Program, env: dict[str, str]) -> None:
    program.add("台北 é", agent="使用者")
    for args in (("agents",), ("list", "使用者"), ("journal",), ("agents", "--json")):
        code, out, err = program.alone(*args, env=env)
        assert (code, err) == (0, b"") and out and b"\x1b" not in out


@pytest.mark.parametrize("kind", ["text", "newer", "seed", "damaged"])
@pytest.mark.parametrize("command", [("agents",), ("add", "dudu", "x"), ("undo", "1"), ("verify",)])
def test_a_file_that_is_no_store_is_refused_and_left_alone(
    program: Program, tmp_path: Path, kind: str, command: tuple[str, ...]
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    path = folder / "x.db"
    if kind == "text":
        path.write_text("hello\n" * 100)
    elif kind == "seed":
        shutil.copy(SAMPLE, path)
    elif kind == "damaged":
        path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    else:
        assert program("--store", str(path), "add", "dudu", "x").code == 0
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 99")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.read_bytes()
    ran = program(command[0], *command[1:], "--store", str(path))
    assert ran.code == 1 and ran.out == "" and ran.err.count("\n") == 1 and str(path) in ran.err
    assert path.read_bytes() == before
    if kind == "seed":
        assert f"memstation restore duduclaw {path}" in ran.err
    if kind == "newer":
        assert "newer" in ran.err


def test_a_folder_or_a_missing_store_is_refused(program: Program, tmp_path: Path) -> None:
    assert program("agents", "--store", str(tmp_path)).code == 1
    assert program("add", "dudu", "x", "--store", str(tmp_path)).code == 1
    ran = program("agents")
    assert ran.code == 1 and "There is no store" in ran.err and not program.home.exists()
    assert program("add", "dudu", "x", "--store", str(tmp_path / "no" / "x.db")).code == 1
    assert program("--read-only", "add", "dudu", "x").code == 1 and not program.store.exists()


def test_the_store_comes_from_the_command_the_option_or_the_environment(program: Program, tmp_path: Path) -> None:
    files = [str(tmp_path / f"{name}.db") for name in "abc"]
    for name, file in zip("abc", files, strict=True):
        program("add", name, "x", "--store", file)
    env = {"MEMSTATION_STORE": files[0]}
    assert b"a " in program.alone("agents", env=env)[1]
    assert b"b " in program.alone("--store", files[1], "agents", env=env)[1]
    assert b"c " in program.alone("--store", files[1], "agents", "--store", files[2], env=env)[1]


def test_a_fault_of_the_program_is_one_line(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program.add()
    monkeypatch.setattr("memstation.engine.MemoryEngine.reindex", lambda self: 1 / 0)
    ran = program("reindex")
    assert ran.code == 1
    assert ran.err == (
        "memstation: a fault of this program: ZeroDivisionError: division by zero (MEMSTATION_DEBUG=1 shows where)\n"
    )


def test_ctrl_c_anywhere_is_one_line(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program.add()

    def press(self: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("memstation.engine.MemoryEngine.reindex", press)
    ran = program("reindex")
    assert ran.code == 130 and ran.err.strip() == "memstation: stopped"

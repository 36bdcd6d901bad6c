"""The README is checked against the program; with MEMSTATION_WRITE_README=1 its tables are written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import click
import pytest

README = Path(__file__).parent.parent / "README.md"


def config_table() -> str:
    from memstation.config.settings import Settings

    rows = ["| key | default | what it does |", "|---|---|---|"]
    for item in fields(Settings):
        is_table = item.name == "keys" or is_dataclass(item.default)
        default = "" if is_table else f"`{item.default!r}`".replace("'", '"').replace("True", "true")
        rows.append(f"| `{item.name}` | {default} | {item.metadata['help']} |")
        if is_dataclass(item.default):
            rows += [
                f"| `{item.name}.{inner.name}` | `{str(inner.default).lower()}` | {inner.metadata['help']} |"
                for inner in fields(item.default)
            ]
    return "\n".join(rows) + "\n"


def all_commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command with its name; of a group those within it, and itself where it does something alone."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            if command.invoke_without_command:
                yield before + name, command
            yield from all_commands(command, f"{name} ")
        else:
            yield before + name, command


def command_table() -> str:
    from memstation.cli import cli as main

    rows = ["| command | what it does |", "|---|---|"]
    context = click.Context(main)
    for name, command in all_commands(main):
        arguments = " ".join(
            parameter.make_metavar(context) for parameter in command.params if isinstance(parameter, click.Argument)
        )
        arguments = arguments.replace("|", "\\|")
        rows.append(f"| `memstation {f'{name} {arguments}'.strip()}` | {command.get_short_help_str(200)} |")
    return "\n".join(rows) + "\n"


def key_table() -> str:
    from memstation.station.commands import key_table_markdown

    return key_table_markdown()


def filter_table() -> str:
    from memstation.read.filter import filter_table_markdown

    return filter_table_markdown()


TABLES = {"keys": key_table, "filter": filter_table, "commands": command_table, "config": config_table}


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_is_what_the_program_says(name: str) -> None:
    text = README.read_text(encoding="utf-8")
    wanted = TABLES[name]().strip()
    between = re.compile(f"<!-- {name} -->\n(.*?)<!-- /{name} -->", re.S)
    if os.environ.get("MEMSTATION_WRITE_README"):
        text = between.sub(lambda _: f"<!-- {name} -->\n{wanted}\n<!-- /{name} -->", text)
        README.write_text(text, encoding="utf-8")
    found = between.search(text)
    assert found is not None
    assert found.group(1).strip() == wanted


def test_every_command_says_how_with_an_example() -> None:
    from memstation.cli import cli as main

    for name, command in all_commands(main):
        with click.Context(command, info_name=name) as inner:
            text = command.get_help(inner)
        assert f"memstation {name}" in text or "memstation" in text.split("Example", 1)[-1], name


def test_the_python_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = README.read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.S)
    assert found is not None
    exec(compile(found.group(1), "README.md", "exec"), {})
    assert (tmp_path / "agents.db").exists()


def test_both_commands_are_complete() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    assert "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/memstation demo" in lines
    assert 'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/pytest' in lines

"""The README is checked against the program; with MEMSTATION_WRITE_README=1 its tables are written."""

from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

README = Path(__file__).parent.parent / "README.md"


def config_table() -> str:
    from memstation.config.settings import Settings

    rows = ["| key | default | what it does |", "|---|---|---|"]
    for item in fields(Settings):
        default = "" if item.name == "keys" else f"`{item.default!r}`".replace("'", '"').replace("True", "true")
        rows.append(f"| `{item.name}` | {default} | {item.metadata['help']} |")
    return "\n".join(rows) + "\n"


def command_table() -> str:
    from memstation.cli import cli as main

    rows = ["| command | what it does |", "|---|---|"]
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
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

    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
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

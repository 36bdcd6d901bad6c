"""What a command says before something goes: how often agents read it, and what a refusal would have done."""

from __future__ import annotations

from typing import Any

import pytest
from cli_runs import Program
from click.testing import CliRunner
from memstation import MemoryEntry, TemporalMeta, open_engine
from memstation.cli import cli

POISON = "channel:telegram/42"


@pytest.fixture
def read(program: Program) -> dict[str, str]:
    """Two poisoned facts, of which one was read three times; and one that nobody read."""
    program.store.parent.mkdir(parents=True, exist_ok=True)
    with open_engine(program.store) as engine:

        def tell(predicate: str, origin: str) -> str:
            meta = TemporalMeta("pay", predicate, f"v {predicate}", origin=origin)
            return engine.store_temporal(MemoryEntry("dudu", predicate), meta).id

        ids = {"read": tell("iban", POISON), "unread": tell("bic", POISON), "good": tell("name", "user_direct")}
        for _ in range(3):
            engine.count_reads("dudu", [ids["read"]])
    return ids


def test_a_purge_says_how_often_agents_read_what_goes(program: Program, read: dict[str, str]) -> None:
    asked = ("purge", POISON, "--agent", "dudu")
    words = program(*asked, "--dry-run").out
    assert "dudu read 1 of them, 3 times together since " in words and "that cannot be taken back" in words
    looked = program(*asked, "--dry-run", "--json").json["reads"]
    assert (looked["times"], looked["memories"]) == (3, 1) and looked["last"] and looked["since"]
    assert program(*asked, "--yes", "--json").json["reads"] == looked


def test_a_purge_of_what_nobody_read_says_so(program: Program, read: dict[str, str]) -> None:
    ran = program("purge", "user_direct", "--agent", "dudu", "--dry-run")
    assert "no agent has read any of it" in ran.out
    assert program("purge", "user_direct", "--agent", "dudu", "--dry-run", "--json").json["reads"]["times"] == 0


@pytest.mark.parametrize("verb", [("retract",), ("end", "2099-01-01"), ("review hold",)])
def test_so_does_every_command_that_takes_a_fact_away(
    program: Program, read: dict[str, str], verb: tuple[str, ...]
) -> None:
    def run(which: str, *more: str) -> Any:
        return program(*verb[0].split(), read[which], *verb[1:], "--dry-run", *more)

    assert "dudu read it 3 times since " in run("read").out
    assert run("read", "--json").json["reads"]["times"] == 3
    assert "read" not in run("unread").out and run("unread", "--json").json["reads"]["last"] is None


def test_a_refusal_to_purge_unasked_tells_a_program_what_would_go(program: Program, read: dict[str, str]) -> None:
    ran = program("purge", POISON, "--agent", "dudu", "--json")
    assert ran.code == 1 and "--yes" in ran.err
    assert ran.json["withdrawn"] == [read["read"], read["unread"]] and ran.json["dry_run"] and ran.json["seq"] is None
    assert ran.json["refused"]["title"] == "Purging asks first"
    assert len(program("journal", "--json").json) == 3


def test_so_do_the_others_that_ask_first(program: Program, read: dict[str, str]) -> None:
    assert program("review", "hold", read["read"]).code == 0
    for verdict in ("approve", "deny"):
        ran = program("review", verdict, "--all", "--agent", "dudu", "--json")
        assert ran.code == 1 and ran.json["refused"] and ran.json["dry_run"]
        assert [change["id"] for change in ran.json["effects"]["changes"]] == [read["read"]]
    forget = program("forget", "dudu", "--about", "pay", "--json")
    assert forget.code == 1 and forget.json["memories"] == 3 and forget.json["phrase"] and forget.json["refused"]
    assert program("alias", "join", "dudu", "p", "q").code == 0
    moved = program("alias", "join", "dudu", "p", "r", "--json")
    assert moved.code == 1 and moved.json["joins"]["moves_from"] == "q" and moved.json["refused"]
    assert len(program("journal", "--json").json) == 5


def test_a_source_of_which_all_was_withdrawn_says_that_it_only_lasts(program: Program, read: dict[str, str]) -> None:
    for which in ("read", "unread"):
        assert program("retract", read[which]).code == 0
    words = program("purge", POISON, "--agent", "dudu", "--dry-run").out
    assert "2 that were withdrawn before stay away" in words and "whatever is taken back later" in words
    assert "read any" not in words and "read it" not in words


def test_how_it_is_taken_back_is_said_last(program: Program, read: dict[str, str]) -> None:
    with open_engine(program.store) as engine:
        meta = TemporalMeta("pay", "note", "so", origin="agent_derived", derived_from=[read["good"]])
        made = engine.store_temporal(MemoryEntry("dudu", "so"), meta).id
    for act, line in (
        (("alias", "join", "dudu", "bob", "pay"), "nothing is closed by joining"), (("retract", made), "made from"),
    ):  # fmt: skip
        said = CliRunner().invoke(cli, act, env=program.env, prog_name="memstation").output.splitlines()
        assert said[-1].endswith("takes it back") and line in said[-2], said

"""Commands that show: agents, list, history, at, journal, paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Program
from memstation.exchange.plain_json import escaped
from rich.cells import cell_len


def test_agents_are_listed_with_their_counts(program: Program) -> None:
    program.add(agent="dudu")
    program.add(agent="agnes")
    program.add("again", agent="agnes")
    assert {row["agent_id"]: row["facts"] for row in program("agents", "--json").json} == {"agnes": 2, "dudu": 1}
    ran = program("agents")
    assert ran.lines[0].split() == ["agent", "facts", "held", "last", "write"]
    assert any(line.split()[:3] == ["agnes", "2", "0"] for line in ran.lines)


def test_a_list_shows_state_window_value_id_and_source(program: Program) -> None:
    taipei = program.add_city("Taipei", "2026-01-01")
    oslo = program.add_city("Oslo", "2026-03-01")
    ran = program("list", "dudu")
    assert ran.lines == [
        "● current    from 2026-03-01  user city: Oslo",
        f"  {oslo}  trust 1.00  operator",
        "○ closed     2026-01-01 to 2026-03-01  user city: Taipei",
        f"  {taipei}  trust 1.00  operator",
    ]
    assert [row["id"] for row in program("list", "dudu", "state:closed", "--json").json] == [taipei]
    assert [row["id"] for row in program("list", "dudu", "--order", "start", "--json").json] == [oslo, taipei]


def test_a_long_list_is_read_by_pages_and_says_what_is_left(program: Program, tmp_path: Path) -> None:
    lines = ['{"kind":"memstation","format":1}']
    lines += [f'{{"kind":"claim","id":"m{k:04}","agent_id":"dudu","content":"number {k}"}}' for k in range(450)]
    (tmp_path / "x.jsonl").write_text("\n".join(lines) + "\n")
    assert program("restore", str(tmp_path / "x.jsonl")).code == 0
    for limit, wanted in ((1, 1), (200, 200), (201, 201), (449, 449), (450, 450), (1000, 450)):
        ran = program("list", "dudu", "--limit", str(limit), "--json")
        ids = [row["id"] for row in ran.json]
        assert ids == [f"m{k:04}" for k in range(449, 449 - wanted, -1)]
    assert "100 of 450" in program("list", "dudu").err
    assert program("list", "dudu", "--limit", "450").err == ""


@pytest.mark.parametrize("command", ["list", "journal"])
@pytest.mark.parametrize("limit", ["0", "1001", "-1"])
def test_a_limit_outside_is_refused(program: Program, command: str, limit: str) -> None:
    program.add()
    ran = program(command, *(["dudu"] if command == "list" else []), "--limit", limit)
    assert ran.code == 1 and ran.out == "" and "limit is out of range" in ran.err


@pytest.mark.parametrize("args", [("list", "dodu"), ("history", "dodu", "a", "b"), ("at", "dodu", "a", "b", "now")])
def test_an_unknown_agent_is_refused_with_the_nearest_name(program: Program, args: tuple[str, ...]) -> None:
    program.add()
    ran = program(*args)
    assert ran.code == 1
    assert ran.err == "memstation: No such agent: 'dodu' has no memories here (did you mean dudu?)\n"
    assert "agents lists them" in program(args[0], "zzz", *args[2:]).err


def test_history_and_an_instant(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    program.add_city("Oslo", "2026-03-01")
    history = program("history", "dudu", "user", "city", "--json").json
    assert [row["object"] for row in history] == ["Taipei", "Oslo"]

    def at(*args: str) -> list[str]:
        ran = program("at", "dudu", "user", "city", *args, "--json")
        assert ran.code == (0 if ran.json else 1)
        return [row["object"] for row in ran.json]

    assert at("2026-02-01") == ["Taipei"] and at("2026-03-01") == ["Oslo"] and at("now") == ["Oslo"]
    assert at("2025-01-01") == []
    assert at("2026-03-01T00:59:00+01:00") == ["Taipei"]
    assert at("now", "--known-at", "#1") == ["Taipei"] and at("now", "--known-at", "2020-01-01") == []
    assert program("at", "dudu", "user", "city", "2025-01-01").err.startswith("memstation: Nothing held then")
    assert program("history", "dudu", "user", "nope").code == 1


@pytest.mark.parametrize("when", ["soon", "2026-13-01", "", "0000-01-01", "2026-01-01T25:00", "#x"])
def test_a_bad_time_is_refused(program: Program, when: str) -> None:
    program.add_city("Taipei", "2026-01-01")
    for args in ((when,), ("now", "--known-at", when or "x")):
        ran = program("at", "dudu", "user", "city", *args)
        assert ran.code == 1 and ran.out == "" and ran.err.count("\n") == 1


def test_the_journal_by_filter_and_after(program: Program) -> None:
    first = program.add_city("Taipei", "2026-01-01")
    program.add_city("Oslo", "2026-03-01")
    program("retract", first)
    program("undo", "3")

    def seqs(*args: str) -> list[int]:
        return [row["seq"] for row in program("journal", *args, "--json").json]

    assert seqs() == [4, 3, 2, 1]
    assert seqs("--limit", "2") == [4, 3]
    assert seqs("--after", "2") == [3, 4] and seqs("--after", "#2", "--limit", "1") == [3]
    assert seqs("--filter", "did:store") == [2, 1]
    assert seqs("--filter", "did:store,undo", "--after", "1") == [2, 4]
    ran = program("journal")
    assert ran.lines[0].startswith("#4") and "took back" in ran.lines[0]
    assert "[taken back by #4]" in ran.lines[1]
    assert program("journal", "--filter", "did:nothing").code == 1
    assert program("journal", "--after", "x").code == 1


def test_paths_names_every_folder_and_makes_none(program: Program, tmp_path: Path) -> None:
    found = program("paths", "--json").json
    assert found["store"] == str(program.store) and found["settings"] == str(program.home / "config" / "config.toml")
    assert (
        program("--home", str(tmp_path / "other"), "paths", "--json").json["store"].startswith(str(tmp_path / "other"))
    )
    assert program("--store", "a.db", "paths", "--store", "b.db", "--json").json["store"] == "b.db"
    assert not program.home.exists() and not (tmp_path / "other").exists()


def test_columns_line_up_in_eighty_cells(program: Program) -> None:
    for agent in ("dudu", "使用者の代理", "agent with quite a long name that goes on and on and on"):
        program.add("台北に住んでいる。" * 20, "--subject", "使用者", "--predicate", "住所", agent=agent)
    for args in (("agents",), ("journal",), ("list", "使用者の代理")):
        ran = program(*args, columns=80)
        assert ran.lines and all(cell_len(line) <= 80 for line in ran.lines)
    rows = program("agents", columns=80).lines
    starts = {cell_len(line[: line.index("20")]) for line in rows[1:]}
    assert len(starts) == 1


def test_nothing_is_cut_where_the_output_is_no_terminal(program: Program) -> None:
    program.add("x" * 3000)
    assert "x" * 3000 in program("list", "dudu").out


def test_an_empty_store_says_so(program: Program, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"kind":"memstation","format":1}\n')
    assert program("restore", str(tmp_path / "x.jsonl")).code == 0
    assert program("agents").out == "No agent has memories here yet.\n"
    assert program("agents", "--json").json == [] and program("journal", "--json").json == []


def test_json_escapes_what_cannot_be_seen(program: Program) -> None:
    text = "a\u202eb\u200bc\x9bd\x1b[2J 台北"
    program.add(text)
    ran = program("list", "dudu", "--json")
    assert ran.json[0]["content"] == text
    assert escaped(ran.out) == ran.out and "台北" in ran.out and r"\u202e" in ran.out


def test_a_summary(program: Program) -> None:
    program.add_city("Oslo", "2026-01-01")
    program("add", "dudu", "buy tea", "--importance", "9")
    lines = program("summarize", "dudu").lines
    assert lines[:2] == ["dudu: 2 memories hold now", "1 fact, 1 note; 2 semantic"]
    assert lines.index("The most important:") < lines.index("The newest:")
    assert "buy tea" in lines[lines.index("The most important:") + 1]
    assert program("summarize", "dudu", "--since", "tomorrow").lines == ["dudu: 0 memories hold now"]
    found = program("summarize", "dudu", "--limit", "1", "--json").json
    assert found["facts"] == found["notes"] == 1 and len(found["newest"]) == 1
    assert program("summarize", "nobody").code == 1

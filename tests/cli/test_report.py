"""The report for an auditor: what it says, that it is the same twice, and that no stored text is markup in it."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from cli_runs import Program
from memstation import __version__
from memstation.commandline.reporting import plain

HOSTILE = [
    "# a heading", "| a | b |", "`code`", "<script>alert(1)</script>", "[x](javascript:alert(1))", "http://evil.example",
    "www.evil.example", "a@evil.example", "![i](http://x/y.png)", "**bold** _it_ ~~s~~", "\x1b[2J", "\u202eevil",
    "z\u200bw",
    "line\nbreak\n# heading\n- item", "1. one", "---", "&lt;b&gt;", "\\*", "$x$", "$(rm)", "+ item", "<!-- -->",
    ":smile:", "=====", "[^1]: note", "a\tb", "\x9b2J", "12) x", "2026. x", "mailto:x", "  - item",
]  # fmt: skip
"""Texts that would be markup, HTML, links or control characters."""


@pytest.fixture
def told(program: Program) -> Program:
    program.add_city("Taipei", "2026-01-01")
    program.add_city("Oslo", "2026-03-01")
    program.add_city("Oslo", "2026-03-05")
    program.add("A note of its own")
    return program


def test_a_report_names_the_moment_the_store_and_every_belief(told: Program) -> None:
    ran = told("report", "dudu", "--at", "2026-03-10", "--known-at", "#4")
    assert ran.code == 0 and ran.err == ""
    with sqlite3.connect(told.store) as store:
        uuid = store.execute("SELECT value FROM meta WHERE key = 'uuid'").fetchone()[0]
        digest, at = store.execute("SELECT hash, at FROM journal WHERE seq = 4").fetchone()
    assert f"`{uuid}`" in ran.out and f"memstation {__version__}" in ran.out
    assert f"#4, {at[:10]} {at[11:19]} UTC, `{digest.hex()}`" in ran.out
    assert ran.lines[0] == "# What was believed: dudu"
    assert "- What was believed about 2026-03-10 00:00:00 UTC." in ran.lines
    assert any(line.startswith("- As it was known at ") and "decision #4" in line for line in ran.lines)
    assert {"- 1 belief", "- 0 held for review", "- 0 withdrawn", "## user"} <= {*ran.lines}
    place = ran.lines.index("- **city**: Oslo")
    block = ran.lines[place + 1 : place + 6]
    assert block[:3] == ["  - text: Lives in Oslo", "  - from 2026-03-01, no end", "  - source: operator, trust 1.00"]
    assert re.fullmatch(r"  - learned .* UTC by decision #2, confirmed 1 time", block[3])
    assert "Taipei" not in ran.out


def test_a_report_of_the_past_is_of_the_past(told: Program) -> None:
    ran = told("report", "dudu", "--known-at", "#1")
    assert "- **city**: Taipei" in ran.lines and "Oslo" not in ran.out and "decision #1" in ran.out
    assert told("report", "dudu", "--at", "2025-01-01").lines[-1] == "Nothing was believed."
    assert "before the first decision" in told("report", "dudu", "--known-at", "-30d").out


def test_what_was_withdrawn_is_counted_and_listed_when_asked_for(told: Program) -> None:
    oslo = told("list", "dudu", "value:Oslo", "--json").json[0]["id"]
    assert told("retract", oslo).code == 0
    plain_report, whole = told("report", "dudu"), told("report", "dudu", "--all")
    assert "- 2 withdrawn" in plain_report.lines and "Oslo" not in plain_report.out
    assert whole.lines.count("- **city**: Oslo") == 2 and "## Withdrawn" in whole.lines
    assert "- 0 withdrawn" in told("report", "dudu", "--known-at", "#4").lines


def test_a_report_has_the_same_bytes_twice(told: Program, tmp_path: Path) -> None:
    args = ("report", "dudu", "--at", "2026-03-10", "--known-at", "#4", "--all")
    assert told(*args, "--output", str(tmp_path / "a.md")).code == 0
    assert told(*args, "--output", str(tmp_path / "b.md")).code == 0
    assert (tmp_path / "a.md").read_bytes() == (tmp_path / "b.md").read_bytes() == told(*args).out.encode()


def test_a_file_is_written_whole_and_never_over_another(told: Program, tmp_path: Path) -> None:
    path = tmp_path / "dudu.md"
    ran = told("report", "dudu", "--output", str(path))
    assert ran.code == 0 and ran.lines == [f"2 beliefs written to {path}"]
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("mine")
    ran = told("report", "dudu", "--output", str(path))
    assert ran.code == 1 and "there already" in ran.err and path.read_text() == "mine"
    assert told("report", "dudu", "--output", str(path), "--force").code == 0 and path.read_text() != "mine"
    assert told("report", "dudu", "--output", str(told.store), "--force").code == 1
    assert told("report", "dudu", "--output", str(tmp_path)).code == 1
    assert told("report", "dudu", "--output", str(tmp_path / "no" / "x.md")).code == 1
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []
    assert told("list", "dudu").code == 0


def test_an_empty_agent_and_an_unknown_one(told: Program) -> None:
    ran = told("report", "dodu")
    assert ran.code == 1 and "dudu" in ran.err


@pytest.mark.parametrize("text", HOSTILE)
def test_stored_text_is_never_markup(text: str) -> None:
    shown = plain(text)
    assert "\n" not in shown and not re.search(r"[\x00-\x1f\x7f-\x9f\u202e\u200b<>|]", shown)
    assert not re.search(r"(?<!\\)[`*_\[\]~$]", shown), shown
    assert not re.match(r"[#+=-]|\d+[.)]", shown), shown
    assert "://" not in shown and "www." not in shown and "@" not in shown


@pytest.mark.parametrize(("text", "shown"), [
    ("Looked at it on 09 Apr.", "Looked at it on 09 Apr."), ("channel:line/7", "channel:line/7"),
    ("build-cache (v2.1)", "build-cache (v2.1)"), ("18:00:30", "18:00:30"), ("台北", "台北"), ("a_b", r"a\_b"),
    ("1. one", "1&#46; one"), ("http://x", "http&#58;//x"), ("  # x", r"\# x"), ("", ""),
])  # fmt: skip
def test_ordinary_text_stays_readable(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_hostile_text_reaches_a_report_and_a_comparison_harmless_and_whole(program: Program) -> None:
    for place, text in enumerate(HOSTILE):
        program.add(
            f"says {text}", "--subject", f"s{place} {text}", "--predicate", f"{text} p", f"--object={text}",
        )  # fmt: skip
    report = program("report", "dudu")
    assert report.code == 0 and not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b]", report.out)
    assert "<script" not in report.out and not re.search(r"(?<!\\)\]\(", report.out) and "http://" not in report.out
    headings = [line for line in report.lines if line.startswith("#")]
    assert len(headings) == 1 + len(HOSTILE)
    assert all(line == "" or line.startswith(("#", "- ", "  - ")) for line in report.lines)
    diff = program("diff", "dudu", "-7d")
    assert diff.code == 0 and not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b]", diff.out)
    assert len(diff.lines) == len(HOSTILE) + 1


def test_a_long_value_is_complete(program: Program) -> None:
    text = " ".join(["word"] * 2000)
    program.add(text)
    assert f"- {text}" in program("report", "dudu").lines

"""No stored text drives the terminal: C44 and C45 through every command, and through errors and file names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runs import Program

C44 = ["[red]x", "[/]", "[/", '{"flags": [true, false]}', "([zone:KEY=VAL]) memo", "[#ff0]hello",
       'took [2, "x"] then [c - end', "[@click=app.bell]x[/]", "[link=file:///etc/passwd]x[/link]", "\\[bold]",
       "[[a]]"]  # fmt: skip
C45 = ["\x1b[2J\x1b[H", "\x1b]52;c;QUJD\x07", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\y", "\x1bPq\x1b\\", "\x1bc",
       "\x9b2J", "safe text\rEVIL", "\x07", "a\b\b\bb", "a\x7fb", "\x1b]", "a\nb\tc", "\u202eevil", "z\u200bw",
       "\x85\x90\x9d"]  # fmt: skip


def is_harmless(raw: bytes) -> bool:
    text = raw.decode("utf-8")
    return not any((ord(char) < 0x20 and char != "\n") or 0x7F <= ord(char) <= 0x9F or char in "\u202e\u200b"
                   for char in text)  # fmt: skip


@pytest.fixture
def hostile(program: Program, tmp_path: Path) -> Program:
    """A store in which every text of every memory is hostile."""
    lines: list[dict[str, object]] = [{"kind": "memstation", "format": 1}]
    for k, text in enumerate([*C44, *C45]):
        lines.append({
            "kind": "claim", "id": f"id{k} {text}", "agent_id": f"agent {text}" if k % 5 == 0 else "ada",
            "content": f"content {text}", "subject": f"subject {text}", "predicate": f"predicate {text}",
            "object": f"object {text}", "tags": [f"tag {text}"], "origin": f"operator:{text}", "source_event": text,
            "derived_from": [text], "metadata": {text: text}, "asserted_from": f"2026-01-{k + 1:02}",
        })  # fmt: skip
        lines.append({"kind": "order", "about": "alias", "verdict": "joined", "agent_id": "ada", "subject": f"x{text}",
                      "value": f"y{text}"})  # fmt: skip
    path = tmp_path / "bad \x1b[2J \x9b name.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, err = program.alone("restore", str(path))
    assert code == 0 and is_harmless(out) and err == b""
    return program


def test_every_listing_is_harmless_and_shows_what_is_there(hostile: Program) -> None:
    for text in (*C44, *C45):
        agent, subject, predicate = f"agent {text}", f"subject {text}", f"predicate {text}"
        hostile_agents = {row["agent_id"] for row in hostile("agents", "--json").json}
        who = agent if agent in hostile_agents else "ada"
        for args in (("history", who, subject, predicate), ("at", who, subject, predicate, "now")):
            ran = hostile(*args)
            assert ran.code == 0 and is_harmless(ran.out.encode()), text
            if text in C44:
                assert f"object {text}" in ran.out
            else:
                assert "[U+" in ran.out or "⇥" in ran.out or "↵" in ran.out
        assert hostile("history", who, subject, predicate, "--json").json[0]["object"] == f"object {text}"


@pytest.mark.parametrize(
    "args", [("agents",), ("list", "ada"), ("journal",), ("export", "-"), ("list", "ada", "--json"), ("verify",),
             ("journal", "--json"), ("agents", "--json")]
)  # fmt: skip
def test_whole_listings_are_harmless(hostile: Program, args: tuple[str, ...]) -> None:
    code, out, err = hostile.alone(*args)
    assert code == 0 and out and is_harmless(out) and is_harmless(err)


def test_deciding_is_harmless(hostile: Program) -> None:
    for row in hostile("list", "ada", "--json").json:
        for args in (("retract", row["id"], "--dry-run"), ("end", row["id"], "2027-01-01", "--dry-run"),
                     ("retract", row["id"], "--dry-run", "--json")):  # fmt: skip
            ran = hostile(*args)
            assert ran.code == 0 and is_harmless(ran.out.encode()) and is_harmless(ran.err.encode())
    assert is_harmless(hostile("undo", "1").out.encode())


@pytest.mark.parametrize("text", [text for text in C45 if "\0" not in text] + ["\udcff\udc9b"])
def test_errors_repeat_nothing_raw(hostile: Program, tmp_path: Path, text: str) -> None:
    runs = [
        (text,), ("list", text), ("list", "ada", f"about:{text} nope:x"), ("at", "ada", "x", "y", text),
        ("retract", text), ("undo", text), ("restore", text), ("restore", "duduclaw", text),
        ("agents", "--store", text),
        ("list", "ada", "--limit", text), ("journal", "--after", text), ("journal", "--filter", f"did:{text}"),
        ("--home", text, "agents"), ("predicate", "ada", "x", text), ("verify", "--expect-head", text),
        ("history", "ada", text, text), ("export", str(tmp_path / text / "x")), ("add", "ada", "x", "--from", text),
    ]  # fmt: skip
    for args in runs:
        ran = hostile(*args)
        assert ran.code in (1, 2), args
        for part in (ran.out, ran.err):
            assert is_harmless(part.encode("utf-8")), args


def test_what_is_typed_is_stored_as_it_is(program: Program) -> None:
    program.add("a\x1b[2Jb\u202ec", "--tag", "t\x07")
    (row,) = program("list", "dudu", "--json").json
    assert row["content"] == "a\x1b[2Jb\u202ec"
    assert program.alone("add", "dudu", b"bad \xff bytes")[0] == 0
    assert program("list", "dudu", "--json").json[0]["content"] == "bad \ufffd bytes"

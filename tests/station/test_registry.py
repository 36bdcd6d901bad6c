"""One registry: every key has a method, every footer fits, every table comes from it."""

from __future__ import annotations

import pytest
from memstation.config.keymap import check_keys, default_keymap
from memstation.station.bindings import textual_keymap
from memstation.station.commands import BY_ID, COMMANDS, DOMAINS, FOOTERS, commands_of, key_table_markdown, shown_keys
from memstation.station.dialogs.help import help_rows
from memstation.station.dialogs.palette import palette_options
from memstation.station.render.cells import width
from memstation.station.rooms import rooms
from memstation.station.widgets.bars import Footer

KEYMAP = default_keymap(COMMANDS)


def test_ids_are_unique_and_dotted() -> None:
    assert len(BY_ID) == len(COMMANDS)
    assert all(command.id.count(".") == 1 for command in COMMANDS)


def test_no_key_twice_where_both_are_live() -> None:
    for room in DOMAINS:
        keys = [key for command in commands_of(room) for key in command.keys]
        assert len(keys) == len(set(keys)), room


def test_capitals_only_where_they_open_a_dialog_or_read() -> None:
    """A missed shift must not decide: `U` asks or takes back an undo, `H E P B T` ask, the others read or move."""
    capitals = {key: command.id for command in COMMANDS for key in command.keys if key.isalpha() and key.isupper()}
    assert set(capitals) == {"U", "V", "Y", "G", "H", "E", "L", "N", "P", "B", "T"}


def test_yes_is_never_a_key_of_a_verb_that_asks() -> None:
    assert not {key for command in COMMANDS if command.decides for key in command.keys} & {"y", "enter", "space"}


@pytest.mark.parametrize("room", list(FOOTERS))
def test_a_footer_has_at_most_seven_keys_and_fits(room: str) -> None:
    footer = Footer()
    footer._keys = [(shown_keys(BY_ID[name], KEYMAP, first=True), BY_ID[name].label(), False) for name in FOOTERS[room]]
    text = "".join(part for part, _ in footer.line(80))
    assert len(footer._keys) <= 7
    assert width(text) <= 80
    assert all(label in text for _, label, _ in footer._keys)


def test_a_narrow_footer_keeps_the_way_to_help() -> None:
    footer = Footer()
    footer._keys = [
        (shown_keys(BY_ID[name], KEYMAP, first=True), BY_ID[name].label(), False) for name in FOOTERS["Log"]
    ]
    text = "".join(part for part, _ in footer.line(30))
    assert width(text) <= 30
    assert text.rstrip().endswith("? keys")


def test_every_command_of_a_room_has_its_method() -> None:
    for room in rooms():
        screen = room.make()
        missing = [command.id for command in commands_of(type(screen).SCOPE) if not hasattr(screen, command.method)]
        assert missing in ([], ["list.filter"], ["item.copy_id", "item.copy_text"]), room.name


def test_the_key_table_names_every_command_once() -> None:
    table = key_table_markdown()
    assert all(table.count(f"| `{command.id}` |") == 1 for command in COMMANDS)
    assert table.count("\n") == len(COMMANDS) + 2


def test_help_shows_the_keys_in_effect_and_why_one_is_dim() -> None:
    keymap = check_keys(COMMANDS, {"undo.this": ("x",)}, DOMAINS)
    rows = help_rows("Log", keymap, lambda command: "no row here" if command.id == "undo.this" else "", "take this")
    text = "\n".join("".join(part for part, _ in row) for row in rows)
    assert text.split("\n")[1].startswith("x ")
    assert "dim here: no row here" in text
    assert "list" not in text


def test_the_palette_has_what_this_version_has() -> None:
    options = palette_options("Log", KEYMAP, lambda _command: "")
    titles = [option.words for option in options]
    assert any(title.startswith("Check the whole log") for title in titles)
    assert not any("Mistake" in title for title in titles)
    assert all(option.value is None for option in options if option.words.startswith("Mark as seen"))


def test_remapped_keys_reach_textual_by_step() -> None:
    keymap = check_keys(COMMANDS, {"list.move": ("up", "down", "p", "x"), "undo.mine": ("b",)}, DOMAINS)
    assert textual_keymap(keymap) == {"list.move:-1": "up,p", "list.move:1": "down,x", "undo.mine": "b"}


def test_the_verbs_that_are_off_in_the_past_are_checked_for_clashes_there() -> None:
    assert {"fact.correct", "fact.add", "fact.many", "past.leave"} <= {command.id for command in commands_of("Past")}
    keymap = check_keys(COMMANDS, {"past.diff": ("c",)}, DOMAINS)
    assert [problem.what for problem in keymap.problems] == ["c is already fact.correct in Past"]
    assert keymap.of("past.diff") == ("=",)


def test_a_comma_can_be_a_key() -> None:
    assert textual_keymap(check_keys(COMMANDS, {"past.later": (",",), "past.earlier": ("<",)}, DOMAINS)) == {
        "past.later": "comma", "past.earlier": "<",
    }  # fmt: skip


def test_the_palette_offers_the_past_in_the_timeline_only() -> None:
    there = [option for option in palette_options("Timeline", KEYMAP, lambda _command: "") if option.value]
    assert any(option.words.startswith("Show the past") for option in there)
    log = [option for option in palette_options("Log", KEYMAP, lambda _command: "") if "the past" in option.words]
    assert [(option.value, option.words) for option in log] == [(None, "Show the past .. in Timeline")]

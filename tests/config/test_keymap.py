"""Keys of one's own: unknown commands, impossible keys and clashes are told at once; what is right is taken."""

from __future__ import annotations

import pytest
from memstation.config.keymap import check_keys, default_keymap, impossible
from memstation.station.commands import BY_ID, COMMANDS, DOMAINS


def faults(**chosen: str | tuple[str, ...]) -> dict[str, str]:
    keys = {name.replace("_", ".", 1): (given,) if isinstance(given, str) else given for name, given in chosen.items()}
    return {problem.where.split(": ")[1]: problem.what for problem in check_keys(COMMANDS, keys, DOMAINS).problems}


def test_the_defaults_have_no_fault() -> None:
    chosen = {command.id: command.keys for command in COMMANDS if command.keys}
    assert check_keys(COMMANDS, chosen, DOMAINS).problems == ()


def test_a_choice_is_taken() -> None:
    keymap = check_keys(COMMANDS, {"undo.mine": ("x",), "list.move": ("up", "down", "p", "b")}, DOMAINS)
    assert (keymap.of("undo.mine"), keymap.of("list.move")) == (("x",), ("up", "down", "p", "b"))
    assert keymap.changed == {"undo.mine", "list.move"}
    assert keymap.of("redo.mine") == BY_ID["redo.mine"].keys


def test_all_faults_are_told_at_once() -> None:
    told = faults(
        undo_mime="x", redo_mine="esc", log_verify="z", list_move="a", item_open=("e", "e"), app_quit="ctrl+m"
    )
    assert "did you mean undo.mine" in told["undo.mime"]
    assert "'escape'" in told["redo.mine"]
    assert "already undo.this in Log" in told["log.verify"]
    assert "2 keys" in told["list.move"]
    assert "twice" in told["item.open"]
    assert "enter" in told["app.quit"]


def test_two_choices_may_swap_their_keys() -> None:
    keymap = check_keys(COMMANDS, {"undo.this": ("V",), "log.verify": ("z",)}, DOMAINS)
    assert keymap.problems == ()


def test_two_choices_of_one_key_clash() -> None:
    assert list(faults(undo_this="x", log_verify="x")) == ["log.verify"]


def test_one_key_may_mean_two_things_in_two_rooms() -> None:
    assert faults(fact_correct="z") == {}


def test_a_ctrl_letter_must_not_sit_beside_a_letter_that_decides() -> None:
    assert "one slip from u" in faults(help_open="ctrl+u")["help.open"]


@pytest.mark.parametrize("key", ["esc", "ctrl+i", "ctrl+enter", "shift+a", "", "ctrl+1", "nokey", "\t", " "])
def test_keys_that_no_terminal_sends(key: str) -> None:
    assert impossible(key)


@pytest.mark.parametrize("key", ["a", "A", "?", ":", "@", "ctrl+p", "f1", "enter", "shift+tab", "老"])
def test_keys_that_a_terminal_sends(key: str) -> None:
    assert impossible(key) == ""


def test_defaults_without_choices() -> None:
    assert default_keymap(COMMANDS).of("undo.mine") == ("u",)

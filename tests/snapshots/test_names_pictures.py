"""The room Names as it looks. Each picture answers a question that somebody who joins names could ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from station.names_store import open_names, the_names
from station.pilots import press, settle

SIZES = [(80, 24), (120, 36)]
Picture = Callable[..., bool]

both = pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))


@both
def test_groups(picture: Picture, size: tuple[int, int]) -> None:
    """Which names are one, who joined them, what waits for me, what disagrees; an agent's join says so."""
    assert picture(size, the_names, open_names, ("2 names with others joined", "CF Workers (by dudu)", "李老闆"))


@both
def test_conflict(picture: Picture, size: tuple[int, int]) -> None:
    """What stands against what, told by whom and when, and the keys that settle it."""

    async def act(pilot: Any) -> None:
        room = await open_names(pilot)
        room.lists()[2].focus()
        await settle(pilot)

    assert picture(size, the_names, act, ("both are true: it holds many values", "Helix", "vim"))


@both
def test_join_preview(picture: Picture, size: tuple[int, int]) -> None:
    """Which name stays, what would be found together, that nothing closes, what would disagree."""

    async def act(pilot: Any) -> None:
        room = await open_names(pilot)
        room.lists()[1].focus()
        await press(pilot, "j", "a")
        await settle(pilot)

    says = ("Mirabel  ->  老闆", "nothing closes, 1 new disagreement", "WOULD DISAGREE")
    assert picture(size, the_names, act, says)


def test_plain_signs(picture: Picture) -> None:
    """The same without characters of ambiguous width."""
    assert picture((80, 24), the_names, open_names, ("? Zhixu Li -> 老闆", "~ flaps"), glyphs="plain")


def test_no_names(picture: Picture) -> None:
    """An agent without joins: what would stand here, and how to begin."""

    async def act(pilot: Any) -> None:
        room = await open_names(pilot)
        room.show_names("kei")
        await settle(pilot)

    assert picture((80, 24), the_names, act, ("No names are joined.", "closes no fact"))

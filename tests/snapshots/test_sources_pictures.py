"""The Sources room and the purge as they look. Each picture answers a question that somebody who decides could ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from station.pilots import press
from station.sources_store import HOSTILE, POISON, at, odd_sources, open_sources, the_sources
from station.timeline_store import settle

SIZES = [(80, 24), (120, 36)]
Picture = Callable[..., bool]

both = pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))


async def looked(pilot: Any) -> None:
    await open_sources(pilot)
    await press(pilot, "P")
    await settle(pilot)


async def named(pilot: Any, name: str) -> None:
    await looked(pilot)
    await press(pilot, "c")
    pilot.app.screen.query_one("#name").value = name
    await settle(pilot)


async def purged(pilot: Any) -> None:
    await named(pilot, POISON)
    await press(pilot, "tab", "enter")
    await settle(pilot)


@both
def test_sources(picture: Picture, size: tuple[int, int]) -> None:
    """Who tells what is known, the weakest first; what stands, what waits, how it writes, what agents read of it."""
    assert picture(size, the_sources, open_sources, ("8 sources, 13 facts", "at most 0.3 by itself"))


@both
def test_sources_with_odd_names(picture: Picture, size: tuple[int, int]) -> None:
    """Hidden characters are tokens, markup is text, wide characters keep the columns, a likeness is named."""

    async def act(pilot: Any) -> None:
        await open_sources(pilot)
        await at(pilot, HOSTILE)

    assert picture(size, odd_sources, act, ("[U+200B]", "taken for channel:telegram/24"), glyphs="plain")


@both
def test_a_purge_before_typing(picture: Picture, size: tuple[int, int]) -> None:
    """What goes, what comes back, what is left empty, what was made from it, and who read it."""
    assert picture(size, the_sources, looked, ("2 facts come back", "Not to be taken for channel:telegram/4"))


def test_what_would_come_back(picture: Picture) -> None:
    """Each line of the purge opens as a list of what it counts."""

    async def act(pilot: Any) -> None:
        await looked(pilot)
        await press(pilot, "down", "enter")
        await settle(pilot)

    assert picture((80, 24), the_sources, act, ("GitHub Actions comes back",))


def test_a_name_one_letter_short(picture: Picture) -> None:
    """What was typed is another source: it is named, and the button is off."""

    async def act(pilot: Any) -> None:
        await named(pilot, "channel:telegram/4")

    assert picture((80, 24), the_sources, act, ("That is another source: channel:telegram/4.",))


def test_what_a_purge_did(picture: Picture) -> None:
    """What was withdrawn and came back, who read it lately, and the key that takes it back."""
    assert picture((80, 24), the_sources, purged, ("4 withdrawn, 2 came back", "Take all of this back"))


def test_taking_a_purge_back_asks(picture: Picture) -> None:
    """What stands again and what closes again is counted and listed; the block and the rejected values go too."""

    async def act(pilot: Any) -> None:
        await purged(pilot)
        await press(pilot, "z")
        await settle(pilot)

    assert picture((120, 36), the_sources, act, ("the purge of channel:telegram/42?", "The block is lifted."))

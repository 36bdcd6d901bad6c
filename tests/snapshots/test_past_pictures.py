"""Pictures of the past. Each test says what must be true of its picture, and checks the words before it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from station.timeline_store import hostile_story, open_room, peoples_story, press, settle, the_story, write

both = pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80", "120"])
Act = Callable[[Any], Awaitable[None]]
Picture = Callable[..., bool]


def asked(text: str, *keys: str, agent: str = "dudu", first: tuple[str, ...] = ()) -> Act:
    """Open an agent's Timeline, ask for a moment, press keys."""

    async def act(pilot: Any) -> None:
        await open_room(pilot, agent)
        await press(pilot, "t", *first)
        await write(pilot, text)
        await pilot.pause(0.4)
        await settle(pilot)
        await press(pilot, *keys)
        await pilot.pause(0.2)

    return act


@both
def test_dialog(picture: Picture, size: tuple[int, int]) -> None:
    """Three questions in plain words, one day, and how it is read; nothing is chosen by accident."""
    says = (
        "Show the past of dudu",
        "> 1  What was believed on a day, about that day",
        "reads as  Tue 7 Apr 2026 00:00",
    )
    assert picture(size, the_story, asked("last tue"), says)


def test_dialog_refuses(picture: Picture) -> None:
    """A day that is still to come says so under the field, with what may be written instead."""
    says = ("Fri 1 May 2026 00:00 UTC is still to come", "last tue, -7d", "> 3  What was believed")
    assert picture((80, 24), the_story, asked("1 may", first=("down", "down")), says)


@both
def test_differences(picture: Picture, size: tuple[int, int]) -> None:
    """What was believed then stands beside what is believed now, each with since when; below, then, now and why."""
    says = (
        "« PAST",
        "Read only.",
        "~ changed",
        "- gone",
        "(withdrawn)",
        "09:30",
        "showing: 12 Apr, differences",
        "why",
    )
    assert picture(size, the_story, asked("2026-04-12", "enter"), says)


@both
def test_differences_plain(picture: Picture, size: tuple[int, int]) -> None:
    """The plain glyphs keep the layout: no character of ambiguous width stands on the screen."""
    says = ("« PAST", "~ changed", "- gone", "> ")
    assert picture(size, the_story, asked("2026-04-12", "enter", "down"), says, glyphs="plain")


@both
def test_all(picture: Picture, size: tuple[int, int]) -> None:
    """What is the same is there too, and steps back; the footer offers the differences again."""
    assert picture(
        size, the_story, asked("2026-04-12", "enter", "="), ("= same", "differences", "showing: 12 Apr, all")
    )


@both
def test_the_detail_in_full(picture: Picture, size: tuple[int, int]) -> None:
    """The detail has the keys and most of the screen: ids, words, and every decision in between."""
    says = ("nothing: withdrawn, it was never true", "id m_", "1 decision in between")
    assert picture(size, the_story, asked("2026-04-12", "enter", "down", "down", "enter"), says)


@both
def test_empty(picture: Picture, size: tuple[int, int]) -> None:
    """Nothing differs: it says so, and which key leads on."""
    says = ("Nothing differs: what joy believed then is what it believes now.", "all it believed", "back to now")
    assert picture(size, peoples_story, asked("yesterday", "enter", agent="joy"), says)


@both
def test_cjk(picture: Picture, size: tuple[int, int]) -> None:
    """Wide characters keep every column in its place."""
    says = ("会議室", "四階", "五階", "~ changed")
    assert picture(size, peoples_story, asked("1 mar", "enter", "=", agent="kei"), says)


@both
def test_hostile(picture: Picture, size: tuple[int, int]) -> None:
    """Hostile text is shown as tokens and as it stands, in the list and in the detail, and moves nothing."""
    says = ("[U+001B", "+ new", "(not known)")
    assert picture(size, hostile_story, asked("2026-04-05", "enter", "=", agent="mallory"), says)


@pytest.mark.parametrize("theme", ["light", "contrast", "mono"])
def test_themes(picture: Picture, theme: str) -> None:
    """The banner stands out in every theme, and differences are told apart without their hue."""
    assert picture((80, 24), the_story, asked("2026-04-12", "enter"), ("« PAST", "~ changed", "- gone"), theme=theme)

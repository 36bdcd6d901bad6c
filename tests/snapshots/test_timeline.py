"""Pictures of the Timeline. Each test says what must be true of its picture, and checks the words before it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from station.timeline_store import (
    Story,
    hostile_story,
    open_room,
    peoples_story,
    press,
    put_cursor,
    settle,
    the_story,
    write,
)

SIZES = [(80, 24), (120, 36)]
both = pytest.mark.parametrize("size", SIZES, ids=["80", "120"])
Tell = Callable[[Path], Story]
Act = Callable[[Any], Awaitable[None]]


def at(value: str, *keys: str, agent: str = "dudu") -> Act:
    """Open an agent's Timeline, go to a fact, press keys."""

    async def act(pilot: Any) -> None:
        await open_room(pilot, agent)
        if value:
            await put_cursor(pilot, value)
        await press(pilot, *keys)

    return act


@both
def test_chain(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """A value replaced another, was confirmed twice, and a third one waits: list, lanes and detail agree on it."""
    assert picture(size, the_story, at("Cloudflare Workers"), ("2 values, 1 waits", "now", "Heroku (held)"))


@both
def test_chain_plain(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """The plain glyphs keep the layout: no character of ambiguous width stands on the screen."""
    assert picture(size, the_story, at("Cloudflare Workers"), ("= current", "? held", "|now"), glyphs="plain")


@both
def test_scheduled_held_withdrawn(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """Each state has its glyph, its word and its colour; what is planned lies right of the present."""
    assert picture(size, the_story, at("東京"), ("◇ scheduled", "▲ held", "✗ withdrawn", "! tainted", "老闆 office"))


@both
def test_cjk(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """Wide characters keep every column in its place, and what is too long is cut between characters."""
    assert picture(size, peoples_story, at("五階", agent="kei"), ("会議室 階, as kei believes it", "四階", "１０１"))


@both
def test_emoji(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """A family, a flag and a keycap are one character each, and the columns after them stand straight."""
    assert picture(size, peoples_story, at("👩‍👩‍👧‍👦 ❤️ 🎉", agent="joy"), ("team mood", "👍🏽 ok"))


@both
def test_right_to_left(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """Hebrew and Arabic stay in the order in which they are stored, cell by cell."""
    assert picture(size, peoples_story, at("نعناع", agent="tamar"), ("as tamar believes it", "חיפה (abc) 123"))


@both
def test_long_ago(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """The axis counts in years before 1000, and the present is left out where nothing reaches it."""
    assert picture(size, peoples_story, at("Odoacer", agent="rome"), ("0476-09", "480", "3 values"))


@both
def test_hostile(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """What a terminal would obey, and what nobody can see, stands there as a token; brackets are just brackets."""
    assert picture(size, hostile_story, at("", agent="mallory"), ("[U+001B]",))


@both
def test_hostile_sheet(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """The sheet shows every hidden character of every field."""
    assert picture(
        size, hostile_story, at("", "enter", agent="mallory"), ("[U+001B]", "WHAT IT SAYS", "[@click=app.bell]x[/]")
    )


@both
def test_never_true(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """Option 1 names what goes, what comes back, and the tick that is set; no button has the focus."""
    says = ("> 1  It was never true", "with its 2 confirmations", "Vercel is current again", "[x] r")
    assert picture(size, the_story, at("Cloudflare Workers", "c"), says)


@both
def test_stopped_being_true(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """Option 2 echoes how the day is read, and says that nothing comes after."""

    async def act(pilot: Any) -> None:
        await at("Cloudflare Workers", "c", "2")(pilot)
        await write(pilot, "end of march")
        await press(pilot, "enter")

    assert picture(size, the_story, act, ("reads as  Wed 1 Apr 2026 00:00 UTC", "knows no deploy_target"))


@both
def test_another_value(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """Option 3 shows the old value above the field, and the sentence follows what is written."""

    async def act(pilot: Any) -> None:
        await at("Cloudflare Workers", "c", "3")(pilot)
        pilot.app.screen.query_one("#value").value = "Fly.io"
        await settle(pilot)
        await press(pilot, "enter", "enter")

    assert picture(size, the_story, act, ("It says   Cloudflare Workers", "to Fly.io.", "Fly.io becomes current"))


@both
def test_why(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """Why a tainted memory is believed: who told it, which decision, what lowered its trust, its source's state."""
    says = ("WHY IT IS BELIEVED", "trust lowered", "@ops_helper  withdrawn")
    assert picture(size, the_story, at("owner is @ops_helper", "w"), says)


@both
def test_tell(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """Telling a fact shows what it closes and the gap that it leaves before anything is told."""

    async def act(pilot: Any) -> None:
        await at("09:30", "plus")(pilot)
        for text in ("standup_time", "09:45", "", "end of may"):
            await write(pilot, text)
            await press(pilot, "enter")

    assert picture(size, the_story, act, ("Tell dudu a fact", "09:45 becomes current", "nothing comes after"))


@both
def test_nothing_matches(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """An empty list says that the filter is why, how many facts there are without it, and the next key."""

    async def act(pilot: Any) -> None:
        await open_room(pilot, "dudu", "about:nobody")

    assert picture(size, the_story, act, ("Nothing matches about:nobody.", "facts without this filter", "escape"))


@both
def test_no_agent(picture: Callable[..., bool], size: tuple[int, int]) -> None:
    """A store without agents says how to begin."""

    async def act(pilot: Any) -> None:
        await settle(pilot)
        await press(pilot, "2")

    assert picture(size, Story, act, ("No agent has told anything yet.", "memstation demo"))


@pytest.mark.parametrize("theme", ["light", "contrast", "mono"])
def test_themes(picture: Callable[..., bool], theme: str) -> None:
    """Every state can be told apart and read in each theme."""
    assert picture((80, 24), the_story, at("Cloudflare Workers"), ("▲ held", "● current"), theme=theme)

"""The room Find as it looks. Each picture answers a question that somebody who looks for something could ask."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memstation.guard.shape import repaired

from station.fakes import HOSTILE, NOW
from station.find_store import open_find, the_knowledge
from station.pilots import press
from station.review_store import Held

SIZES = [(80, 24), (120, 36)]
Picture = Callable[..., bool]

both = pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))


@both
def test_hits_and_why(picture: Picture, size: tuple[int, int]) -> None:
    """What answers best, by which terms, why the first one does, how many held ones were left out."""

    async def act(pilot: Any) -> None:
        await open_find(pilot, "deploy target 老闆")

    assert picture(size, the_knowledge, act, ("WHY THIS ONE", "Cloudflare Workers", "2 held"))


@both
def test_left_out_and_links(picture: Picture, size: tuple[int, int]) -> None:
    """What agents are not told stands below the hits with its state; in the links it has its mark."""

    async def act(pilot: Any) -> None:
        await open_find(pilot, "deploy target")
        await press(pilot, "=", "G", "k")
        if size[0] < 120:
            await press(pilot, "L")

    assert picture(size, the_knowledge, act, ("▲ held", "deploy_target > Heroku  (this)", "○ closed"))


@both
def test_as_the_agent_gets_it(picture: Picture, size: tuple[int, int]) -> None:
    """Exactly the lines that the agent would get, in its order, and all of one of them."""

    async def act(pilot: Any) -> None:
        await open_find(pilot, "老闆 deploy")
        await press(pilot, "i")

    assert picture(size, the_knowledge, act, ("WHAT dudu READS", "WHAT dudu GETS", "10 at most"))


def test_plain_signs(picture: Picture) -> None:
    """The same without characters of ambiguous width."""

    async def act(pilot: Any) -> None:
        await open_find(pilot, "老闆 vim")

    assert picture((80, 24), the_knowledge, act, ("#####", "prefers_editor > this"), glyphs="plain")


def test_japanese(picture: Picture) -> None:
    """Another agent's words, in another script; the links beside them."""

    async def act(pilot: Any) -> None:
        await open_find(pilot, "会議室", agent="kei")

    assert picture((120, 36), the_knowledge, act, ("LINKS AROUND 会議室", "五階"))


def test_nothing_asked_yet(picture: Picture) -> None:
    """What could be done here."""

    async def act(pilot: Any) -> None:
        await open_find(pilot)

    assert picture((80, 24), the_knowledge, act, ("Search what an agent knows.", "type what to look for"))


def test_only_what_is_held_matches(picture: Picture) -> None:
    """Nothing that the agent would get; that something waits is said, and how to see it."""

    async def act(pilot: Any) -> None:
        await open_find(pilot, "Heroku")

    assert picture((80, 24), the_knowledge, act, ("Nothing that dudu would get matches.", "1 held"))


def test_hostile_hits(picture: Picture) -> None:
    """Text that would drive a terminal is visible, and nothing else."""

    def tell(path: Path) -> Held:
        story = Held(path)
        text = "\x1b[2Jevil [@click=app.bell]x[/] \rline\x9b2J 日本語"
        story.tell("2026-04-01 09:00", "channel:x", ("user [red]", "says \u202eevil", text), f"c {text}")
        story.hold("2026-04-14 09:00", "channel:x", ("user [red]", "[/] held", repaired(HOSTILE)))
        story.now = NOW
        return story

    async def act(pilot: Any) -> None:
        await open_find(pilot, "evil")
        await press(pilot, "=")

    assert picture((120, 36), tell, act, ("[U+202E]", "[red]", "▲ held"))

"""Hostile text in every place of the Review room drives no terminal, is not dropped, and crashes nothing (C44, C45)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from memstation.guard.shape import repaired
from memstation.station.render.safe import safe_line

from station.fakes import HOSTILE, NOW
from station.pilots import press, settle
from station.review_store import Held, keys, open_review
from station.test_timeline_hostile import painted
from station.timeline_store import BRACKETS, CONTROLS, Make


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Held]:
    story = Held(tmp_path_factory.mktemp("hostile") / "agents.db")
    for place, text in enumerate(map(repaired, (*BRACKETS, *CONTROLS, HOSTILE))):
        names = (f"s{place % 3} {text}"[:200], f"p {text}"[:200])
        story.tell("2026-04-01 09:00", "user_direct", (*names, "before"), f"c before {text}", agent="mallory")
        source, reason = f"channel:{place % 3}{text[:40]}", f"burst {text[:20]}"
        story.hold("2026-04-14 08:00", source, (*names, text), reason, "mallory", f"c {text} after")
    story.now = NOW
    yield story
    story.engine.close()


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_every_place_shows_it_and_none_obeys_it(make_station: Make, story: Held, size: tuple[int, int]) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=size) as pilot:
        room = await open_review(pilot)
        for place in range(room.main_pane.count):
            painted(app)  # list, card, title
            row = room.main_pane.item()
            if row is not None and room.card is not None:
                shown = re.sub(r"\s|↵", "", room.card_pane.text)
                for text in (row.row.object, row.row.origin):
                    said = re.sub(r"\s|↵", "", safe_line(text))
                    assert said[:30] in shown, f"dropped: {text!r}"
            if place % 6 == 1:
                await press(pilot, "d" if row is None else "e")  # a dialog with it
                painted(app)
                await press(pilot, "escape", "escape", "n" if row is None else "escape")
                room.main_pane.focus()
            room.main_pane.move(1)
            await settle(pilot)


async def test_a_verdict_on_hostile_text_says_it_safely(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_review(pilot)
        await keys(pilot, "*", "d")
        painted(app)
        await press(pilot, "down", "pagedown")
        painted(app)
        await press(pilot, "y")
        await keys(pilot)
        painted(app)  # the message row, and the last verdicts
        assert not room.queue.rows
        await keys(pilot, "u")
        painted(app)
        assert room.queue.rows

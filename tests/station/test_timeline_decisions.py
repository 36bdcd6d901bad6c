"""Correct, tell, many: each shows what it would do before, does exactly that once, and can be taken back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.station.app import StationApp
from memstation.station.dialogs.base import Choice
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.correct import CorrectDialog
from memstation.station.dialogs.tell import TellDialog

from station.fakes import NOW
from station.pilots import screen_text
from station.timeline_store import Make, Story, open_room, press, put_cursor, settle, the_story, write


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    story = the_story(tmp_path / "agents.db")
    yield story
    story.engine.close()


def message(app: StationApp) -> str:
    return "".join(part for part, _role in app.message)


def holds(story: Story, predicate: str = "deploy_target") -> str | None:
    with open_engine(story.engine.path, lambda: NOW) as engine:
        record = engine.get_at("dudu", "user", predicate, NOW)
        return None if record is None else record.object


def decisions(story: Story) -> int:
    with open_engine(story.engine.path, lambda: NOW) as engine:
        return int(engine.journal(limit=1000)[-1].seq)


async def correcting(pilot: Any, value: str = "Cloudflare Workers", option: str = "1") -> CorrectDialog:
    await open_room(pilot)
    await put_cursor(pilot, value)
    await press(pilot, "c")
    if option != "1":
        await press(pilot, option)
    assert isinstance(pilot.app.screen, CorrectDialog)
    return pilot.app.screen


async def test_never_true_shows_its_effects_and_happens_once(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    before, digest = decisions(story), story.engine.state_digest()
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await correcting(pilot)
        shown = screen_text(app)
        assert "Correct: user deploy_target = Cloudflare Workers" in shown and "> 1  It was never true" in shown
        assert "Cloudflare Workers is withdrawn, with its 2 confirmations" in shown
        assert "Vercel is current again, from 1 Jan, no end" in shown
        assert "[x] r  remember this value as rejected" in shown
        assert not isinstance(app.focused, Choice), "nothing that decides has the focus"
        await press(pilot, "enter", "space", "c")
        assert app.screen is dialog, "neither enter nor the verb's key is yes"
        await write(pilot, "yy")
        assert app.screen is app.here
        assert "Corrected #" in message(app) or "Sent to the terminal" in message(app)
        assert decisions(story) == before + 1 and holds(story) == "Vercel", "two presses, one decision"
        await press(pilot, "u")
        assert story.engine.state_digest() == digest, "taken back exactly"


async def test_the_message_says_what_came_of_it_and_how_to_take_it_back(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await correcting(pilot)
        await press(pilot, "r")
        assert "[ ] r" in screen_text(app)
        await press(pilot, "y")
        assert "Corrected #" in message(app) and "Vercel is current again" in message(app)
        assert message(app).endswith("u takes it back")
        assert app.here.main_pane.selected.state == "withdrawn", "the cursor is on the same fact"  # type: ignore[union-attr]


@pytest.mark.parametrize(("text", "says"), [
    ("2026-03-31", "Tue 31 Mar 2026 00:00 UTC"), ("2026-03-31 10:00", "Tue 31 Mar 2026 10:00 UTC"),
    ("end of march", "Wed 1 Apr 2026 00:00 UTC"), ("last tue", "Tue 7 Apr 2026 00:00 UTC"),
])  # fmt: skip
async def test_a_day_is_echoed_and_its_effects_shown(make_station: Make, story: Story, text: str, says: str) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await correcting(pilot, option="2")
        await write(pilot, text)
        await press(pilot, "enter")
        shown = screen_text(app)
        assert f"reads as  {says}" in shown
        assert "Cloudflare Workers closes: 3 Mar to" in shown and "Still true for those days" in shown
        assert "nothing comes after: from" in shown and "dudu knows no deploy_target" in shown
        assert "later confirmation" in shown


async def test_a_day_that_cannot_be_is_refused_with_its_reason(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    before = decisions(story)
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await correcting(pilot, option="2")
        await write(pilot, "2026-03")
        assert "Give a day, too" in screen_text(app)
        await write(pilot, "-01")
        await press(pilot, "enter")
        assert "It cannot end before it began" in screen_text(app) and "it holds from 2026-03-03" in screen_text(app)
        await press(pilot, "y")
        assert app.screen is dialog and decisions(story) == before, "y does nothing while it cannot be done"
        await press(pilot, "escape", "c")
        assert "2026-03-01" in screen_text(app), "what was written is kept"
        await press(pilot, "escape", "escape")
        await put_cursor(pilot, "Vercel")
        await press(pilot, "c", "2")
        await write(pilot, "2026-04-01")
        await press(pilot, "enter")
        assert "It has ended already" in screen_text(app) and "it holds until 2026-03-03" in screen_text(app)


async def test_letters_are_letters_while_a_field_has_the_keys(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    before = decisions(story)
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await correcting(pilot, option="3")
        field = dialog.query_one("#value")
        field.value = ""  # type: ignore[attr-defined]
        await write(pilot, "yn1rq")
        assert field.value == "yn1rq" and app.screen is dialog  # type: ignore[attr-defined]
        await press(pilot, "escape")
        assert app.screen is dialog, "the first escape leaves the field"
        await press(pilot, "escape")
        assert app.screen is app.here and decisions(story) == before


async def test_another_value_and_the_sentence_that_follows_it(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await correcting(pilot, option="3")
        assert "It says   Cloudflare Workers" in screen_text(app) and "in place of the old one" in screen_text(app)
        dialog.query_one("#value").value = "Fly.io"  # type: ignore[attr-defined]
        await settle(pilot)
        assert dialog.query_one("#words").value == "The team moved deploys from Vercel to Fly.io."  # type: ignore[attr-defined]
        await press(pilot, "enter", "enter")
        shown = screen_text(app)
        assert "Fly.io becomes current: 3 Mar, no end" in shown and "[ ] r  remember the old value" in shown
        await press(pilot, "y")
        assert holds(story) == "Fly.io" and "Fly.io is current" in message(app)
        with open_engine(story.engine.path, lambda: NOW) as engine:
            record = engine.get_at("dudu", "user", "deploy_target", NOW)
            assert record.origin == "operator" and record.origin_trust == 1.0
            assert record.content == "The team moved deploys from Vercel to Fly.io."


async def test_a_note_is_corrected_as_a_note(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await correcting(pilot, "The printer jams; tray two works.", "3")
        dialog.query_one("#value").value = "The printer is gone."  # type: ignore[attr-defined]
        await press(pilot, "enter")
        await press(pilot, "y")
        with open_engine(story.engine.path, lambda: NOW) as engine:
            found = [row for row in engine.list_recent("dudu") if row.content == "The printer is gone."]
            assert found and found[0].object is None and found[0].subject is None


async def test_somebody_else_decided_meanwhile(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await correcting(pilot)
        story.tell("2026-04-14 09:13", "user_direct", ("user", "deploy_target", "Netlify"), valid_from="2026-02-15")
        story.now = NOW
        before = decisions(story)
        await press(pilot, "y")
        assert isinstance(app.screen, CorrectDialog) and decisions(story) == before
        shown = screen_text(app)
        assert "Somebody else decided meanwhile" in shown and "Netlify is current again" in shown
        await press(pilot, "y")
        assert decisions(story) == before + 1 and holds(story) == "Netlify"


async def test_a_confirming_memory_is_corrected_alone(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot, "dudu", "", 3)
        await press(pilot, "c")
        assert "only this claim goes, the fact stays" in screen_text(app)
        assert "remember this value as rejected" not in screen_text(app)
        await press(pilot, "y")
        with open_engine(story.engine.path, lambda: NOW) as engine:
            history = engine.get_history("dudu", "user", "deploy_target")
            assert [r.object for r in history if r.state != "withdrawn"] == ["Vercel", "Cloudflare Workers"]


async def test_plus_tells_a_fact_with_its_gap_asked_first(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        await put_cursor(pilot, "09:30")
        await press(pilot, "plus")
        dialog = app.screen
        assert isinstance(dialog, TellDialog) and dialog.query_one("#about").value == "user"  # type: ignore[attr-defined]
        await write(pilot, "standup_time")
        await press(pilot, "enter")
        await write(pilot, "09:45")
        await press(pilot, "enter", "enter")
        await write(pilot, "end of may")
        await press(pilot, "enter")
        shown = screen_text(app)
        assert "empty is now" in shown and "reads as  Mon 1 Jun 2026 00:00 UTC" in shown
        assert "09:45 becomes current: 14 Apr to 1 Jun" in shown and "09:30 closes" in shown
        assert "nothing comes after: from 1 Jun on, dudu knows no standup_time" in shown
        assert holds(story, "standup_time") == "09:30", "nothing is told before yes"
        await press(pilot, "y")
        assert holds(story, "standup_time") == "09:45" and "Told #" in message(app)
        with open_engine(story.engine.path, lambda: NOW) as engine:
            assert engine.get_at("dudu", "user", "standup_time", NOW).origin == "operator"
            assert engine.journal(limit=1000)[-1].actor == "operator"
        assert app.here.main_pane.selected.value == "09:30", "the cursor stays on its fact"  # type: ignore[union-attr]
        await press(pilot, "u")
        assert holds(story, "standup_time") == "09:30"


async def test_what_cannot_be_told_says_why_and_keeps_what_was_written(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        await press(pilot, "plus")
        await press(pilot, "up", "up")
        for text in ("a", "b", "[/] c", "2026-05-01", "2026-04-01"):
            await write(pilot, text) if text != "a" else None
            await press(pilot, "enter")
        shown = screen_text(app)
        assert "The window is empty or reversed" in shown
        await press(pilot, "y")
        assert isinstance(app.screen, TellDialog)
        await press(pilot, "escape")
        assert "what you wrote is kept" in message(app)
        await press(pilot, "plus")
        assert "[/] c" in screen_text(app)


async def test_m_says_what_comes_back_and_asks(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        await put_cursor(pilot, "10:00")
        await press(pilot, "m")
        assert isinstance(app.screen, ConfirmDialog)
        shown = screen_text(app)
        assert "standup_time holds many values for dudu?" in shown and "10:00 comes back" in shown
        await press(pilot, "enter")
        assert app.screen is app.here and not room.main_pane.selected.many  # type: ignore[union-attr]
        await press(pilot, "m", "y")
        assert room.main_pane.selected.many and "standup_t" in screen_text(app) and "many)" in screen_text(app)  # type: ignore[union-attr]
        await press(pilot, "m")
        assert "standup_time holds one value for dudu?" in screen_text(app)


async def test_verbs_say_why_they_cannot(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        await put_cursor(pilot, "@ops_helper")
        await press(pilot, "c")
        assert "withdrawn already" in message(app) and app.screen is app.here
        await put_cursor(pilot, "The printer jams; tray two works.")
        await press(pilot, "m")
        assert "a note" in message(app)


async def test_read_only_dims_the_verbs_and_says_why(make_station: Make, story: Story) -> None:
    app = make_station(story.engine, read_only=True)
    before = decisions(story)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        for key in ("c", "plus", "m", "u"):
            await press(pilot, key)
            assert "reading only" in message(app) and app.screen is app.here
        assert "READ ONLY" in screen_text(app)
        await press(pilot, "w")
        assert app.here.is_reading  # type: ignore[union-attr]
    assert decisions(story) == before


async def test_yes_before_the_effects_are_there_does_nothing_and_says_so(
    make_station: Make, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, propose = threading.Event(), type(story.engine).propose

    def slowly(*args: Any) -> Any:
        assert go_on.wait(60)
        return propose(*args)

    monkeypatch.setattr(type(story.engine), "propose", slowly)
    app = make_station(story.engine)
    digest = story.engine.state_digest()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        await pilot.press("c")
        await pilot.press("y")
        assert app.screen is not app.here and "1 key ignored" in message(app)
        go_on.set()
        await settle(pilot)
        assert story.engine.state_digest() == digest
        await press(pilot, "y")
        assert "Corrected #" in message(app)

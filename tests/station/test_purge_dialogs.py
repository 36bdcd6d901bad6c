"""The purge in the station: nothing goes that was not shown, Enter alone never fires, and the way back is exact."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.commandline.opening import write_report
from memstation.config.paths import find_paths
from memstation.domain.purging import PurgeChoices
from memstation.ops import review
from memstation.station.app import StationApp
from memstation.station.dialogs.base import Choice
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.notice import NoticeDialog
from memstation.station.dialogs.pick import Option, PickDialog
from memstation.station.dialogs.purge import PurgeDialog
from memstation.station.dialogs.purge_name import NameDialog, PurgedDialog
from memstation.station.render.purge_words import missing_words
from memstation.station.render.safe import Safe

from station.fakes import NOW
from station.pilots import press, screen_text
from station.review_store import Held, open_review
from station.review_store import at as at_held
from station.sources_store import HOSTILE, NEAR, POISON, at, keys, odd_sources, open_sources, the_sources
from station.timeline_store import Make, settle, write


def message(app: StationApp) -> str:
    return "".join(part for part, _role in app.message)


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Held]:
    story = the_sources(tmp_path / "agents.db")
    yield story
    story.engine.close()


def holds(story: Held, predicate: str, subject: str = "user") -> str | None:
    record = story.engine.get_at("dudu", subject, predicate, NOW)
    return None if record is None else record.object


async def look(pilot: Any) -> PurgeDialog:
    """Open the dialog on the source under the cursor, and wait for its numbers."""
    await press(pilot, "P")
    await settle(pilot)
    dialog = pilot.app.screen
    assert isinstance(dialog, PurgeDialog) and dialog.looked is not None
    return dialog


async def test_a_purge_is_looked_at_typed_done_and_taken_back(make_station: Make, story: Held, tmp_path: Path) -> None:
    paths = find_paths(tmp_path)
    app = make_station(story.engine, write_report=partial(write_report, paths, story.engine.path))
    digest, before = story.engine.state_digest(), story.engine.head().seq
    report = story.engine.preview_purge(None, POISON)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_sources(pilot)
        dialog = await look(pilot)
        shown = screen_text(app)
        assert f"Withdraw everything that {POISON} ever told any agent." in shown
        assert "all: dudu 3, agnes 1" in shown and f"Not to be taken for {NEAR}" in shown
        assert f"{len(report.withdrawn)} memories are withdrawn" in shown and "4 current" in shown
        assert "2 facts come back" in shown and "user ci_provider: GitHub Actions" in shown
        assert "4 have no value any more" in shown and "2 memories were made from them" in shown
        assert "2 will be held" in shown and "1 held one is closed" in shown
        assert f"remember the {report.rejected} values as rejected" in shown
        assert "6 times together since 14 Apr" in shown, "what was read cannot be unread"
        assert not isinstance(app.focused, Choice)
        await press(pilot, "y", "P")
        assert app.screen is dialog, "neither yes nor the verb's own key goes on from here"
        await press(pilot, "down", "enter")
        assert isinstance(app.screen, NoticeDialog) and "2 facts come back" in screen_text(app)
        assert "GitHub Actions comes back" in screen_text(app)
        await press(pilot, "escape", "down", "down", "enter")
        assert "ask @ops_helper is held for review" in screen_text(app) and "from @ops_helper" in screen_text(app)
        await press(pilot, "escape", "c")
        assert isinstance(app.screen, NameDialog)
        await write(pilot, "channel:telegram/4")
        assert f"That is another source: {NEAR}." in screen_text(app)
        await press(pilot, "enter", "tab", "tab", "enter")
        assert isinstance(app.screen, NameDialog) and story.engine.head().seq == before, "the name is not complete"
        app.screen.query_one("#name").focus()
        await write(pilot, "2")
        assert "It matches" in screen_text(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, NameDialog), "enter in the field never fires"
        await press(pilot, "tab", "enter")
        await settle(pilot)
        assert isinstance(app.screen, PurgedDialog)
        shown = screen_text(app)
        assert "4 withdrawn, 2 came back, 2 held, 1 closed, 4 empty" in shown and "The source is blocked." in shown
        assert "read 3 of them in the last hour" in shown
        assert (holds(story, "ci_provider"), holds(story, "deploy_target")) == ("GitHub Actions", "Cloudflare Workers")
        assert story.engine.head().seq == before + 1 and room.main_pane.selected.facts == 0  # type: ignore[union-attr]
        await press(pilot, "l")
        assert "Cloudflare Workers comes back" in screen_text(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, PurgedDialog)
        done = app.screen.report
        await press(pilot, "w")
        await settle(pilot)
        [file] = (paths.data / "reports").glob("*.txt")
        assert "The report is in" in screen_text(app)
        told = file.read_text(encoding="utf-8")
        assert f"Done: purged {POISON} for" in told and "4 withdrawn, 2 came back" in told
        assert all(memory_id in told for memory_id in (*done.withdrawn, *done.reinstated))
        await press(pilot, "z")
        await settle(pilot)
        assert isinstance(app.screen, ConfirmDialog)
        shown = screen_text(app)
        assert f"the purge of {POISON}?" in shown and "2 close again" in shown and "The block is lifted." in shown
        await keys(pilot, "y")
        assert story.engine.state_digest() == digest and "Took back #" in message(app)


async def test_the_choices_are_the_engines(make_station: Make, story: Held) -> None:
    """Each key asks the engine again; what is on the screen is what is done, for whom and since when."""
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_sources(pilot)
        dialog = await look(pilot)
        await press(pilot, "b", "r", "m")
        assert dialog.looked is not None and dialog.looked.report.plan.choices == PurgeChoices(False, False, True)
        shown = screen_text(app)
        assert "[ ] b" in shown and "[ ] r" in shown and "[x] m" in shown and "2 stay in use" in shown
        await press(pilot, "g")
        assert dialog.draft.agent_id == "dudu" and "ever told dudu." in screen_text(app)
        assert "3 memories are withdrawn" in screen_text(app)
        await press(pilot, "g", "g")
        assert dialog.draft.agent_id is None
        await press(pilot, "s")
        await write(pilot, "2026-04-12")
        await press(pilot, "enter")
        await settle(pilot)
        shown = screen_text(app)
        assert "told any agent since Sun 12 Apr 2026 00:00" in shown and "1 memory is withdrawn" in shown
        await press(pilot, "s")
        app.screen.query_one("#since").value = "some day"  # type: ignore[attr-defined]
        await press(pilot, "enter")
        await settle(pilot)
        assert dialog.looked is None and "memory is withdrawn" not in screen_text(app)
        await press(pilot, "c")
        assert app.screen is dialog, "what cannot be read cannot be gone on with"
        await press(pilot, "n")
        assert "Nothing was purged." in message(app)


async def test_who_was_slower_looks_again_and_an_undo_always_asks(make_station: Make, story: Held) -> None:
    """`u` takes back at once what was done in this session; a purge it shows first."""
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_sources(pilot)
        await look(pilot)
        await press(pilot, "c")
        await write(pilot, POISON)
        with open_engine(story.engine.path, lambda: NOW) as elsewhere:
            elsewhere.retract(elsewhere.get_at("dudu", "user", "ci_provider", NOW).id)  # type: ignore[union-attr]
        before = story.engine.head().seq
        await press(pilot, "tab", "enter")
        await settle(pilot)
        assert isinstance(app.screen, PurgeDialog) and story.engine.head().seq == before
        assert "Somebody else decided meanwhile" in screen_text(app)
        await press(pilot, "c")
        await write(pilot, POISON)
        await press(pilot, "tab", "enter")
        await settle(pilot)
        await keys(pilot, "escape", "u")
        assert isinstance(app.screen, ConfirmDialog) and "stand again" in screen_text(app)
        await keys(pilot, "n")
        assert "stays as it is" in message(app) and holds(story, "deploy_target") == "Cloudflare Workers"


async def test_a_name_that_cannot_be_typed_is_typed_as_it_is_shown(make_station: Make, tmp_path: Path) -> None:
    story = odd_sources(tmp_path / "odd.db")
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_sources(pilot)
        await at(pilot, HOSTILE)
        await look(pilot)
        assert "\u200b" not in screen_text(app)
        await press(pilot, "c")
        app.screen.query_one("#name").value = "channel:telegram/24"  # type: ignore[attr-defined]
        await settle(pilot)
        assert "That is another source" in screen_text(app)
        app.screen.query_one("#name").value = "channel:tele[U+200B]gram/[U+202E]24"  # type: ignore[attr-defined]
        await settle(pilot)
        await press(pilot, "tab", "enter")
        await settle(pilot)
        assert isinstance(app.screen, PurgedDialog)
        assert story.engine.get_at("dudu", "user", "city", NOW).object == "Nara"  # type: ignore[union-attr]


async def test_timeline_and_review_purge_the_source_they_show_and_tell_who_read(
    make_station: Make, story: Held
) -> None:
    lunch = story.engine.get_at("dudu", "user", "lunch", NOW)
    assert lunch is not None
    story.engine.decide(lambda looking: review.hold(looking, [lunch.id], actor="operator"))
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        await open_review(pilot)
        await at_held(pilot, "12:30")
        assert "dudu read it 2 times since 14 Apr, last today 09:05" in screen_text(app)
        await at_held(pilot, "never")
        assert "dudu read it" not in screen_text(app), "what was held from the start was read by nobody"
        dialog = await look(pilot)
        assert (dialog.origin, dialog.draft.agent_id) == (POISON, "dudu")
        await press(pilot, "n")
        assert "Nothing was purged." in message(app)
        app.open_timeline("dudu", "value:Jenkins")
        await keys(pilot)
        assert "Used       2 times since 14 Apr" in screen_text(app)
        await press(pilot, "c")
        await settle(pilot)
        assert "dudu read it 2 times since 14 Apr" in screen_text(app)
        await press(pilot, "n")
        dialog = await look(pilot)
        assert (dialog.origin, dialog.draft.agent_id) == (POISON, "dudu")


def test_what_is_missing_of_a_name_is_told() -> None:
    def said(typed: str) -> str:
        return missing_words(typed, "channel:line/7", ["channel:line/77"])

    assert said("") == ""
    assert said("channel:line/") == "Not yet: 1 character missing."
    assert said("channel:lime/7") == "It differs from character 11 on."
    assert said("channel:line/7 ") == "1 character too many."
    assert said("channel:line/77") == "That is another source: channel:line/77."
    assert said("channel:line/7").startswith("It matches.")


async def test_a_source_that_was_withdrawn_before_is_only_kept_away(make_station: Make, story: Held) -> None:
    told = [row.id for row in story.engine.list_recent("dudu", 20) if row.origin == NEAR]
    story.engine.retract(told[0])
    app, seq = make_station(story.engine), story.engine.head().seq
    async with app.run_test(size=(80, 24)) as pilot:
        await open_sources(pilot)
        await at(pilot, NEAR)
        dialog = await look(pilot)
        assert dialog.looked is not None and dialog.looked.report.already == (told[0],)
        shown = screen_text(app)
        assert "All of it is withdrawn already: this only keeps it away" in shown
        assert "nothing more is withdrawn" in shown and "1 was withdrawn before" in shown
        assert "0 " not in shown.split("Withdraw everything")[1].split("[ n ")[0], "nothing is counted that is none"
        assert "1 of them, 2 times" in " ".join(shown.replace("│", " ").split()), "agents read what is away now"
        await press(pilot, "enter")
        assert "it stays away, also when that is taken back" in screen_text(app)
        await press(pilot, "escape", "c")
        assert "1 stays away for good" in screen_text(app) and "Keep 1 memory away" in screen_text(app)
        await write(pilot, NEAR)
        await press(pilot, "tab", "enter")
        assert story.engine.head().seq == seq + 1 and "1 stays away for good" in screen_text(app)
        await press(pilot, "l")
        assert "it stays away, also when that is taken back" in screen_text(app)
    async with make_station(story.engine).run_test(size=(80, 24)) as pilot:
        await open_sources(pilot)
        await at(pilot, POISON)
        await look(pilot)
        assert "withdrawn already" not in screen_text(pilot.app)  # type: ignore[arg-type]


async def test_many_options_are_counted_with_their_thousands(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        names = [f"name {place}" for place in range(3043)]
        app.push_screen(PickDialog(Safe("Which?"), [Option(name, name, ((),)) for name in names]))
        await settle(pilot)
        assert "3,043 of 3,043" in screen_text(app)

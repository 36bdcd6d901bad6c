"""The room Names: what is one, what might be, what disagrees; every key does what it says and can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.errors import StoreUnusable
from memstation.exchange.name_lists import read_names
from memstation.guard.shape import repaired
from memstation.station.app import StationApp
from memstation.station.dialogs.correct import CorrectDialog
from memstation.station.dialogs.join import JoinDialog, JoinDraft
from memstation.station.dialogs.pick import PickDialog

from station.fakes import HOSTILE
from station.names_store import open_names, the_names
from station.pilots import press, screen_text, settle
from station.timeline_store import Story

Make = Callable[..., StationApp]
SIZE = (80, 24)


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return the_names(tmp_path / "agents.db")


def groups(story: Story) -> dict[str, list[str]]:
    return {group.title: [name.name for name in group.names[1:]] for group in story.engine.reader.aliases("dudu")}


def kinds(story: Story) -> list[str]:
    return [conflict.kind for conflict in story.engine.conflicts("dudu")]


async def type_text(pilot: Any, text: str) -> None:
    field = pilot.app.screen.query_one("#find, #path")
    field.focus()
    field.value = text
    await settle(pilot)


async def test_what_it_shows_and_how_the_cursor_goes_through_it(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 30)) as pilot:
        room = await open_names(pilot)
        shown = screen_text(app)
        assert "dudu   2 names with others joined, 2 suggested, 3 conflicts" in shown
        for words in ("CF Workers (by dudu)", "Zhixu Li -> 老闆", "import names.csv, 1 shared fact",
                      "Helix | vim", "09:30 | 10:00, 4 times in 8 days", "differ in one letter, 2 facts"):  # fmt: skip
            assert words in shown, words
        assert "李老闆           1 fact   joined 1 Mar by you" in shown
        seen = []
        for _ in range(7):
            seen.append((room.current.id, room.current.cursor))
            await press(pilot, "j")
        assert seen == [("groups", 0), ("groups", 1), ("suggested", 0), ("suggested", 1), ("conflicts", 0),
                        ("conflicts", 1), ("conflicts", 2)]  # fmt: skip
        await press(pilot, *"kkk")
        assert (room.current.id, room.current.cursor) == ("suggested", 1)
        assert "say the same of both" in screen_text(app) or "says the same of both" in screen_text(app)


async def test_join_with_a_preview_that_can_be_turned(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=SIZE) as pilot:
        await open_names(pilot)
        await press(pilot, "+")
        assert isinstance(app.screen, PickDialog) and "Which name joins 老闆?" in screen_text(app)
        assert "李老闆" not in screen_text(app).split("Which name")[1].split("+---")[0].replace("老闆?", "")
        await type_text(pilot, "mirabel")
        await press(pilot, "enter")
        assert isinstance(app.screen, JoinDialog)
        shown = screen_text(app)
        assert "Mirabel  ->  老闆" in shown
        assert "4 facts found together, nothing closes, 1 new disagreement" in shown
        await press(pilot, "tab")
        assert app.screen.kept == JoinDraft("Mirabel", "老闆")
        assert "老闆  ->  Mirabel" in screen_text(app)
        await press(pilot, "tab", "n")
        assert "Nothing was joined." in screen_text(app) and groups(story)["老闆"] == ["李老闆"]
        await press(pilot, "+")
        await type_text(pilot, "mirabel")
        await press(pilot, "enter", "y")
        assert groups(story)["老闆"] == ["Mirabel", "李老闆"]
        assert "Mirabel is one name with 老闆.  u takes it back" in screen_text(app)
        await press(pilot, "u")
        assert groups(story)["老闆"] == ["李老闆"]


async def test_a_join_that_was_overtaken_is_shown_again(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=SIZE) as pilot:
        room = await open_names(pilot)
        room.lists()[1].focus()
        await press(pilot, "j", "a")
        assert isinstance(app.screen, JoinDialog)
        story.engine.add_alias("dudu", "Zhixu Li", "Mirabel")
        await press(pilot, "y")
        assert "Somebody else decided meanwhile" in screen_text(app)
        assert "it stands under Zhixu Li now, and leaves it" in screen_text(app)
        await press(pilot, "n")
        story.engine.add_alias("dudu", "Mirabel", "老闆")
        await press(pilot, "a")
        assert "They are one name already" in screen_text(app)


async def test_a_name_is_taken_out(make_station: Make, story: Story) -> None:
    story.engine.add_alias("dudu", "李老闆", "zhixu")
    app = make_station(story.engine)
    async with app.run_test(size=SIZE) as pilot:
        await open_names(pilot)
        await press(pilot, "-")
        assert "Which name is taken out of 老闆?" in screen_text(app)
        await press(pilot, "down", "enter")
        assert groups(story) == {"Cloudflare Workers": ["CF Workers"], "李老闆": ["zhixu"]}
        assert "李老闆 stands apart, with zhixu" in screen_text(app)
        await press(pilot, "u", "g", "j", "-")
        assert groups(story) == {"老闆": ["zhixu", "李老闆"]}
        assert "CF Workers stands alone again" in screen_text(app)


async def test_suggestions_are_accepted_and_dismissed(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=SIZE) as pilot:
        room = await open_names(pilot)
        await press(pilot, "a")
        assert "nothing that could be joined is under the cursor" in screen_text(app)
        room.lists()[1].focus()
        await press(pilot, "a")
        assert groups(story)["老闆"] == ["Zhixu Li", "李老闆"], "nothing disagrees: it is joined at once"
        assert [row.alias for row in story.engine.names("dudu").suggested] == ["Mirabel"]
        await press(pilot, "a")
        assert isinstance(app.screen, JoinDialog), "a new disagreement asks first"
        await press(pilot, "escape", "d")
        assert story.engine.names("dudu").suggested == ()
        assert "Mirabel and 老闆 are two names" in screen_text(app)
        await press(pilot, "u", "u")
        assert [row.alias for row in story.engine.names("dudu").suggested] == ["Zhixu Li", "Mirabel"]


async def test_conflicts_are_settled(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=SIZE) as pilot:
        room = await open_names(pilot)
        assert kinds(story) == ["disagree", "flaps", "alike"]
        room.lists()[2].focus()
        await press(pilot, "enter")
        assert "How is it settled?" in screen_text(app)
        await press(pilot, "down", "enter")
        assert "prefers_editor holds many values for dudu?" in screen_text(app)
        await press(pilot, "y")
        assert kinds(story) == ["flaps", "alike"]
        await press(pilot, "u", "g", "c")
        assert "Which one is wrong?" in screen_text(app)
        await press(pilot, "down", "enter")
        assert isinstance(app.screen, CorrectDialog)
        await press(pilot, "y")
        assert kinds(story) == ["flaps", "alike"] and "corrected vim" in screen_text(app)
        await press(pilot, "u", "g", "d")
        assert kinds(story) == ["flaps", "alike"] and "no conflict: 老闆 / 李老闆" in screen_text(app)
        assert "1 dismissed" in screen_text(app)
        await press(pilot, "G", "c")
        assert "no conflict is under the cursor" in screen_text(app)
        await press(pilot, "a")
        assert isinstance(app.screen, JoinDialog)
        await press(pilot, "y")
        assert kinds(story) == ["flaps"]


async def test_what_is_opened_and_whose_names(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=SIZE) as pilot:
        room = await open_names(pilot)
        await press(pilot, "enter")
        await settle(pilot)
        assert app.current_mode == "timeline" and 'about:"老闆","李老闆"' in screen_text(app)
        assert "Helix" in screen_text(app) and "vim" in screen_text(app)
        await press(pilot, "5")
        room.show_names("kei")
        await settle(pilot)
        shown = screen_text(app)
        assert "No names are joined." in shown and "kei   0 names" in shown
        await press(pilot, "+", "enter")
        assert "Which name joins 会議室?" in screen_text(app)
        await press(pilot, "escape")
        room.agent_chosen(None)
        await settle(pilot)
        assert "Names shows one agent at a time: kei" in screen_text(app)


async def test_today_leads_here(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert "1 conflict: 老闆 and 李老闆 on prefers_editor, for dudu" in shown
        assert "1 joined by agents: CF Workers -> Cloudflare Workers" in shown and "2 suggested, for dudu" in shown
        needs = app.screen.main_pane
        needs.move(next(at for at in range(needs.count) if "conflict" in str(needs.row(at).key)))
        await press(pilot, "enter")
        assert app.current_mode == "names" and app.screen.names_agent == "dudu"


async def test_a_list_of_names_comes_in(make_station: Make, story: Story, tmp_path: Path) -> None:
    path = tmp_path / "team.csv"
    path.write_text("canonical,alias\n会議室,meeting room\n老闆,chef\n", encoding="utf-8")
    app = make_station(story.engine, read_names=read_names)
    async with app.run_test(size=SIZE) as pilot:
        room = await open_names(pilot)
        room.do_names_list()
        await settle(pilot)
        await type_text(pilot, str(tmp_path / "none.csv"))
        await press(pilot, "enter")
        assert "cannot be opened" in screen_text(app)
        await type_text(pilot, str(path))
        await press(pilot, "enter")
        assert "1 would be suggested:" in screen_text(app) and "? chef -> 老闆" in screen_text(app)
        await press(pilot, "y")
        assert story.engine.names("dudu").suggested[0].reason == "import team.csv"
        assert "1 suggested" in screen_text(app)


async def test_hostile_names_are_shown_and_not_obeyed(make_station: Make, tmp_path: Path) -> None:
    story = Story(tmp_path / "agents.db")
    story.tell("2026-04-01 09:00", "operator", (HOSTILE, "says", "[bold]a"))
    story.tell("2026-04-01 09:00", "operator", ("[/]", "says", "[/]b"))
    story.engine.add_alias("dudu", repaired(HOSTILE), "[/]", actor="agent:[red]dudu\x1b[2J")
    story.engine.suggest_aliases("dudu", [(repaired(HOSTILE), "[@click=app.bell]x")], reason="\x1b]0;title\x07")
    app = make_station(story.engine)
    async with app.run_test(size=SIZE) as pilot:
        room = await open_names(pilot)
        await press(pilot, "j", "j", "enter", "escape", "k", "k", "+", "escape")
        shown = screen_text(app)
        assert "\x1b" not in shown and "\u202e" not in shown and "[/]" in shown
        assert room.names is not None and len(room.names.conflicts) == 1


async def test_a_failed_read_is_no_empty_list(
    make_station: Make, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=SIZE) as pilot:
        room = await open_names(pilot)

        def broken(_agent: str) -> Any:
            raise StoreUnusable("The file is damaged", "page 7")

        monkeypatch.setattr(story.engine.reader, "names", broken)
        room.renew()
        await settle(pilot)
        assert "The file is damaged" in screen_text(app)
        await press(pilot, "escape")
        assert "Cannot be read: The file is damaged" in screen_text(app) and "李老闆" in screen_text(app)


async def test_read_only_it_decides_nothing(make_station: Make, story: Story) -> None:
    app = make_station(story.engine, read_only=True)
    async with app.run_test(size=SIZE) as pilot:
        await open_names(pilot)
        before = story.engine.state_digest()
        for key in "+-ad":
            await press(pilot, key)
            assert "reading only" in screen_text(app)
        assert story.engine.state_digest() == before

"""The room Find shows what an agent would get; looking counts nothing; no late or failed answer misleads."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.errors import StoreUnusable
from memstation.recall.query import as_typed
from memstation.recall.ranking import RetrievalWeights, Terms
from memstation.station.app import StationApp
from memstation.station.finding import AGENTS_OWN, FoundRow
from memstation.station.render.glyphs import FINE, PLAIN
from memstation.station.render.hits import bar
from memstation.station.render.score import TABLE, term_lines, term_rows
from memstation.station.screens.find import FindScreen
from memstation.station.screens.timeline import TimelineScreen

from embedder_fakes import FAILING, Letters
from station.fakes import HOSTILE, NOW, FakeEngine
from station.find_store import look_for, open_find, the_knowledge
from station.pilots import press, resize, screen_text, settle
from station.review_store import Held
from station.test_timeline_hostile import painted
from station.timeline_store import BRACKETS, CONTROLS, Make, hostile_story, write


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Held]:
    story = the_knowledge(tmp_path / "agents.db")
    yield story
    story.engine.close()


def rows(room: FindScreen) -> list[FoundRow]:
    found = [room.main_pane.row(place) for place in range(room.main_pane.count)]
    return [row for row in found if row is not None]


def ids(room: FindScreen) -> list[str]:
    return [row.record.id for row in rows(room)]


def values(room: FindScreen) -> list[str]:
    return [row.record.object or row.record.content for row in rows(room)]


def message(app: StationApp) -> str:
    return "".join(part for part, _role in app.message)


def reads(story: Held) -> int:
    story.engine.write_reads()
    everything = [fact.id for fact in story.engine.list_recent("dudu", 100)]
    return story.engine.reader.reads_of(everything).times


async def test_from_a_query_to_the_reasons_and_back(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_find(pilot)
        assert "Search what an agent knows." in screen_text(app) and not room.is_filtering
        await press(pilot, "y")
        assert "there is no row here" in message(app)
        await press(pilot, "/")
        await write(pilot, "deploy target")
        assert room.is_filtering and values(room)[0] == "Cloudflare Workers", "the list follows what is typed"
        await press(pilot, "enter")
        assert not room.is_filtering
        shown = screen_text(app)
        assert values(room)[0] == "Cloudflare Workers" and "4 have a word of it" in shown
        for words in ("weight        0.35   0.25   0.35   0.15   0.15", "words      deploy, target", "x 1.000"):
            assert words in shown, words
        assert "Heroku" not in shown and "2 held, " in shown, "held is counted, not shown"
        hit = room.main_pane.selected
        assert hit is not None and hit.hit is not None and f"{hit.hit.score:.3f}" in shown
        await press(pilot, "w")
        assert "WHY THIS ONE" not in screen_text(app)
        await press(pilot, "w", "j", "enter")
        second = ids(room)[1]
        assert isinstance(app.screen, TimelineScreen)
        assert app.screen.main_pane.selected is not None and app.screen.main_pane.selected.id == second
        await press(pilot, "escape")
        assert app.screen is room and room.main_pane.cursor == 1, "back along the trail, on the same hit"
        assert room.query_text == "deploy target"
        await press(pilot, "y")
        assert second in message(app)
        await press(pilot, "escape")
        assert app.screen is not room and room.query_text == "deploy target", "escape loses no query"


async def test_as_the_agent_sees_it_is_what_its_search_gives(make_station: Make, story: Held) -> None:
    for number in range(AGENTS_OWN + 4):
        story.tell(
            f"2026-04-{number % 9 + 1:02} 08:00", "agent_derived", (f"build {number}", "deploy_log", f"run {number}")
        )
    story.now = NOW
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        before = reads(story)
        room = await open_find(pilot)
        for query in ("deploy", "老闆", "user deploy", '"deploy over"'):
            await look_for(pilot, query)
            await press(pilot, "i")
            agents = [hit.memory for hit in story.engine.search("dudu", query)]
            assert ids(room) == [memory.id for memory in agents], query
            shown = screen_text(app)
            assert "WHAT dudu READS" in shown and agents[0].content[:20] in shown
            await press(pilot, "i")
            assert len(ids(room)) >= len(agents)
        await look_for(pilot, "deploy")
        assert len(ids(room)) > AGENTS_OWN
        await press(pilot, "i", "=")
        assert "the agent is not told" in message(app) and len(ids(room)) == AGENTS_OWN
        assert "held" not in room.query_one("#found").text  # type: ignore[attr-defined]
        await press(pilot, "escape")
        assert not room.is_as_agent and app.screen is room
        assert reads(story) == before, "looking is no use"
        story.engine.search("dudu", "deploy", as_agent=True)
        assert reads(story) == before + AGENTS_OWN, "an agent's search is"


async def test_what_was_left_out_is_shown_when_asked(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        room = await open_find(pilot, "deploy target")
        hits = ids(room)
        await press(pilot, "=")
        states = {row.record.object: row.state for row in rows(room) if row.hit is None}
        assert states == {"Heroku": "held", "@ops_helper": "held", "Vercel": "closed"}
        assert ids(room)[: len(hits)] == hits, "the hits stay as they are"
        assert "▲ held  user deploy_target  Heroku" in screen_text(app)
        await press(pilot, "G", "k")
        shown = screen_text(app)
        assert "WHY IT IS NO HIT" in shown and "no agent is told it until you release it" in shown
        assert "LINKS AROUND user" in shown and "held: no search walks it" in shown
        assert "▲ deploy_target > Heroku  (this)" in shown
        await press(pilot, "escape")
        assert ids(room) == hits
        await look_for(pilot, "Heroku")
        assert rows(room) == [] and "= " in screen_text(app) and "show what was left out" in screen_text(app)
        await press(pilot, "=")
        assert values(room) == ["Heroku"] and "0 hits" in screen_text(app)


async def test_cjk_joined_names_and_links(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_find(pilot, "老闆 vim")
        assert set(values(room)) >= {"vim", "台北", "部署前先問我"} and "東京" not in values(room)
        shown = screen_text(app)
        assert "words      老闆, vim" in shown, "as it was typed, and not as it is folded"
        assert "links      老闆 prefers_editor > this" in shown
        await press(pilot, "L")
        shown = screen_text(app)
        assert "LINKS AROUND 老闆" in shown and "WHY THIS ONE" not in shown
        assert "prefers_editor > vim  (this)" in shown and "office > 台北" in shown
        await press(pilot, "tab", "j", "escape")
        assert room.focused is room.main_pane and app.screen is room
        await press(pilot, "w")
        assert "WHY THIS ONE" in screen_text(app) and "LINKS AROUND" not in screen_text(app)
        await resize(pilot, 120, 36)
        assert "LINKS AROUND" in screen_text(app) and "WHY THIS ONE" in screen_text(app)
        await press(pilot, "L")
        assert "LINKS AROUND" not in screen_text(app)
        room.agent_chosen("kei")
        await settle(pilot)
        await look_for(pilot, "会議室")
        assert values(room) == ["五階"] and "words      会議室" in screen_text(app)
        room.agent_chosen(None)
        assert room.find_agent == "kei" and "one agent at a time" in message(app)


async def test_as_of_a_moment(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_find(pilot, "deploy target")
        await press(pilot, "=", "t")
        await write(pilot, "2026-02-10")
        await press(pilot, "enter")
        wanted = story.engine.search("dudu", "deploy target", 100, at="2026-02-10", known_at="2026-02-10")
        assert ids(room) == [hit.memory.id for hit in wanted] and values(room)[0] == "Vercel"
        assert "as of Tue 10 Feb 2026 00:00 UTC" in screen_text(app)
        await press(pilot, "=")
        assert "what held then" in message(app)
        await press(pilot, "escape")
        assert room.moment is None and values(room)[0] == "Cloudflare Workers"


async def test_an_empty_query_and_one_without_a_word_say_what_to_do(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_find(pilot)
        for query, words in (("?!", "There is no word in it"), ("zzz", "In no memory in use: zzz"),
                             ("", "Search what an agent knows.")):  # fmt: skip
            await look_for(pilot, query)
            assert rows(room) == [] and words in screen_text(app), query
            assert not room.is_filtering, "the keys are the room's again"
        await look_for(pilot, "vim")
        assert room.focused is room.main_pane and values(room)[0] == "vim"


class Slow:
    """A finder that keeps the answer to a query until it is let go, or fails."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder
        self.gates: dict[str, threading.Event] = {}
        self.asked = threading.Event()
        self.answered: list[str] = []
        self.error: Exception | None = None

    def search(self, agent_id: str, query: str, *args: Any, **more: Any) -> Any:
        if query in self.gates:
            self.asked.set()
            assert self.gates[query].wait(30)
        if self.error is not None:
            raise self.error
        self.answered.append(query)
        return self._finder.search(agent_id, query, *args, **more)

    def around(self, *args: Any) -> Any:
        return self._finder.around(*args)


async def test_a_late_answer_is_dropped(make_station: Make, story: Held) -> None:
    slow = Slow(story.engine.finder)
    story.engine.__dict__["finder"] = slow
    slow.gates["vim"] = threading.Event()
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_find(pilot, "office")
        office = ids(room)
        room.search("vim")
        while not slow.asked.is_set():
            await pilot.pause(0.005)
        assert room.is_looking and ids(room) == office, "the old hits stay until the new ones are there"
        await pilot.press("enter")
        assert app.screen is room and "still searching" in message(app)
        room.search("plan")
        while "plan" not in slow.answered:
            await pilot.pause(0.005)
        slow.gates["vim"].set()
        await settle(pilot)
        assert slow.answered[-2:] == ["plan", "vim"], "the older question was answered last"
        assert values(room) == ["paid"] and not room.is_looking


async def test_a_failed_search_is_no_empty_list(make_station: Make, story: Held) -> None:
    slow = Slow(story.engine.finder)
    story.engine.__dict__["finder"] = slow
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_find(pilot, "deploy")
        slow.error = StoreUnusable("The disk is gone", "no such device")
        await look_for(pilot, "office")
        shown = screen_text(app)
        assert "This list cannot be read." in shown and "no such device" in shown
        assert "Cannot be read: The disk is gone" in shown and "Nothing that dudu" not in shown
        await press(pilot, "enter")
        assert app.screen is room and "it cannot be read" in message(app), "no verb acts on the rows of before"
        slow.error = None
        await look_for(pilot, "vim")
        assert values(room)[0] == "vim" and "cannot be read" not in screen_text(app)
        story.tell("2026-04-14 09:13", "user_direct", ("user", "editor", "vim"))
        story.now = NOW
        row = room.main_pane.selected
        app.look()
        await settle(pilot)
        assert len(rows(room)) > 1 and row is not None
        assert room.main_pane.selected is not None and room.main_pane.selected.record.id == row.record.id


async def test_what_was_searched_for_comes_back(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_find(pilot)
        for query in ("office", "vim", "老闆", "vim"):
            await look_for(pilot, query)
        assert room.queries() == ("office", "老闆", "vim")
        await press(pilot, "/")
        assert "up/down earlier queries" in screen_text(app)
        seen = []
        for key in ("up", "up", "up", "down", "down"):
            await press(pilot, key)
            seen.append(room.field.value)
        assert seen == ["老闆", "office", "office", "老闆", "vim"]
        await press(pilot, "up", "escape")
        assert room.query_text == "老闆" and "台北" in values(room), "the list is that of what the field says"
        await press(pilot, "3")
        assert room.field.value == "老闆", "outside the field a digit is a room"
    again = make_station(story.engine)
    async with again.run_test(size=(80, 24)) as pilot:
        room = await open_find(pilot)
        await press(pilot, "/", "up")
        assert room.field.value == "vim"


async def test_hostile_text_drives_no_terminal(make_station: Make, tmp_path: Path) -> None:
    story = hostile_story(tmp_path / "agents.db")
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        room = await open_find(pilot, agent="mallory")
        for query in (HOSTILE, BRACKETS[0], CONTROLS[0], '"', "NEAR(", "a AND -b:"):
            room.search(query)
            await settle(pilot)
            painted(app)
        await look_for(pilot, "c x")
        assert room.main_pane.count > 10
        for key in ("i", "j", "i", "="):
            await press(pilot, key)
            painted(app)
        for _ in range(0, room.main_pane.count, 5):
            room.main_pane.move(5)
            await settle(pilot)
            painted(app)
    story.engine.close()


async def test_nobody_to_search(make_station: Make) -> None:
    engine = FakeEngine()
    engine.reader.agents = list  # type: ignore[method-assign]
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "7")
        assert "No agent has told anything yet." in screen_text(app)
        await press(pilot, "i")
        assert "there is no agent yet" in message(app)


async def test_meaning_has_its_bar_and_what_lacks_a_vector_is_told(make_station: Make, story: Held) -> None:
    story.engine.embedder = Letters()
    story.engine.embed_missing("dudu")
    story.engine.embedder = None
    story.tell("2026-04-13 09:00", "operator", (None, None, None), "Deploys go out on Tuesday.")
    story.now = NOW
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        room = await open_find(pilot, "deploys")
        plain = values(room)
        assert "sense" in screen_text(app) and "off" in screen_text(app)
        story.engine.embedder = Letters()
        await look_for(pilot, "deploys tuesdays")
        shown = screen_text(app)
        assert "sense" in shown and not re.search(r"\boff\b", shown) and "Cloudflare Workers" in values(room) and plain
        assert "1 memory has no vector yet: memstation embed" in " ".join(shown.split())
        story.engine.embedder = FAILING["raises"]()
        await look_for(pilot, "deploy target")
        shown = " ".join(screen_text(app).split())
        assert "search by meaning took no part" in shown and values(room)[0] == "Cloudflare Workers"


def test_words_as_they_were_typed() -> None:
    assert as_typed("老闆 Office", ("老板", "office")) == ("老闆", "Office")
    assert as_typed("会議室", ("会议", "议室")) == ("会議室",)
    assert as_typed("ﬁne café", ("fine",)) == ("fine",), "where folding moved letters they are as looked for"


@pytest.mark.parametrize("glyphs", [FINE, PLAIN])
def test_a_bar_is_as_long_as_its_share(glyphs: Any) -> None:
    empty, full = glyphs.fill[0], glyphs.fill[-1]
    assert bar(0, glyphs.fill) == empty * 5 and bar(1, glyphs.fill) == full * 5
    assert bar(None, glyphs.fill) == " " * 5
    assert bar(0.6, glyphs.fill) == full * 3 + empty * 2
    assert bar(0.001, glyphs.fill) != empty * 5, "what is there at all is seen"


@pytest.mark.parametrize(("made", "cells"), [(term_rows, TABLE), (term_lines, 50)])
def test_the_terms_add_up_and_fit(made: Any, cells: int) -> None:
    terms = Terms(text=0.35, recency=0.1, importance=0.28, graph=None, vector=0.09, trust=0.93)
    lines = ["".join(text for text, _role in row) for row in made(terms, RetrievalWeights(), 0.3)]
    assert all(len(line) <= cells for line in lines)
    assert f"{terms.score:.3f}" == "0.763" and lines[-1].rstrip().endswith("0.763")
    assert "0.820" in lines[-1] and "0.930" in lines[-1] and any("0.30" in line for line in lines)
    assert not any("off" in line for line in lines), "with the term of meaning it is not off"

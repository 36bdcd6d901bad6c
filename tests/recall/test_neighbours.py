"""What is kept of the links around a name never outlives a write, a name, or the passing of time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from memstation.recall.finder import Finder

from recall.search_stores import triple
from station.review_store import Held

START = datetime(2026, 4, 14, 9, 0, tzinfo=UTC)


def alias(story: Held) -> None:
    story.engine.add_alias("dudu", "Taipei", "台北")


def held(story: Held) -> None:
    story.hold("2026-04-14 09:00", "channel:x", ("Rosa", "city", "Osaka"))


def decided(verb: str) -> Callable[[Held], object]:
    return lambda story: getattr(story.engine, verb)([row.id for row in story.engine.queue()])


def elsewhere(story: Held) -> None:
    other = Held(story.engine.path)
    other.now = story.now
    triple(other.engine, "Rosa", "team", "night", agent="dudu", id="elsewhere")
    other.engine.close()


def trust(story: Held) -> None:
    story.engine.set_origin_trust(None, "channel:line/7", 0.05)


def ends(story: Held) -> None:
    story.now += timedelta(days=2)


def undone(story: Held) -> None:
    head = story.engine.reader.head()
    assert head is not None
    story.engine.undo(head.seq)


def forgotten(story: Held) -> None:
    phrase = story.engine.preview_forget("dudu", "Mira").phrase
    story.engine.forget("dudu", "Mira", phrase=phrase)


ACTS: tuple[tuple[str, Callable[[Held], Any]], ...] = (
    ("alias", alias), ("undo", undone), ("alias again", alias), ("held", held), ("approved", decided("approve")),
    ("held again", held), ("denied", decided("deny")), ("another process", elsewhere), ("trust", trust),
    ("erased", forgotten), ("time", ends),
)  # fmt: skip


@pytest.fixture
def story(tmp_path: Path) -> Held:
    story = Held(tmp_path / "agents.db")
    story.tell("2026-01-01 09:00", "user_direct", ("Rosa", "city", "台北"))
    story.tell("2026-01-02 09:00", "channel:line/7", ("Taipei", "rain", "often"))
    story.tell("2026-01-03 09:00", "channel:line/7", ("Mira", "city", "台北"))
    story.tell("2026-01-04 09:00", "user_direct", ("Rosa", "plan", "trial"), valid_until="2026-04-15")
    story.tell("2026-01-05 09:00", "user_direct", ("Rosa", "city", "elsewhere"), agent="kei")
    story.now = START
    return story


def test_what_is_kept_is_what_is_there(story: Held) -> None:
    finder, names = story.engine.finder, ("Rosa", "台北", "Taipei", "Mira", "nobody")
    shown = {name: finder.around("dudu", name, 3, 10) for name in names}
    assert shown["nobody"] is None and shown["Rosa"] is not None
    for what, act in ACTS:
        act(story)
        fresh = Finder(story.engine._database, story.engine.clock)
        now = {name: finder.around("dudu", name, 3, 10) for name in names}
        assert now == {name: fresh.around("dudu", name, 3, 10) for name in names}, what
        assert now != shown, f"{what} changes nothing here, so it tests nothing"
        shown = now
    kei = finder.around("kei", "Rosa", 3, 10)
    assert kei is not None and [link.edge.object for link in kei.links] == ["elsewhere"]
    assert {name: finder.around("dudu", name, 3, 10) for name in names} == shown
    story.engine.close()

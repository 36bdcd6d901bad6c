"""A real store for the Names room's tests: a group, names joined by an agent, suggestions, a conflict of each kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memstation.station.screens.names import NamesScreen

from station.fakes import NOW
from station.pilots import settle
from station.timeline_store import Story


def the_names(path: Path) -> Story:
    """What dudu knows under which names."""
    story = Story(path)
    story.tell("2026-01-12 13:00", "user_direct", ("老闆", "office", "台北"), "老闆在台北辦公室。")
    story.tell("2026-02-08 12:00", "channel:line/7", ("李老闆", "prefers_editor", "vim"), "李老闆說他用 vim。")
    story.tell("2026-02-09 12:00", "channel:line/7", ("Zhixu Li", "office", "台北"), "Zhixu Li sits in Taipei.")
    story.tell("2026-03-01 12:00", "channel:line/7", ("Mirabel", "prefers_editor", "nano"))
    story.engine.add_alias("dudu", "老闆", "李老闆")
    story.tell("2026-03-02 12:00", "agent_derived", ("Cloudflare Workers", "plan", "paid"))
    story.tell("2026-04-02 10:30", "channel:line/7", ("老闆", "prefers_editor", "Helix"), "老闆現在用 Helix。")
    story.tell("2026-04-03 10:30", "agent_derived", ("error budget", "owner", "Noor"))
    story.tell("2026-04-04 10:30", "agent_derived", ("eror budget", "left", "3 %"))
    for day, value in ((6, "10:00"), (8, "09:30"), (10, "10:00"), (13, "09:30")):
        story.tell(f"2026-04-{day:02} 08:00", "channel:line/7", ("user", "standup_time", value))
    story.engine.add_alias("dudu", "Cloudflare Workers", "CF Workers", actor="agent:dudu")
    story.engine.suggest_aliases("dudu", [("老闆", "Zhixu Li"), ("老闆", "Mirabel")], reason="import names.csv")
    story.tell("2026-04-13 09:00", "user_direct", ("会議室", "floor", "五階"), "会議室は五階です。", agent="kei")
    story.now = NOW
    return story


async def open_names(pilot: Any) -> NamesScreen:
    """Go to the room, and wait until it has read."""
    await settle(pilot)
    await pilot.press("5")
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, NamesScreen)
    return screen

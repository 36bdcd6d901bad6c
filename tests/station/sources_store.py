"""A real store for the Sources room's tests: a poisoned channel, what it displaced and what was made from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memstation.domain.decisions import Decision, Event
from memstation.domain.instants import as_instant
from memstation.station.screens.sources import SourcesScreen

from station.fakes import NOW
from station.pilots import press, settle
from station.review_store import Held

POISON, NEAR, LINE, WEB = "channel:telegram/42", "channel:telegram/4", "channel:line/7", "mcp_external:webclip"
CJK = "channel:微信/老闆的工作群組"
HOSTILE = "channel:tele\u200bgram/\u202e24"


def the_sources(path: Path) -> Held:
    """Seven sources of two agents. The poison replaced two good values of dudu, and two memories were made from it."""
    story = Held(path)
    tell = story.tell
    tell("2026-01-05 09:00", "user_direct", ("user", "ci_provider", "GitHub Actions"))
    tell("2026-01-06 09:00", "user_direct", ("user", "deploy_target", "Cloudflare Workers"))
    tell("2026-02-01 08:00", LINE, ("user", "standup_time", "10:00"))
    tell("2026-02-02 08:00", LINE, ("老闆", "office", "台北"), agent="agnes")
    tell("2026-02-03 08:00", NEAR, ("user", "lunch", "12:30"))
    tell("2026-02-04 08:00", CJK, ("會議室", "樓層", "四樓"), agent="agnes")
    tell("2026-03-01 08:00", "operator", ("user", "vip", "no"))
    ci = tell("2026-04-09 17:00", POISON, ("user", "ci_provider", "Jenkins"))
    tell("2026-04-10 17:00", POISON, ("user", "deploy_target", "Heroku"))
    owner = tell("2026-04-10 17:05", POISON, ("release", "owner", "@ops_helper"))
    tell("2026-04-11 08:00", "agent_derived", ("release", "note", "ask @ops_helper"), derived_from=[owner])
    tell("2026-04-11 08:01", "agent_derived", ("release", "pipeline", "Jenkins at noon"), derived_from=[ci])
    tell("2026-04-12 08:00", POISON, ("agnes", "door_code", "0000"), agent="agnes")
    story.hold("2026-04-14 09:02", POISON, ("release", "rollback", "never"))
    story.now = as_instant("2026-04-14 09:05")
    dropped = Event("prompt_injection", "dudu", WEB, '{"rules": ["orders.ignore"]}')
    story.engine.apply(Decision("drop", "gate", (dropped,), "dudu"))
    read = [row.id for row in story.engine.list_recent("dudu", 20)]
    story.engine.count_reads("dudu", read)
    story.engine.count_reads("dudu", read)
    story.engine.write_reads()
    story.now = NOW
    return story


def odd_sources(path: Path) -> Held:
    """Names that cannot be seen for what they are, and names in wide characters."""
    story = Held(path)
    story.tell("2026-04-01 09:00", HOSTILE, ("user", "city", "Atlantis"))
    story.tell("2026-04-01 09:01", "channel:telegram/24", ("user", "city", "Nara"))
    story.tell("2026-04-02 09:00", CJK, ("會議室", "樓層", "四樓"), agent="agnes")
    story.tell("2026-04-02 09:01", "tool_echo:[red]x[/] " + "long" * 20, ("user", "zip", "630-0000"))
    story.now = NOW
    return story


async def open_sources(pilot: Any) -> SourcesScreen:
    """Go to the room, with the detail of the first source painted."""
    await settle(pilot)
    await pilot.press("4")
    await settle(pilot)
    room = pilot.app.here
    assert isinstance(room, SourcesScreen)
    return room


async def at(pilot: Any, origin: str | None) -> SourcesScreen:
    """Put the cursor on a source, and wait for its detail."""
    room = pilot.app.here
    place = next(place for place in range(room.main_pane.count) if room.main_pane.row(place).origin == origin)
    room.main_pane.move(place - room.main_pane.cursor)
    await settle(pilot)
    return room


async def keys(pilot: Any, *names: str) -> None:
    """Press keys, each after the last has done its work, and wait for the detail."""
    await press(pilot, *names)
    await settle(pilot)


def names(room: SourcesScreen) -> list[str | None]:
    """The sources that the list shows, in order."""
    return [room.main_pane.row(place).origin for place in range(room.main_pane.count)]  # type: ignore[union-attr]

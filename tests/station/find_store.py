"""A real store for the Find room's tests: Latin and CJK, names joined, something closed, planned, held, withdrawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memstation.station.screens.find import FindScreen

from station.fakes import NOW
from station.pilots import settle
from station.review_store import Held


def the_knowledge(path: Path) -> Held:
    """What dudu and kei know."""
    story = Held(path)
    tell = story.tell
    tell("2026-01-01 09:00", "import:notes", ("user", "deploy_target", "Vercel"), valid_from="2026-01-01")
    tell("2026-01-12 13:00", "user_direct", ("老闆", "office", "台北"), "老闆在台北辦公室。")
    tell("2026-02-08 12:00", "channel:line/7", ("李老闆", "prefers_editor", "vim"), "李老闆說他用 vim。")
    story.engine.add_alias("dudu", "老闆", "李老闆")
    tell("2026-02-20 11:00", "channel:line/7", (None, None, None), "No deploy over the holidays; tell Noor.")
    tell("2026-03-03 10:02", "operator", ("user", "deploy_target", "Cloudflare Workers"), valid_from="2026-03-03",
         content="The team moved deploys from Vercel to Cloudflare Workers.")  # fmt: skip
    tell("2026-03-05 10:00", "agent_derived", ("Cloudflare Workers", "plan", "paid"))
    tell("2026-03-20 12:00", "user_direct", ("老闆", "said", "部署前先問我"), "老闆說：部署 deploy 前先問我。")
    tell("2026-03-28 18:30", "user_direct", ("老闆", "office", "東京"), valid_from="2026-05-01")
    tell("2026-04-10 09:00", "user_direct", ("会議室", "floor", "五階"), "会議室は五階です。", agent="kei")
    story.hold("2026-04-14 09:02", "channel:telegram/42", ("user", "deploy_target", "Heroku"))
    story.hold("2026-04-14 09:03", "channel:telegram/42", ("user", "deploy_owner", "@ops_helper"))
    story.now = NOW
    return story


async def open_find(pilot: Any, query: str = "", agent: str = "dudu") -> FindScreen:
    """Go to the room, choose the agent, and search."""
    await settle(pilot)
    pilot.app.choose(agent)
    await pilot.press("7")
    await settle(pilot)
    room = pilot.app.screen
    assert isinstance(room, FindScreen)
    if query:
        await look_for(pilot, query)
    return room


async def look_for(pilot: Any, query: str) -> None:
    """Paste a query in place of the last one, and go to its hits."""
    await pilot.press("/")
    pilot.app.screen.field.value = query
    await pilot.press("enter")
    await settle(pilot)

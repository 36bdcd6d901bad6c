"""A real store for the Timeline's tests, with a fact of every kind; and a station on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memstation import MemoryEntry, TemporalMeta, open_engine
from memstation.domain.decisions import Claim, Decision, Mark
from memstation.domain.instants import as_instant, to_text
from memstation.domain.origins import ceiling
from memstation.station.app import StationApp
from memstation.station.screens.timeline import TimelineScreen

from station.fakes import HOSTILE, NOW
from station.pilots import press as press
from station.pilots import settle as settle

Make = Callable[..., StationApp]

BRACKETS = (
    "[red]x", "[/]", "[/", '{"flags": [true, false]}', "([zone:KEY=VAL]) memo", "[#ff0]hello",
    'took [2, "x"] then [c - end',
    "[@click=app.bell]x[/]", "[link=file:///etc/passwd]x[/link]", "\\[bold]", "[[a]]",
)  # fmt: skip
CONTROLS = (
    "a\x1b[2Jb\x1b[H", "a\x1b]52;c;QUJD\x07b", "a\x1b]0;title\x07", "a\x1b]8;;http://x\x1b\\b", "a\x1bPq\x1b\\",
    "a\x1bc",
    "a\x9b2J", "safe text\rEVIL", "a\x07b", "ab\x08\x08c", "a\x1b]", "x\u202egnp.exe\u202c", "z\u200b\u200b\u200bw",
)  # fmt: skip


class Story:
    """Tells facts into a store, each at its own moment."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self._made = 0
        self.engine = open_engine(path, lambda: self.now, make_id=self._id, **options)

    def _id(self, *_: object) -> str:
        self._made += 1
        return f"m_{self._made:04d}"

    def tell(self, when: str, origin: str, says: tuple[str | None, str | None, str | None], content: str | None = None,
             agent: str = "dudu", **more: Any) -> str:  # fmt: skip
        """Tell one fact; returns its id."""
        self.now = as_instant(when)
        subject, predicate, value = says
        entry = MemoryEntry(
            agent, content or value or "", tags=more.pop("tags", ()), source_event=more.pop("event", "")
        )
        meta = TemporalMeta(subject=subject, predicate=predicate, object=value, origin=origin, **more)
        actor = "operator" if origin == "operator" else "agent"
        return self.engine.store_temporal(entry, meta, actor=actor).id

    def hold(
        self, when: str, origin: str, says: tuple[str, str, str], reason: str = "burst", agent: str = "dudu"
    ) -> str:
        """Tell something that waits for a person."""
        self.now = as_instant(when)
        subject, predicate, value = says
        claim = Claim(self.engine.new_id(), agent, value, to_text(self.now), asserted_trust=ceiling(origin),
                      subject=subject, predicate=predicate, object=value, origin=origin)  # fmt: skip
        self.engine.apply(Decision("store", "agent", (claim, Mark(claim.id, "held", reason)), agent, reason))
        return claim.id


def the_story(path: Path) -> Story:
    """Dudu's facts: a chain with confirmations and something held, planned, withdrawn, tainted, many values, a note."""
    story = Story(path)
    tell = story.tell
    tell("2026-01-01 09:00", "import:notes", ("user", "deploy_target", "Vercel"), valid_from="2026-01-01")
    tell("2026-01-12 13:00", "user_direct", ("老闆", "office", "台北"))
    tell("2026-02-01 08:00", "agent_derived", ("user", "deploy_target", "Vercel"))
    tell("2026-02-02 08:00", "user_direct", ("user", "standup_time", "10:00"))
    tell(
        "2026-02-20 11:00", "agent_derived", (None, None, None), "The printer jams; tray two works.", tags=("printer",)
    )
    tell("2026-03-03 10:02", "operator", ("user", "deploy_target", "Cloudflare Workers"), valid_from="2026-03-03",
         content="The team moved deploys from Vercel to Cloudflare Workers.", event="cli")  # fmt: skip
    said = "The team moved deploys from Vercel to Cloudflare Workers."
    tell("2026-03-20 09:11", "agent_derived", ("user", "deploy_target", "Cloudflare Workers"), said)
    tell("2026-03-20 12:00", "channel:line/7", ("user", "speaks", "日本語"))
    tell("2026-03-20 12:01", "channel:line/7", ("user", "speaks", "English"))
    story.engine.set_predicate("dudu", "speaks", "many")
    tell("2026-03-28 18:30", "user_direct", ("老闆", "office", "東京"), valid_from="2026-05-01")
    owner = tell("2026-04-09 17:45", "channel:telegram/42", ("user", "deploy_owner", "@ops_helper"))
    made = tell(
        "2026-04-10 08:20", "agent_derived", ("user", "release_note", "owner is @ops_helper"), derived_from=[owner]
    )
    tell("2026-04-12 16:40", "channel:line/7", ("user", "deploy_target", "Cloudflare Workers"), said)
    story.now = as_instant("2026-04-13 18:00")
    marks = (Mark(owner, "withdrawn", "retracted"), Mark(made, "cap", "", 0.1))
    story.engine.apply(Decision("retract", "operator", marks, "dudu", "nobody goes by that name"))
    tell("2026-04-14 07:31", "channel:line/7", ("user", "standup_time", "09:30"))
    story.hold("2026-04-14 09:02", "channel:telegram/42", ("user", "deploy_target", "Heroku"))
    story.now = NOW
    return story


def hostile_story(path: Path) -> Story:
    """Mallory's facts: every hostile text in every place where text can stand."""
    story = Story(path)
    for place, text in enumerate((*BRACKETS, *CONTROLS, HOSTILE)):
        when = f"2026-04-{1 + place // 3:02} 1{place % 3}:00"
        story.tell(when, f"channel:{text[:40]}", (f"s{place} {text}"[:200], f"p {text}"[:200], text), f"c {text}",
                   agent="mallory", tags=(text[:60],), event=text[:60], metadata={text[:40]: text[:60]})  # fmt: skip
    story.now = NOW
    return story


def peoples_story(path: Path) -> Story:
    """Facts in many scripts, agent by agent: kei Japanese, tamar Hebrew and Arabic, joy emoji; rome long ago."""
    story = Story(path)
    tell = story.tell
    tell("2026-01-08 09:00", "user_direct", ("会議室", "階", "四階"), "会議室は四階です。", agent="kei")
    tell("2026-04-01 09:00", "user_direct", ("会議室", "階", "五階"), "会議室は五階に移りました。", agent="kei")
    tell(
        "2026-02-25 17:00",
        "agent_derived",
        ("会議室", "備考", "プロジェクターの電源が入らないので修理を依頼した"),
        agent="kei",
    )
    tell("2026-01-15 10:00", "import:手引き", ("受付", "内線", "１０１"), agent="kei")
    tell("2026-02-20 08:30", "user_direct", ("תמר", "תה אהוב", "نعناع"), "תמר אוהבת تاي نعناع", agent="tamar")
    tell("2026-03-20 08:30", "user_direct", ("תמר", "עיר", "חיפה (abc) 123"), agent="tamar")
    tell(
        "2026-03-05 16:20",
        "user_direct",
        ("team", "mood", "👩‍👩‍👧‍👦 ❤️ 🎉"),
        "Family day: 👩‍👩‍👧‍👦 ❤️ 🎉 🇹🇼 1️⃣",
        agent="joy",
    )
    tell("2026-03-06 16:20", "user_direct", ("team 🎉", "says ❤️", "👍🏽 ok"), agent="joy")
    tell("2026-03-01 10:00", "import:annals", ("rome", "ruled by", "Romulus Augustulus"), agent="rome",
         valid_from="0475-10-31", valid_until="0476-09-04")  # fmt: skip
    tell("2026-03-01 10:01", "import:annals", ("rome", "ruled by", "Odoacer"), agent="rome", valid_from="0476-09-04")
    tell("2026-03-01 10:02", "import:annals", ("rome", "ruled by", "Theoderic"), agent="rome", valid_from="0493-03-15",
         valid_until="0526-08-30")  # fmt: skip
    story.now = NOW
    return story


async def open_room(pilot: Any, agent: str = "dudu", text: str = "", n: int | None = None) -> TimelineScreen:
    """Go to an agent's Timeline."""
    await settle(pilot)
    pilot.app.open_timeline(agent, text, n)
    await settle(pilot)
    assert isinstance(pilot.app.here, TimelineScreen)
    return pilot.app.here


async def put_cursor(pilot: Any, value: str) -> None:
    """Put the cursor on the first fact with this value."""
    room = pilot.app.here
    list_ = room.main_pane
    place = next(at for at in range(list_.count) if list_.row(at).value == value)
    list_.move(place - list_.cursor)
    await settle(pilot)
    assert list_.selected.value == value


async def write(pilot: Any, *keys_or_text: str) -> None:
    """Type text, letter by letter."""
    from textual.events import Key

    for text in keys_or_text:
        for char in text:
            pilot.app.post_message(Key("space" if char == " " else char, char))
    await settle(pilot)

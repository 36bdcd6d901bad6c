"""Sources: what each told, what became of it, what the gate saw, what was ordered; and how often it was read."""

from __future__ import annotations

import json

from memstation.domain.decisions import Event, Mark, Order
from memstation.domain.near import near_named
from memstation.read.source_rows import SourceRow
from read_stores import Store

TELEGRAM, LINE = "channel:telegram/42", "channel:line/7"


def row_of(store: Store, origin: str | None, agent: str | None = None) -> SourceRow:
    (row,) = [row for row in store.reader.sources(agent) if row.origin == origin]
    return row


def test_an_empty_store_has_no_sources(store: Store) -> None:
    assert store.reader.sources() == [] and store.reader.origins() == []


def test_what_stands_waits_and_is_withdrawn_is_counted_by_agent(store: Store) -> None:
    store.tell("Nara", "01-01", origin=TELEGRAM, asserted_trust=0.3)
    store.tell("Osaka", "02-01", origin=TELEGRAM, asserted_trust=0.2)
    store.tell("Osaka", "02-02", origin=LINE, asserted_trust=0.3)
    store.hold("Kobe", "03-01", origin=TELEGRAM, asserted_trust=0.1)
    lie = store.tell("Atlantis", "03-01", origin=TELEGRAM, agent_id="agnes", asserted_trust=0.1)
    store.mark(lie, "withdrawn", "retracted")
    row = row_of(store, TELEGRAM)
    assert (row.facts, row.held, row.withdrawn, row.confirms) == (2, 1, 1, 0), "closed ones stand, too"
    assert [(share.agent_id, share.facts, share.withdrawn) for share in row.agents] == [("agnes", 0, 1), ("dudu", 2, 0)]
    assert (row.lowest, row.highest) == (0.2, 0.3), "what is held or withdrawn says nothing of its trust"
    assert row_of(store, LINE).confirms == 1 and row_of(store, LINE).highest is None
    assert row_of(store, TELEGRAM, "agnes").facts == 0
    assert [row.origin for row in store.reader.sources("agnes")] == [TELEGRAM]
    assert store.reader.sources("nobody") == []
    assert store.reader.origins() == [LINE, TELEGRAM]


def test_names_are_compared_exactly_and_none_is_a_source_of_its_own(store: Store) -> None:
    for place, origin in enumerate(("channel:a", "channel:a ", "Channel:a", None)):
        store.tell("x", predicate=f"p{place}", origin=origin)
    assert {row.origin: row.facts for row in store.reader.sources()} == {
        "channel:a": 1, "channel:a ": 1, "Channel:a": 1, None: 1,
    }  # fmt: skip
    assert row_of(store, None).class_name == "unattributed"


def test_the_weakest_is_first_and_of_equals_the_last_to_write(store: Store) -> None:
    for origin, trust in (("user_direct", 1.0), ("channel:a", 0.3), ("import:x", 0.7), ("channel:b", 0.3)):
        store.tell("x", predicate=origin, origin=origin, asserted_trust=trust)
        store.advance(minutes=1)
    assert [row.origin for row in store.reader.sources()] == ["channel:b", "channel:a", "import:x", "user_direct"]


def test_writes_are_counted_by_the_day(store: Store) -> None:
    store.advance(days=-20)
    store.tell("old", predicate="a", origin=LINE)
    store.advance(days=17)
    for n in range(3):
        store.tell(f"v{n}", predicate=f"b{n}", origin=LINE)
    store.advance(days=3)
    store.tell("today", predicate="c", origin=LINE)
    row = row_of(store, LINE)
    assert row.days == (0,) * 10 + (3, 0, 0, 1) and row.last == store.now
    detail = store.reader.source(LINE)
    assert detail.first is not None and (store.now - detail.first).days == 20
    assert [fact.value for fact in detail.newest] == ["today", "v2", "v1", "v0", "old"]


def test_bursts_and_drops_are_those_of_two_weeks(store: Store) -> None:
    def burst(subject: str) -> None:
        claim = store.claim("x", subject=subject, predicate=f"p{store.made}", origin=TELEGRAM)
        seen = Event("knowledge.quarantined", "dudu", TELEGRAM, '{"reason": "burst"}', claim.id)
        store.apply(claim, Mark(claim.id, "held", "burst"), seen)

    def drop(rules: list[str]) -> None:
        store.apply(Event("prompt_injection", "dudu", TELEGRAM, json.dumps({"rules": rules})), kind="drop")

    burst("user")
    drop(["old.rule"])
    store.advance(days=15)
    for subject in ("user", "user", "User", "release"):
        burst(subject)
    drop(["orders.ignore", "orders.run"])
    drop(["orders.run"])
    row = row_of(store, TELEGRAM)
    assert (row.bursts, row.dropped, row.held) == (2, 2, 5)
    detail = store.reader.source(TELEGRAM)
    assert detail.rules == ("orders.run", "orders.ignore") and [day.day for day in detail.bursts] == [store.now.day]
    assert store.reader.source(TELEGRAM, "agnes").rules == ()


def test_a_source_of_which_nothing_was_kept_is_listed(store: Store) -> None:
    store.apply(Event("prompt_injection", "dudu", "mcp_external:web", '{"rules": ["a"]}'), kind="drop")
    store.apply(Order("origin", "blocked", "*", value="channel:never"), kind="predicate")
    assert row_of(store, "mcp_external:web").dropped == 1 and row_of(store, "mcp_external:web").last is None
    never = row_of(store, "channel:never")
    assert never.agents == () and never.blocked_for == ("*",)
    assert never in store.reader.sources("dudu")


def test_what_was_ordered_rules_by_agent(store: Store) -> None:
    for agent in ("dudu", "agnes"):
        store.tell("x", predicate=agent, origin=LINE, agent_id=agent)
    blocked = store.apply(Order("origin", "blocked", "agnes", value=LINE), kind="predicate")
    store.apply(Order("origin_trust", "set", "*", value=LINE, number=0.25), kind="predicate")
    mine = store.apply(Order("origin_trust", "set", "dudu", value=LINE, number=0.1), kind="predicate")
    everybody, dudu, agnes = row_of(store, LINE), row_of(store, LINE, "dudu"), row_of(store, LINE, "agnes")
    assert (everybody.blocked_for, dudu.blocked_for, agnes.blocked_for) == (("agnes",), (), ("agnes",))
    assert (everybody.trust_set, dudu.trust_set, agnes.trust_set) == (0.1, 0.1, 0.25)
    assert everybody.trust_for == ("*", "dudu") and agnes.trust_for == ("*",)
    detail = store.reader.source(LINE, "agnes")
    assert detail.blocked_by is not None and detail.blocked_by.seq == blocked.seq
    assert store.reader.source(LINE, "dudu").blocked_by is None
    store.undo(blocked.seq)
    store.undo(mine.seq)
    assert row_of(store, LINE).blocked_for == () and row_of(store, LINE, "dudu").trust_set == 0.25


def test_what_was_made_from_a_source_is_counted_once(store: Store) -> None:
    a = store.tell("a", predicate="a", origin=LINE)
    b = store.tell("b", predicate="b", origin=LINE)
    store.tell("c", predicate="c", origin="agent_derived", derived_from=(a, b))
    assert store.reader.source(LINE).made_from == 1
    assert store.reader.source("agent_derived").made_from == 0


def test_names_that_are_easily_taken_for_another_are_near() -> None:
    others = ["channel:telegram/4", "channel:telegram/24", "channel:line/7", "Channel:Telegram/42", "operator",
              "channel:telegram/42\u200b"]  # fmt: skip
    assert near_named("channel:telegram/42", others) == (
        "Channel:Telegram/42", "channel:telegram/42\u200b", "channel:telegram/4"
    )  # fmt: skip
    assert near_named("operator", others) == ()

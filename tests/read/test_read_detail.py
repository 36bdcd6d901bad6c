"""Everything about one fact: lanes, links, sources, what came of it, the marks on it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from memstation.read.lanes import MOST_LANES, SHOWN_STARTS
from read_stores import Store


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=UTC)


def lanes(detail: Any) -> list[tuple[Any, ...]]:
    return [(lane.value, lane.state, lane.start, lane.until) for lane in detail.lanes]


def test_lanes_show_the_chain_with_what_waits_and_what_was_taken_out(store: Store) -> None:
    """The Timeline's axis: Vercel, then Cloudflare Workers with two confirmations, and Heroku that waits."""
    names = {"predicate": "deploy_target"}
    vercel = store.tell("Vercel", "01-01", **names)
    workers = store.tell("Cloudflare Workers", "03-03", origin="operator", **names)
    for day in ("03-20", "03-25"):
        store.tell("Cloudflare Workers", day, **names)
    heroku = store.hold("Heroku", "04-01", **names)
    lie = store.tell("Lie", "02-01", "02-10", **names)
    store.mark(lie, "withdrawn", "retracted")
    store.tell("elsewhere", "01-01")
    detail = store.reader.fact(2)
    assert detail is not None and detail.record.id == workers
    assert lanes(detail) == [
        ("Vercel", "closed", at("01-01"), at("03-03")),
        ("Lie", "withdrawn", at("02-01"), at("02-10")),
        ("Cloudflare Workers", "current", at("03-03"), None),
        ("Heroku", "held", at("04-01"), None),
    ]
    assert detail.lanes[2].confirmed == (at("03-20"), at("03-25"))
    assert (detail.lanes[2].origin, detail.lanes[3].id, detail.lanes_left_out) == ("operator", heroku, 0)
    assert detail.replaced is not None and detail.replaced.id == vercel and detail.replaced_by is None
    assert [c.said_from for c in detail.confirmations] == [at("03-25"), at("03-20")]
    assert (detail.confirmed, detail.record.reaffirmed_by) == (2, detail.confirmations)
    assert detail.marks == () and detail.made_from == () and detail.unknown_sources == ()
    assert (detail.told.seq, detail.told.kind, detail.told.summary) == (
        2, "store", "user deploy_target Cloudflare Workers",
    )  # fmt: skip
    old = store.reader.fact(1)
    assert old is not None and old.replaced_by is not None and old.replaced_by.id == workers


def test_held_and_withdrawn_ones_have_a_detail_too(store: Store) -> None:
    held = store.hold("Heroku", "04-01")
    gone = store.tell("Nara", "01-01")
    store.mark(gone, "withdrawn", "retracted")
    waits, lost = store.reader.fact(1), store.reader.fact(2)
    assert waits is not None and (waits.record.id, waits.record.state, waits.marks) == (held, "held", ("held: burst",))
    assert lost is not None and (lost.record.state, lost.marks) == ("withdrawn", ("withdrawn: retracted",))
    assert lost.record.invalidated_by_event == "retracted" and lost.confirmed == 0


def test_evidence_gives_its_fact_and_what_is_no_fact_gives_none(store: Store) -> None:
    claim = store.claim("Nara", "01-01")
    store.apply(claim)
    proof = store.tell("Nara", "01-10")
    silenced = store.tell("Nara", "03-01")
    store.end(claim, "02-01")
    detail = store.reader.fact(2)
    assert detail is not None and (detail.record.id, detail.record.asked) == (claim.id, proof)
    assert store.reader.fact(3) is None and store.reader.fact(4) is None
    assert store.reader.fact(0) is None and store.reader.fact(99) is None and store.reader.fact(-1) is None
    numbers = [store.reader.n_of(i) for i in (claim.id, proof, silenced, "m_0004", "no", "M_0001", "m\0", "m\ud83d")]
    assert numbers == [1, 1, None, None, None, None, None, None]
    held = store.hold("Heroku", "04-01")
    assert store.reader.n_of(held) == 5


def test_sources_and_what_came_of_them(store: Store) -> None:
    parent = store.tell("Nara", "01-01")
    store.tell("foreign", "01-01", agent_id="agnes", id="other")
    child = store.tell("rule", "02-01", predicate="rule", derived_from=(parent, "unknown", "other", parent))
    grown = store.tell("more", "02-02", predicate="more", derived_from=(child,))
    detail, origin = store.reader.fact(3), store.reader.fact(1)
    assert detail is not None and origin is not None
    assert [(row.id, row.agent_id) for row in detail.made_from] == [(parent, "dudu"), ("other", "agnes")]
    assert detail.unknown_sources == ("unknown",)
    assert [row.id for row in detail.leads_to] == [grown]
    assert [row.id for row in origin.leads_to] == [child]
    assert origin.made_from == () and origin.unknown_sources == ()


def test_a_source_that_is_evidence_shows_the_state_of_its_fact(store: Store) -> None:
    store.tell("Nara", "01-01")
    proof = store.tell("Nara", "01-10")
    store.tell("rule", "02-01", predicate="rule", derived_from=(proof,))
    detail = store.reader.fact(3)
    assert detail is not None
    [row] = detail.made_from
    assert (row.id, row.state, row.valid_from) == (proof, "current", at("01-01"))


def test_the_newest_fifty_children_are_shown(store: Store) -> None:
    parent = store.tell("Nara", "01-01")
    store.apply(*(store.claim("x", "02-01", predicate=f"p{n}", derived_from=(parent,)) for n in range(60)))
    detail = store.reader.fact(1)
    assert detail is not None
    assert [row.n for row in detail.leads_to] == list(range(61, 11, -1))


def test_only_marks_that_stand_are_told(store: Store) -> None:
    fact = store.tell("Nara", "01-01")
    taken_back = store.mark(fact, "cap", "contaminated", 0.1)
    store.mark(fact, "trust", "", 0.8)
    store.undo(taken_back.seq)
    detail = store.reader.fact(1)
    assert detail is not None and detail.marks == ("trust",)


def test_a_predicate_of_many_values_has_a_lane_for_each(store: Store) -> None:
    store.tell("ja", "01-01")
    store.tell("en", "02-01")
    store.many()
    detail = store.reader.fact(1)
    assert lanes(detail) == [("ja", "current", at("01-01"), None), ("en", "current", at("02-01"), None)]


def test_a_note_is_alone(store: Store) -> None:
    store.tell(None, "01-01", subject=None, predicate=None, content="one")
    store.tell(None, "01-01", subject=None, predicate=None, content="two")
    detail = store.reader.fact(2)
    assert lanes(detail) == [("two", "current", at("01-01"), None)]


def test_of_a_long_history_the_lanes_around_are_shown(store: Store) -> None:
    total = MOST_LANES + 100
    days = [datetime(2020, 1, 1, tzinfo=UTC).replace(year=2020 + n // 336, month=n // 28 % 12 + 1, day=n % 28 + 1)
            for n in range(total)]  # fmt: skip
    store.apply(
        *(store.claim(f"v{n}").__class__(
            id=f"c{n}", agent_id="dudu", content="c", asserted_from=day.isoformat(timespec="microseconds"),
            subject="user", predicate="city", object=f"v{n}",
        ) for n, day in enumerate(days))
    )  # fmt: skip
    for n, first, last in ((1, 0, MOST_LANES), (total, 100, total), (total // 2, 49, 549)):
        detail = store.reader.fact(n)
        assert detail is not None
        assert [lane.value for lane in detail.lanes] == [f"v{k}" for k in range(first, last)]
        assert detail.lanes_left_out == 100


def test_a_lane_carries_the_newest_starts_of_its_evidence(store: Store) -> None:
    claims = [store.claim("Nara", f"{n // 28 + 1:02d}-{n % 28 + 1:02d}") for n in range(70)]
    store.apply(*claims)
    detail = store.reader.fact(1)
    assert detail is not None
    [lane] = detail.lanes
    starts = [f"{n // 28 + 1:02d}-{n % 28 + 1:02d}" for n in range(70)]
    assert lane.confirmed == tuple(at(start) for start in starts[-SHOWN_STARTS:])
    assert (detail.confirmed, len(detail.confirmations)) == (69, 20)

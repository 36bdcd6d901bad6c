"""The past beside the present: the three questions, causes, time alone, details, filters, pages, and other agents."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput
from memstation.domain.names import fold_name
from memstation.read import causes
from memstation.read.moments import moment_after, moment_before, resolve_moment
from memstation.read.past import PastQuery
from memstation.read.rows import PAGE, PastRow
from read_stores import START, Store, day, open_store

from engine_histories import EPOCH, Author, Seeded
from engine_oracle import History


def query(at: Any = None, known: Any = None, text: str = "", **more: Any) -> PastQuery:
    return PastQuery("dudu", at, known, text, **more)


def rows(store: Store, asked: PastQuery) -> list[PastRow]:
    return store.reader.past(asked).head()


def told(found: list[PastRow]) -> list[tuple[Any, ...]]:
    """Kind, what was said then, what is said now, and the decision."""
    return [
        (r.kind, r.then and r.then.value, r.now and r.now.value, None if r.cause is None else r.cause.seq)
        for r in found
    ]  # fmt: skip


def test_the_three_questions_are_three_comparisons(store: Store) -> None:
    store.tell("Nara", "01-01", "03-15")
    first = store.now
    store.advance(days=10)
    store.tell("Osaka", "03-15")
    march = day("03-01")
    assert told(rows(store, query(march, first))) == [("changed", "Nara", "Osaka", 2)]
    assert told(rows(store, query(march, None))) == [("changed", "Nara", "Osaka", None)]
    assert told(rows(store, query(None, first))) == [("new", None, "Osaka", 2)]
    assert rows(store, query()) == [] and told(rows(store, query(only_differences=False)))[0][0] == "same"


def test_time_alone_is_said_with_the_instant_at_which_a_window_ended_or_began(store: Store) -> None:
    store.tell("Nara", "01-01", "04-05")
    store.tell("pro", "04-06", predicate="plan")
    before = store.now
    store.advance(days=10)
    found = {row.predicate: row for row in rows(store, query(before, before))}
    assert {name: (row.kind, row.cause) for name, row in found.items()} == {
        "city": ("gone", None),
        "plan": ("new", None),
    }
    assert found["city"].since == datetime(2026, 4, 5, tzinfo=UTC)
    assert found["plan"].since == datetime(2026, 4, 6, tzinfo=UTC)


def test_the_cause_is_the_decision_that_made_it_so_and_not_one_that_only_touched_it(store: Store) -> None:
    fact = store.tell("Nara", "01-01")
    store.advance(hours=1)
    lie = store.tell("Atlantis", "02-01")
    store.advance(hours=1)
    store.mark(lie, "withdrawn", "retracted")
    store.advance(hours=1)
    store.tell("Nara", "02-15", origin="channel:x")
    store.mark(fact, "trust", value=1.0)
    found = rows(store, query(day("03-01"), 2))
    assert told(found) == [("changed", "Atlantis", "Nara", 3)]
    assert found[0].since == START + timedelta(hours=2)


def test_an_undo_and_the_undo_of_an_undo_are_causes(store: Store) -> None:
    store.tell("Nara", "01-01")
    store.tell("Osaka", "02-01")
    store.undo(2)
    store.undo(3)
    march = day("03-01")
    assert told(rows(store, query(march, 2))) == []
    assert told(rows(store, query(march, 3))) == [("changed", "Nara", "Osaka", 4)]
    assert told(rows(store, query(march, 1))) == [("changed", "Nara", "Osaka", 4)]


def test_a_change_of_trust_alone_is_a_difference(store: Store) -> None:
    fact = store.tell("Nara", "01-01")
    store.mark(fact, "cap", value=0.2)
    (row,) = rows(store, query(day("03-01"), 1))
    assert told([row]) == [("changed", "Nara", "Nara", 2)]
    assert row.then and row.now and (row.then.trust, row.then.tainted, row.now.trust, row.now.tainted) == (
        1.0, False, 0.2, True,
    )  # fmt: skip


def test_held_and_withdrawn_are_not_beliefs_and_a_withdrawal_is_named(store: Store) -> None:
    fact = store.tell("Nara", "01-01")
    store.hold("Osaka", "02-01")
    assert told(rows(store, query(day("03-01"), 1, only_differences=False))) == [("same", "Nara", "Nara", None)]
    store.mark(fact, "withdrawn", "origin_purge")
    asked = query(day("03-01"), 2)
    (row,) = rows(store, asked)
    assert told([row]) == [("gone", "Nara", None, 3)]
    detail = store.reader.past_detail("dudu", row.key, asked)
    assert detail is not None and detail.withdrawn == "origin_purge" and detail.row == row
    assert detail.then is not None and detail.then.object == "Nara" and detail.now is None
    assert [decision.seq for decision in detail.decisions] == [3]


def test_where_many_values_hold_at_either_moment_each_object_is_a_row(store: Store) -> None:
    store.tell("ja", "01-01")
    store.tell("en", "02-01")
    store.many()
    asked = query(day("03-01"), 2, only_differences=False)
    found = rows(store, asked)
    assert sorted(told(found), key=repr) == [("new", None, "ja", 3), ("same", "en", "en", None)]
    assert len({row.key for row in found}) == 2 and all(":" in row.key for row in found)
    details = [store.reader.past_detail("dudu", row.key, asked) for row in found]
    assert [detail and detail.row for detail in details] == found


def test_notes_are_rows_of_their_own(store: Store) -> None:
    store.tell("a", "01-01", subject=None, predicate=None, content="one")
    store.tell("b", "01-02", subject=None, predicate=None, content="two")
    assert [(row.kind, row.subject, row.now and row.now.content) for row in rows(store, query(None, 0))] == [
        ("new", None, "two"), ("new", None, "one"),
    ]  # fmt: skip


def test_another_agents_facts_never_appear(store: Store) -> None:
    mine = store.tell("Nara", "01-01")
    theirs = store.tell("Oslo", "01-01", agent_id="agnes")
    store.tell("Bergen", "02-01", agent_id="agnes")
    store.many(agent="*")
    store.mark(theirs, "withdrawn")
    store.undo(4)
    for only in (True, False):
        for known in range(7):
            source = store.reader.past(query(day("03-01"), known, only_differences=only))
            assert all(side is None or side.id == mine for row in source.head() for side in (row.then, row.now))
            assert source.anchors().count == len(source.head())
    key = store.reader.past(PastQuery("agnes", None, 0)).head()[0].key
    assert store.reader.past_detail("agnes", key, PastQuery("agnes", None, 0)) is not None
    assert store.reader.past_detail("dudu", key, query(None, 0)) is None


@pytest.mark.parametrize("key", ["", "x", "00", "zz:00", "00" * 16, ":", "é"])
def test_a_key_of_nothing_has_no_detail(store: Store, key: str) -> None:
    store.tell("Nara", "01-01")
    assert store.reader.past_detail("dudu", key, query(None, 0)) is None


@pytest.mark.parametrize(("text", "wanted"), [
    ("", {"city", "plan"}), ("Nara", {"city"}), ("Osaka", {"city"}), ("value:pro", {"plan"}), ("says:city", {"city"}),
    ("about:user", {"city", "plan"}), ("-says:city", {"plan"}), ("trust:<0.4", {"plan"}), ("trust:1", {"city", "plan"}),
    ("from:2026-03-15", {"city"}), ("source:channel", {"city"}), ("seq:1", {"city"}), ("tag:x", set()),
    ("id:m_0003", {"city"}), ("since:2026-04-03", {"city"}), ("nowhere", set()), ("layer:episodic", {"city", "plan"}),
])  # fmt: skip
def test_a_filter_asks_either_belief_as_it_was(store: Store, text: str, wanted: set[str]) -> None:
    store.tell("Nara", "01-01")
    plan = store.tell("pro", "01-01", predicate="plan")
    first = store.now
    store.advance(days=10)
    store.tell("Osaka", "03-15", origin="channel:x")
    store.mark(plan, "cap", value=0.3)
    assert {row.predicate for row in rows(store, query(day("03-01"), first, text))} == wanted
    everything = store.reader.past(query(day("03-01"), first, text, only_differences=False))
    assert {row.predicate for row in everything.head()} == wanted and everything.anchors().count == len(wanted)


@pytest.mark.parametrize("text", ["state:held", "-state:current", "colour:red", "trust:x", "about:"])
def test_what_the_filter_cannot_ask_of_the_past_is_refused_before_anything_is_read(store: Store, text: str) -> None:
    with pytest.raises(InvalidInput):
        store.reader.past(query(None, 0, text))


@pytest.mark.parametrize("known", [5, -1, "someday", "#9", True])
def test_what_is_no_moment_is_refused(store: Store, known: Any) -> None:
    store.tell("Nara", "01-01")
    with pytest.raises(InvalidInput):
        store.reader.past_moment(query(None, known))
    with pytest.raises(InvalidInput):
        store.reader.past(query(None, known)).head()


def test_a_moment_is_resolved_on_both_clocks(store: Store) -> None:
    store.tell("Nara", "01-01")
    store.advance(hours=1)
    store.tell("Osaka", "02-01")
    moment = store.reader.past_moment(query("2026-03-01", START))
    assert (moment.at, moment.seq, moment.known) == (datetime(2026, 3, 1, tzinfo=UTC), 1, START)
    assert store.reader.past(query("2026-03-01", START)).moment == moment
    now = store.reader.past_moment(query())
    assert (now.at, now.seq, now.known) == (store.now, 2, store.now)
    numbered = store.reader.past_moment(query(None, 1))
    assert (numbered.at, numbered.seq, numbered.known) == (store.now, 1, START)
    with store.database.reading() as conn:
        before, after = moment_before(conn, 2), moment_after(conn, 2)
        assert (before.at, before.seq, after.seq) == (store.now, 1, 2)
        assert resolve_moment(conn, "#2", store.now) == resolve_moment(conn, 2, store.now) == before
        assert resolve_moment(conn, "#2", store.now, is_before=False) == after
        assert resolve_moment(conn, "2026-04-01 09:30", store.now).seq == 1
        assert resolve_moment(conn, "-7d", store.now).seq == 0
        for wrong in ("#0", "#3", "#x", "#", 0, 3, -1, "2026-05-01", "tomorrow", "someday", 10**30):
            with pytest.raises(InvalidInput):
                resolve_moment(conn, wrong, store.now)


def test_long_lists_are_merged_page_by_page(store: Store) -> None:
    """Rows that were looked at anew and rows that are stored as they were believed, in one order without a gap."""
    claims = [store.claim(f"v{n}", "01-01", subject=f"s{n}") for n in range(PAGE * 3)]
    store.apply(*claims)
    store.apply(*(store.claim("changed", "02-01", subject=f"s{n}") for n in range(0, PAGE * 3, 2)))
    for only, length in ((True, PAGE * 3 // 2), (False, PAGE * 3)):
        asked = query(day("03-01"), 1, only_differences=only)
        fresh = store.reader.past(asked)
        walked = page = fresh.head()
        assert len(page) == PAGE
        while page:
            page = fresh.page(fresh.key(walked[-1]))[1:]
            walked = [*walked, *page]
        source = store.reader.past(asked)
        anchors = source.anchors()
        assert anchors.count == len(walked) == length
        by_anchors = [row for key in anchors.keys for row in source.page(key)]
        assert by_anchors == walked
        keys = [source.key(row) for row in walked]
        assert keys == sorted(keys, reverse=True) and [source.index_of(key) for key in keys[::97]] == [
            *range(0, length, 97)
        ]
        assert source.index_of(10**9) is None
        assert {row.kind for row in walked} == ({"changed"} if only else {"changed", "same"})


def test_a_source_keeps_its_comparison_and_a_new_one_sees_what_was_decided_since(store: Store) -> None:
    store.tell("Nara", "01-01")
    source = store.reader.past(query(day("03-01"), 1))
    assert source.head() == []
    store.tell("Osaka", "02-01")
    assert source.head() == [] and source.anchors().count == 0
    assert told(rows(store, query(day("03-01"), 1))) == [("changed", "Nara", "Osaka", 2)]


def test_a_cause_beyond_the_budget_is_the_newest_decision(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.tell("Nara", "01-01")
    store.tell("Osaka", "02-01")
    for _ in range(3):
        store.tell("Osaka", "02-02")
    asked = query(day("03-01"), 1)
    assert told(rows(store, asked)) == [("changed", "Nara", "Osaka", 2)]
    monkeypatch.setattr(causes, "MOST_TRIED", 2)
    assert told(rows(store, asked)) == [("changed", "Nara", "Osaka", 5)]


def test_differences_between_two_past_moments_and_the_wrong_order(store: Store) -> None:
    store.tell("Nara", "01-01")
    store.advance(days=1)
    store.tell("Osaka", "02-01")
    store.advance(days=1)
    store.tell("Kobe", "03-01")
    differences = store.reader.differences
    assert told(differences("dudu", START, "2026-04-02 10:00").head()) == [("changed", "Nara", "Osaka", 2)]
    assert told(differences("dudu", "#3", "#3").head()) == [("changed", "Osaka", "Kobe", 3)]
    assert told(differences("dudu", 1).head()) == [("new", None, "Kobe", 3)]
    with pytest.raises(InvalidInput, match="earlier"):
        differences("dudu", "#3", "#1").head()


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_histories_are_shown_again_as_they_were(tmp_path: Any, seed: int) -> None:
    """The chain of a fact after each decision, with what was held and withdrawn then, in every column."""
    history, dice = History(), Seeded(seed)
    author = Author(dice, history)
    asked = [(agent, "user", predicate) for agent in ("ada", "bo") for predicate in ("city", "tag")]
    with open_store(tmp_path / "store.db") as store:

        def chains(known_at: int | None = None) -> list[Any]:
            """Without use counts, which are no statement and have no past."""
            found = [
                store.reader.get_history(*names, include_held=held, known_at=known_at)
                for names in asked
                for held in (False, True)
            ]
            return [[replace(r, access_count=0, last_accessed=None) for r in records] for records in found]

        store.now = EPOCH + timedelta(days=4)
        noted = []
        for step in range(50):
            decision = author.decision()
            store.advance(minutes=dice.below(3))
            applied = store.ledger.apply(decision)
            history.tell(applied.seq, applied.at, decision)
            if step % 5 == 0:
                noted.append((applied.seq, chains()))
        for seq, then in noted:
            assert chains(seq) == then, f"after decision {seq}"
        roles = {record.state for _, then in noted for records in then for record in records}
        assert {"held", "withdrawn", "closed"} <= roles


@pytest.mark.parametrize("seed", range(3))
def test_a_report_says_what_was_believed_held_and_withdrawn(tmp_path: Any, seed: int) -> None:
    history, dice = History(), Seeded(seed)
    author = Author(dice, history)
    with open_store(tmp_path / "store.db") as store:
        store.now = EPOCH + timedelta(days=4)
        for _ in range(40):
            decision = author.decision()
            store.advance(minutes=dice.below(3))
            applied = store.ledger.apply(decision)
            history.tell(applied.seq, applied.at, decision)
        at = EPOCH + timedelta(days=5)
        for seq in (3, 12, 25, 40):
            belief = history.belief(seq)
            instant = at.isoformat(timespec="microseconds")
            expected = {}
            for key, line in belief.lines().items():
                holder = line.holder_at(instant)
                if holder is not None and key[1] == "ada":
                    stretch = next(s for s in line.stretches() if s.founder == holder.n)
                    shown = belief.by_number[stretch.shown].id
                    expected[shown] = (stretch.start, belief.shown_trust(stretch), len(stretch.members) - 1)
            told_by_then = {
                c.id for s, _, d in history.decisions if s <= seq for c in d.statements if hasattr(c, "asserted_from")
            }
            mine = {c.id for c in author.claims if c.agent_id == "ada"} & told_by_then
            fates = {row.id: row.role for row in belief.rows().values()}
            with store.reader.believing("ada", at, seq) as believing:
                found = {
                    b.id: (b.valid_from.isoformat(timespec="microseconds"), b.trust, b.confirmations)
                    for b in believing.beliefs()
                }
                aside = {(b.id, b.stamp == "held") for b in believing.aside()}
                assert believing.count == len(found)
            assert found == expected, f"after decision {seq}"
            # What was taken back is in no belief of the oracle: withdrawn.
            assert aside == {
                (i, fates.get(i) == "held") for i in mine if fates.get(i, "withdrawn") in ("held", "withdrawn")
            }


def test_a_report_is_in_the_order_of_names_with_notes_last(store: Store) -> None:
    store.tell("z", "01-01", subject="Zoe")
    store.tell("n", "01-01", subject=None, predicate=None)
    store.tell("b", "01-01", subject="adam", predicate="works")
    store.tell("a", "01-01", subject="Adam", predicate="city")
    with store.reader.believing("dudu", None, None) as believing:
        names = [(fold_name(b.subject or ""), b.predicate) for b in believing.beliefs()]
        head = believing.head()
    assert names == [("adam", "city"), ("adam", "works"), ("zoe", "city"), ("", None)]
    assert head is not None and head.row.seq == 4 and len(head.hash) > 8

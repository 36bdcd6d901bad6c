"""The Log: what each decision says of itself, which ones stand, and the filter over the whole of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memstation.domain.decisions import Mark, Order
from memstation.domain.errors import InvalidInput
from memstation.read.log import LogQuery
from memstation.read.log_filter import BARE_WORDS, LOG_TERMS, log_filter_table_markdown
from memstation.read.rows import PAGE, LogRow
from read_stores import Store


def rows(store: Store, text: str = "", agent: str | None = None) -> list[LogRow]:
    """The decisions, newest first; read in all the ways that a list is read."""
    listed = store.reader.log(LogQuery(text, agent))
    fresh = store.reader.log(LogQuery(text, agent))
    head, anchors = listed.head(), listed.anchors()
    found = [row for key in anchors.keys for row in listed.page(key)]
    assert anchors.count == len(found) and head == found[:PAGE]
    assert [row.seq for row in found] == sorted((row.seq for row in found), reverse=True)
    for place in {0, len(found) // 2, len(found) - 1} if found else ():
        key = listed.key(found[place])
        assert listed.index_of(key) == fresh.index_of(key) == place
        assert listed.page(key) == fresh.page(key) == found[place : place + PAGE]
    assert listed.index_of(10**6) is None and fresh.index_of(10**6) is None
    return found


def seqs(store: Store, text: str = "", agent: str | None = None) -> list[int]:
    return [row.seq for row in rows(store, text, agent)][::-1]


def summary(store: Store) -> str:
    head = store.reader.head()
    assert head is not None
    return head.summary


def test_an_empty_log(store: Store) -> None:
    assert rows(store) == [] and store.reader.head() is None and store.reader.decision(1) is None


def test_a_row_says_who_did_what(store: Store) -> None:
    store.tell("Vercel", "01-01", predicate="deploy_target")
    claim = store.claim("Cloudflare Workers", "03-03", predicate="deploy_target")
    store.apply(claim, kind="correct", actor="operator", reason="moved", agent_id="dudu")
    row = store.reader.head()
    assert row == LogRow(
        seq=2, at=store.now, actor="operator", agent_id="dudu", kind="correct", reason="moved", stands=True,
        taken_back_by=None, target=None, group=None, facts=1, closed=1,
        summary="user deploy_target Cloudflare Workers",
    )  # fmt: skip


def test_what_stands_and_who_took_it_back(store: Store) -> None:
    store.tell("Nara", "01-01")
    store.tell("Osaka", "02-01")
    store.undo(1)
    store.undo(3)
    store.undo(2)
    assert [(r.seq, r.stands, r.taken_back_by, r.target) for r in rows(store)] == [
        (5, True, None, 2), (4, True, None, 3), (3, False, 4, 1), (2, False, 5, None), (1, True, None, None),
    ]  # fmt: skip
    assert [r.closed for r in rows(store)] == [1, 0, 1, 1, 0]


def test_summaries_of_claims(store: Store) -> None:
    store.tell("Cloudflare Workers", "01-01", predicate="deploy_target")
    assert summary(store) == "user deploy_target Cloudflare Workers"
    store.tell(None, "01-01", subject=None, predicate=None, content="a note\nin two lines")
    assert summary(store) == "a note\nin two lines"
    store.tell(None, "01-01", predicate="mood", content="quite well")
    assert summary(store) == "user mood quite well"
    store.tell("x" * 5000, "01-01", predicate="long")
    assert len(summary(store)) == 200 and summary(store).endswith("xx..")
    store.apply(*(store.claim("x", "01-01", predicate=f"p{n}") for n in range(3)))
    assert summary(store) == "3 memories about user"
    store.apply(store.claim("x", "01-01", predicate="q1"), store.claim("x", "01-01", subject="老闆", predicate="q2"))
    assert summary(store) == "2 memories"
    store.apply(store.claim("x", "01-01", predicate="q3"), store.claim(None, subject=None, predicate=None, content="n"))
    assert summary(store) == "2 memories"
    store.apply(*(store.claim("x", "01-01", predicate=f"r{n}") for n in range(1200)))
    assert summary(store) == "1,200 memories"


def test_summaries_of_judgements_ends_and_undos(store: Store) -> None:
    claims = [store.claim("x", "01-01", predicate=f"p{n}") for n in range(4)]
    store.apply(*claims)
    store.mark(claims[0].id, "withdrawn", "retracted")
    assert summary(store) == "user p0 x"
    store.apply(*(Mark(c.id, "denied") for c in claims), Mark(claims[0].id, "cap", "", 0.1), kind="retract")
    assert summary(store) == "4 memories about user"
    claim = store.claim("office wifi", "01-01", predicate="wifi")
    store.apply(claim)
    store.end(claim, "02-01")
    assert summary(store) == "user wifi office wifi"
    store.undo(5)
    assert summary(store) == "#5: user wifi office wifi"
    store.undo(6)
    assert summary(store) == "#6: #5"
    store.undo(7)
    assert summary(store) == "#7: #6"


@pytest.mark.parametrize(("order", "expected"), [
    (Order("predicate", "many", "dudu", predicate="speaks"), "speaks holds many values"),
    (Order("predicate", "one", "*", predicate="speaks"), "speaks holds one value"),
    (Order("alias", "joined", "dudu", subject="Zhixu Li", value="老闆"), "Zhixu Li -> 老闆"),
    (Order("alias", "parted", "dudu", subject="Zhixu Li", value="老闆"), "Zhixu Li apart"),
    (Order("rejected", "rejected", "dudu", "user", "city", "Mars"), "user city Mars rejected"),
    (Order("rejected", "lifted", "dudu", "user", "city", "Mars"), "user city Mars no longer rejected"),
    (Order("origin", "blocked", "*", value="channel:x"), "channel:x blocked"),
    (Order("origin", "unblocked", "*", value="channel:x"), "channel:x not blocked any more"),
    (Order("origin_trust", "set", "dudu", value="channel:x", number=0.2), "channel:x has trust 0.2"),
    (Order("origin_trust", "unset", "dudu", value="channel:x"), "channel:x has the trust of its class"),
    (Order("rejected", "rejected", "dudu", value="{braces} stay"), "{braces} stay rejected"),
])  # fmt: skip
def test_summaries_of_orders(store: Store, order: Order, expected: str) -> None:
    store.apply(order, kind="predicate")
    assert summary(store) == expected
    store.apply(order, *(Order("predicate", "many", "dudu", predicate=name) for name in "ab"))
    assert summary(store) == f"{expected} and 2 more"
    detail = store.reader.decision(2)
    assert detail is not None and detail.orders == (expected, "a holds many values", "b holds many values")


def test_a_decision_with_its_statements(store: Store) -> None:
    old = store.claim("Nara", "01-01")
    store.apply(old)
    new, proof = store.claim("Osaka", "03-01"), store.claim("Nara", "01-10")
    cap, hold = Mark(old.id, "cap", "contaminated", 0.1), Mark(new.id, "held", "burst")
    store.apply(new, proof, cap, hold, Mark(old.id, "trust", value=0.5))
    store.end(old, "02-01", reason="moved out")
    detail = store.reader.decision(2)
    assert detail is not None
    assert [(row.id, row.state) for row in detail.told] == [(new.id, "held"), (proof.id, "closed")]
    assert [(words, row.id) for words, row in detail.marks] == [
        ("cap: contaminated", old.id), ("held: burst", new.id), ("trust", old.id),
    ]  # fmt: skip
    assert detail.ended == () and detail.orders == ()
    end = store.reader.decision(3)
    assert end is not None and [row.id for row in end.ended] == [old.id] and end.told == ()
    assert end.row.summary == "user city Nara" and end.row.reason == "moved out"
    for wrong in (0, 4, -1, 10**15):
        assert store.reader.decision(wrong) is None


def test_an_end_whose_fact_is_gone_is_told_in_its_own_words(store: Store) -> None:
    claim = store.claim("Nara", "01-01")
    store.apply(claim)
    store.end(claim, "02-01")
    store.undo(1)
    detail = store.reader.decision(2)
    assert detail is not None
    assert [(row.id, row.value, row.state) for row in detail.ended] == [("m_0002", "Nara", "closed")]


def test_at_most_fifty_statements_of_a_kind(store: Store) -> None:
    claims = [store.claim("x", "01-01", predicate=f"p{n}") for n in range(120)]
    store.apply(*claims, *(Mark(c.id, "cap", "", 0.5) for c in claims))
    detail = store.reader.decision(1)
    assert detail is not None and (len(detail.told), len(detail.marks), detail.row.facts) == (50, 50, 120)


@pytest.fixture
def told(store: Store) -> Store:
    """Eight decisions of four people about two agents on three days."""
    store.tell("Nara", "01-01")  # 1
    store.advance(days=1)
    lie = store.tell("Heroku", "02-01", predicate="deploy_target", agent_id="agnes")  # 2
    store.mark(lie, "withdrawn", "made up")  # 3
    store.apply(store.claim("Helix", "01-01", predicate="editor"), actor="channel:line/7", reason="50% sure_of it")  # 4
    store.advance(days=1)
    store.many("speaks")  # 5
    store.undo(5)  # 6
    store.tell("Nara", "03-01", content="user city  Nara")  # 7: confirms
    store.apply(Order("rejected", "rejected", "dudu", "user", "city", "Atlantis"), actor="Operator")  # 8
    return store


@pytest.mark.parametrize(("text", "expected"), [
    ("", [1, 2, 3, 4, 5, 6, 7, 8]), ("who:operator", [3, 5, 6]), ("who:agent", [1, 2, 7]), ("who:Operator", [8]),
    ("who:channel:line/7", [4]), ("who:channel*", [4]), ("who:channel", []), ("who:oper_tor", []),
    ("who:operator,agent", [1, 2, 3, 5, 6, 7]), ("-who:operator", [1, 2, 4, 7, 8]),
    ("did:store", [1, 2, 4, 7, 8]), ("did:stored", [1, 2, 4, 7, 8]), ('did:"took back"', [6]), ("did:UNDO", [6]),
    ('did:"set rule",retract', [3, 5]), ("agent:agnes", [2]), ("agent:dud", []),
    ("agent:d*,agnes", [1, 2, 3, 4, 5, 6, 7, 8]),
    ("since:2026-04-02", [2, 3, 4, 5, 6, 7, 8]), ("since:2026-04-03", [5, 6, 7, 8]), ("since:2030-01-01", []),
    ("before:2026-04-02", [1]), ("before:2030-01-01", [1, 2, 3, 4, 5, 6, 7, 8]), ("before:2020-01-01", []),
    ("since:2026-04-02 before:2026-04-03", [2, 3, 4]), ("#3", [3]), ("#99", []), ("-#3", [1, 2, 4, 5, 6, 7, 8]),
    ("is:undone", [5]), ("is:standing", [1, 2, 3, 4, 6, 7, 8]), ("-is:undone", [1, 2, 3, 4, 6, 7, 8]),
    ("Heroku", [2, 3]), ("hero", [2, 3]), ("ero", []), ("made", [3]), ('"made up"', [3]), ("50%", [4]),
    ("sure_of", [4]), ("sureXof", []), ("%", [4]), ("_", [4]), ("nara", [1, 7]), ("atlantis", [8]), ("speaks", [5]),
    ("city", [1, 7, 8]),
    ("city -did:store", []), ("[", []), ('"took back"', []), ("did:store who:agent nara", [1, 7]),
])  # fmt: skip
def test_the_filter_finds(told: Store, text: str, expected: list[int]) -> None:
    assert seqs(told, text) == expected


def test_the_log_of_one_agent(told: Store) -> None:
    assert seqs(told, agent="agnes") == [2]
    assert seqs(told, "heroku", agent="agnes") == [2]
    assert seqs(told, agent="agne_") == [] and seqs(told, agent="nobody") == []
    told.apply(told.claim("a", "01-01"), told.claim("b", "01-01", agent_id="agnes"), agent_id="")
    told.many("speaks", agent="*")
    assert seqs(told, agent="agnes") == seqs(told, "agent:agnes") == [2, 9, 10]
    assert seqs(told, agent="nobody") == [10]


@pytest.mark.parametrize(("text", "title", "said"), [
    ("who:", "'who:'", "who:operator"), ("did:", "'did:'", ""), ("did:stoer", "did:", "store"), ("is:", "'is:'", ""),
    ("is:undon", "is:", "undone"), ("since:x", "since:", "since:2026-04-01"), ("wo:me", "'wo:'", "who:"),
    ("-", "'-'", ""),
    (f"#{10**18}", "#:", ""), ("about:user", "'about:'", '"about:user"'),
])  # fmt: skip
def test_what_is_half_typed_is_refused(told: Store, text: str, title: str, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        rows(told, text)
    assert title in caught.value.title
    assert said in f"{caught.value.detail} {caught.value.hint}"


_PIECES = ["who:", "did:store", "#", "#3", "-", '"', "nara", "%", "is:", " ", "[", "\0", "\ud83d", "東"]


@given(st.lists(st.sampled_from(_PIECES), max_size=6).map("".join))
def test_nothing_that_can_be_typed_is_a_crash(told: Store, text: str) -> None:
    try:
        rows(told, text)
    except InvalidInput as refusal:
        assert refusal.title and "SELECT" not in str(refusal)


def test_the_table_lists_every_term_and_its_examples_can_be_typed(told: Store) -> None:
    table = log_filter_table_markdown()
    for term in LOG_TERMS:
        assert f"| `{term.name}:` | {term.matches} | `{term.example}` |" in table
        rows(told, term.example)
    for _, _, example in BARE_WORDS:
        rows(told, example)


def test_long_logs_are_paged(store: Store) -> None:
    for n in range(2 * PAGE + 31):
        store.apply(store.claim("x", "01-01", predicate=f"p{n}"), reason="odd" if n % 2 else "even")
    assert len(rows(store)) == 2 * PAGE + 31
    assert len(rows(store, "odd")) == PAGE + 15
    first = store.reader.log(LogQuery("p0"))
    assert [row.seq for row in first.head()] == [1]


def test_the_journal_for_the_api_goes_the_other_way(told: Store) -> None:
    def page(after: int, limit: int) -> list[Any]:
        return [row.seq for row in told.reader.journal(after, limit)]

    assert (page(0, 3), page(3, 2), page(8, 10), page(0, 1000)) == ([1, 2, 3], [4, 5], [], list(range(1, 9)))

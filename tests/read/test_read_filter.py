"""The Timeline's filter: every term, what is typed half, and letters that mean something to SQL but not here."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memstation.domain.errors import InvalidInput
from memstation.domain.names import fold_name
from memstation.read.filter import BARE_WORDS, FILTER_TERMS, filter_table_markdown
from memstation.read.log_filter import LOG_TERMS
from memstation.read.names import near
from memstation.read.timeline import TimelineQuery
from memstation.store.text_index import CREATE, segment
from read_stores import Store


def found(store: Store, text: str, agent: str = "dudu") -> list[str]:
    """What each row says, in the order told; asked in the three ways that a list is read."""
    listed = store.reader.timeline(TimelineQuery(agent, text))
    rows = listed.head()
    anchors = listed.anchors()
    assert [row for key in anchors.keys for row in listed.page(key)] == rows
    assert anchors.count == len(rows)
    return [row.value for row in reversed(rows)]


@pytest.fixture
def told(store: Store) -> Store:
    """A few facts that differ in everything that a term asks about."""
    store.tell("Nara", "01-01", origin="operator", asserted_trust=1.0, tags=("Work", "x"), layer="semantic")
    store.tell("Osaka", "02-01", origin="channel:line/7", asserted_trust=0.3)
    store.advance(days=1)
    store.tell("09:30", "03-01", predicate="standup_time", origin="channel:telegram/42", asserted_trust=0.5)
    store.tell("Helix", "03-15", predicate="prefers_editor", subject="老闆", origin="user", asserted_trust=1.0)
    store.advance(days=1)
    store.hold("Heroku", "04-01", predicate="deploy_target", origin="channel:telegram/4")
    store.tell("東京", "05-01", predicate="office", subject="老闆", origin="user_direct")
    store.tell(None, "01-01", subject=None, predicate=None, content="C++ and Rust: 50% faster_than →", origin=None)
    lie = store.tell("Atlantis", "02-10", predicate="office", origin="mcp_external:webclip")
    store.mark(lie, "withdrawn", "retracted")
    return store


NOTE = "C++ and Rust: 50% faster_than →"
ALL = ["Nara", "Osaka", "09:30", "Helix", "Heroku", "東京", NOTE, "Atlantis"]


@pytest.mark.parametrize(("text", "expected"), [
    ("", ALL), ("   ", ALL), ("\u3000", ALL),
    ("about:user", ["Nara", "Osaka", "09:30", "Heroku", "Atlantis"]),
    ("about:ＵＳＥＲ", ["Nara", "Osaka", "09:30", "Heroku", "Atlantis"]),
    ("about：老闆", ["Helix", "東京"]),
    ("About:User,老闆", [value for value in ALL if value != NOTE]),
    ("about:us*", ["Nara", "Osaka", "09:30", "Heroku", "Atlantis"]),
    ('about:"us*"', []), ("about:us", []), ("about:%", []), ("about:u_er", []), ("about:老*", ["Helix", "東京"]),
    ("about:*", [value for value in ALL if value != NOTE]), ("tag:*", ["Nara"]),
    ('about:"us"*', ["Nara", "Osaka", "09:30", "Heroku", "Atlantis"]),
    ("-about:user", ["Helix", "東京", NOTE]),
    ("says:CITY", ["Nara", "Osaka"]), ("says:standup_time", ["09:30"]), ("says:standup%time", []),
    ("says:office,standup*", ["09:30", "東京", "Atlantis"]),
    ("value:nara", ["Nara"]), ("value:Na*", ["Nara"]), ("value:東*", ["東京"]), ("value:09:30", ["09:30"]),
    (f'value:"{NOTE}"', [NOTE]), ('value:"c++  AND rust: 50% faster_than →"', [NOTE]), ("value:C*", [NOTE]),
    ("value:nara,osaka", []), ("value:50%*", []),
    ("source:operator", ["Nara"]), ("source:channel", ["Osaka", "09:30", "Heroku"]),
    ("source:channel:telegram/4", ["Heroku"]), ("source:channel:telegram/4*", ["09:30", "Heroku"]),
    ("source:Channel:telegram/4", []), ("source:chan", []), ("source:user", ["Helix", "東京"]),
    ("source:user_direct", ["Helix", "東京"]), ("source:unattributed", [NOTE]),
    ("-source:channel", ["Nara", "Helix", "東京", NOTE, "Atlantis"]),
    ("state:held", ["Heroku"]), ("state:withdrawn,HELD", ["Heroku", "Atlantis"]), ("state:closed", ["Nara"]),
    ("state:scheduled", ["東京"]), ("state:current", ["Osaka", "09:30", "Helix", NOTE]),
    ("-state:current", ["Nara", "Heroku", "東京", "Atlantis"]), ("state:tainted", []),
    ("since:2026-04-02", ["09:30", "Helix", "Heroku", "東京", NOTE, "Atlantis"]), ("since:2026-04-04", []),
    ("before:2026-04-02", ["Nara", "Osaka"]), ("before:2030-01-01", ALL), ("since:2026-04-02 before:2026-04-03",
                                                                           ["09:30", "Helix"]),
    ("since:2026-04-03T08:59", ["Heroku", "東京", NOTE, "Atlantis"]), ("before:2026-04-01", []),
    ("from:2026-03-01", ["09:30", "Helix", "Heroku", "東京"]),
    ("trust:<0.5", ["Osaka"]), ("trust:<=0.5", ["Osaka", "09:30"]), ("trust:0.3", ["Osaka"]), ("trust:>1", []),
    ("trust:>=1.0 about:user", ["Nara", "Heroku", "Atlantis"]), ("trust:=.5", ["09:30"]),
    ("id:m_0001,m_0003", ["Nara", "09:30"]), ("id:m_000*", ALL), ("id:M_0001", []), ("id:m%", []),
    ("seq:1", ["Nara"]), ("seq:#3,4", ["09:30", "Helix"]), ("seq:999", []),
    ("layer:semantic", ["Nara"]), ("layer:sem*", ["Nara"]), ("layer:Episodic", ALL[1:]), ("tag:work", ["Nara"]),
    ("tag:wo*", ["Nara"]), ("tag:w", []), ("tag:x,y", ["Nara"]), ("-tag:x", ALL[1:]),
    ("city", ["Nara", "Osaka"]), ("cit", ["Nara", "Osaka"]), ("ity", []), ("user nara", ["Nara"]), ("京", ["東京"]),
    ("東京", ["東京"]), ("rust and", [NOTE]), ('"and rust"', [NOTE]), ('"rust and"', []), ("→", [NOTE]),
    ("50%", [NOTE]), ("@user", []), ("standup_", ["09:30"]),
    ("user -city -state:held", ["09:30", "Atlantis"]), ("-user", ["Helix", "東京", NOTE]), ("C++", [NOTE]),
    ('"about:user"', []), ("09:30", ["09:30"]), ("[", []), ("(", []), ("*", []), ("^", []), ("NEAR", []),
    ("OR", []), ("user OR", []), ("AND", [NOTE]), ("NOT rust", []), ("'", []), (";", []), ("{rust}", []),
    ("about:user says:city value:nara source:operator state:closed", ["Nara"]),
])  # fmt: skip
def test_a_filter_finds(told: Store, text: str, expected: list[str]) -> None:
    assert found(told, text) == expected


def test_a_tainted_one_is_found_by_the_word_that_the_list_shows(told: Store) -> None:
    told.mark("m_0002", "cap", value=0.1)
    told.mark("m_0008", "cap", value=0.1)
    assert found(told, "state:tainted") == ["Osaka"]


@pytest.mark.parametrize(("text", "title", "hint"), [
    ("about:", "'about:'", 'about:user,"office wifi"'), ("user about:", "'about:'", ""), ("-about:", "'-about:'", ""),
    ('about:""', "'about:\"\"'", ""), ("about:,", "'about:,'", ""), ("-", "'-'", ""), ('"', "'\"'", ""),
    ("- ", "'-'", ""), ("trust:", "'trust:'", "trust:<0.5"), ("trust:<", "trust:", "trust:<0.5"),
    ("trust:high", "trust:", "trust:<0.5"), ("trust:nan", "trust:", ""), ("trust:.", "trust:", ""),
    ("trust:<0,5", "trust:", ""), ("state:", "'state:'", ""), ("since:yesterday", "since:", "since:2026-04-01"),
    ("since:2026-02-30", "since:", ""), ("before:2026-01-01,2026-01-02", "before:", "before:2026-04-01"),
    ("from:x", "from:", ""), ("seq:x", "seq:", "seq:408"), ("seq:1*", "seq:", ""), (f"seq:{10**18}", "seq:", ""),
    ("deploy:prod", "'deploy:'", '"deploy:prod"'), ("https://x.example/a b", "'https:'", '"https://x.example/a"'),
])  # fmt: skip
def test_what_is_half_typed_is_refused_with_a_hint_that_names_the_term(
    told: Store, text: str, title: str, hint: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        found(told, text)
    assert title in caught.value.title and hint in caught.value.hint


@pytest.mark.parametrize(("text", "nearest"), [
    ("abuot:user", "about:"), ("sate:held", "state:"), ("orign:x", "before:"), ("zzz:x", "about:, says:"),
    ("state:help", "held"), ("state:with", "withdrawn"), ("state:zzz", "current, scheduled, closed"),
    ("state:held*", "held"),
])  # fmt: skip
def test_an_unknown_word_names_the_nearest(told: Store, text: str, nearest: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        found(told, text)
    if text != "orign:x":
        assert nearest in caught.value.detail


def test_a_quote_that_is_not_closed_reaches_to_the_end(store: Store) -> None:
    store.tell("x", "01-01", subject="office wifi")
    for text in ('about:"office wifi', 'about:"OFFICE  wifi"', 'about:office" "wifi'):
        assert found(store, text) == ["x"]
    store.tell("y", "01-01", subject='the "boss"')
    assert found(store, 'about:"the ""boss"""') == ["y"]
    store.tell("z", "01-01", subject="wifi, office")
    assert found(store, 'about:"wifi, office","office wifi"') == ["x", "z"]


def test_c16_wildcards_of_sql_are_plain_letters(store: Store) -> None:
    names = ["a_b", "axb", "a%b", "a[b]", "a*b", "a?b", "a\\b", "a'b", "A_B"]
    for name in names:
        store.tell(name, "01-01", subject=name, predicate=f"p {name}", origin=f"class:{name}", tags=(name,))
    for name in names:
        same = [other for other in names if other.lower() == name.lower()]
        assert found(store, f"about:{name}") == same
        assert found(store, f'says:"p {name}"') == same
        assert found(store, f"value:{name}") == same
        assert found(store, f"source:class:{name}") == [name]
        assert found(store, f"source:class:{name}*") == [name]
        assert found(store, f"about:{name}*") == same
        assert found(store, f"tag:{name}") == same


@pytest.mark.parametrize(("name", "typed"), [
    ("Straße", "STRASSE"), ("ﬁre", "fire"), ("Ｇａｔｅｗａｙ", "gateway"), ("a  b", "a b"), (" a b ", "A B"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("か\u3099", "が"), ("ﾊﾝｶｸ", "ハンカク"), ("a\tb", "a b"), ("İx", "i\u0307x"),
    ("\u212aelvin", "kelvin"),
])  # fmt: skip
def test_names_are_folded_as_everywhere(store: Store, name: str, typed: str) -> None:
    store.tell("x", "01-01", subject=name)
    store.tell("y", "01-01", subject="something else")
    for text in (f'about:"{typed}"', f'about:"{name}"', f'about:"{typed}"*'):
        assert found(store, text) == ["x"], text


def test_a_new_spelling_is_found_by_a_list_that_is_open(store: Store) -> None:
    store.tell("x", "01-01", subject="User")
    listed = store.reader.timeline(TimelineQuery("dudu", "about:user"))
    assert [row.value for row in listed.head()] == ["x"]
    store.tell("y", "01-01", subject="USER", predicate="other")
    assert [row.value for row in listed.head()] == ["y", "x"]


def test_another_agents_text_is_never_found(store: Store) -> None:
    store.tell("secret", "01-01", agent_id="agnes", subject="orchard", tags=("t",))
    for text in ("secret", "about:orchard", "value:secret", "id:m_0001", "seq:1", "tag:t", "-x", "state:current"):
        assert found(store, text) == []
        assert found(store, text, agent="agnes") == ["secret"]


def test_a_filter_has_a_limit(store: Store) -> None:
    for text in ("x" * 2001, "x " * 101, "about:" + "a," * 301):
        with pytest.raises(InvalidInput, match="too long"):
            found(store, text)
    assert found(store, "x " * 100) == [] and found(store, "-x " * 100) == []
    assert found(store, "about:" + ",".join(f"n{n}" for n in range(300))) == []
    assert found(store, " ".join(["-about:" + "ß," * 290] * 3)) == []
    assert found(store, " ".join(["tag:" + "t," * 90] * 10)) == []


_PIECES = [
    *(f"{term.name}:" for term in FILTER_TERMS), "about:user", "state:held", "trust:<0.5", "since:2026-04-01", "-", '"',
    "*", ",", " ", "user", "東京", "[", "]", "(", ")", "%", "_", "\\", "'", ";", "--", ":", "\0", "\ud83d", "😀",
    "\u202e",    "AND", "OR", "NOT", "NEAR(", "^", "{", "}", "1e309", "9" * 40, "\u3000", "\t", "é", "ß",
]  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=4)), max_size=8).map("".join))
def test_nothing_that_can_be_typed_is_a_crash(told: Store, text: str) -> None:
    try:
        rows = found(told, text)
    except InvalidInput as refusal:
        assert refusal.title and refusal.detail
        assert "SELECT" not in str(refusal)
    else:
        assert set(rows) <= set(ALL)


@settings(max_examples=100)
@given(st.text(alphabet="aA_% *ß老ſK\u0301", min_size=1, max_size=4), st.booleans())
def test_about_is_what_folding_says(store: Store, typed: str, is_prefix: bool) -> None:
    names = ["a", "A a", "aß", "ass", "a_", "a%", "老a", "老", "ſk", "Sk", "\u212a", "\u00e1", "a\u0301"]
    names += ["*", "a*", "_", "%"]
    if store.made == 0:
        for number, name in enumerate(names):
            store.tell(name, "01-01", subject=name, predicate=f"p{number}")
    wanted = fold_name(typed)
    if not wanted:
        return
    same = [n for n in names if (fold_name(n).startswith(wanted) if is_prefix else fold_name(n) == wanted)]
    assert sorted(found(store, f'about:"{typed}"' + "*" * is_prefix)) == sorted(same)


def test_the_table_lists_every_term_and_its_examples_can_be_typed(told: Store) -> None:
    table = filter_table_markdown()
    assert table.startswith("| term | what it matches | example |\n|---|---|---|\n")
    for term in FILTER_TERMS:
        assert f"| `{term.name}:` | {term.matches} | `{term.example}` |" in table
        found(told, term.example)
    for _, _, example in BARE_WORDS:
        found(told, example)
    assert len({term.name for term in FILTER_TERMS}) == len(FILTER_TERMS)


def test_both_tables_share_the_names_of_what_they_share() -> None:
    shared = {term.name for term in FILTER_TERMS} & {term.name for term in LOG_TERMS}
    assert shared == {"since", "before"}


def test_paging_of_a_filter_reaches_everything(store: Store, monkeypatch: Any) -> None:
    claims = [store.claim("x" if n % 7 else "needle", "01-01", predicate=f"p{n}") for n in range(1500)]
    store.apply(*claims)
    listed = store.reader.timeline(TimelineQuery("dudu", "needle"))
    anchors = listed.anchors()
    rows = [row for key in anchors.keys for row in listed.page(key)]
    assert len(rows) == anchors.count == 215 and all(row.object == "needle" for row in rows)


def _is_one_of_many(code: int) -> bool:
    """Ideographs and syllables of which a few stand for all."""
    return any(first + 0x80 <= code < last for first, last in ((0x3400, 0x9F80), (0xAC00, 0xD780), (0x20000, 0x40000)))


def test_the_index_is_only_asked_for_names_that_it_folds_as_folding_does() -> None:
    """Of every letter there is: what folds to a name that is looked for through the index, the index finds."""
    names: dict[str, list[str]] = {}
    for code in range(0x20100):
        letter = chr(code)
        if not (0xD800 <= code < 0xE000 or letter.isspace() or _is_one_of_many(code)):
            name = fold_name(letter)
            if near(name):
                names.setdefault(name, []).append(letter)
    assert {"ss", "é", "й", "㐀", "か", "가"} <= names.keys()
    said = [(name, letter + tail) for name, letters in names.items() for letter in letters for tail in ("", "明")]
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute(CREATE)
        rows = [(n, segment(text)) for n, (_, text) in enumerate(said)]
        index.executemany("INSERT INTO memory_text (rowid, said, names, whose) VALUES (?, ?, '', '')", rows)
        missed = []
        for n, (name, text) in enumerate(said):
            sql = "SELECT 1 FROM memory_text WHERE memory_text MATCH ? AND rowid = ?"
            if not index.execute(sql, (near(name), n)).fetchall():
                missed.append(text)
    assert missed == []

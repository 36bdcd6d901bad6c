"""Names that are one: chains, circles, exact undo, what agents may; cases C12, C18, C38 and C51."""

from __future__ import annotations

import csv
import json
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memstation.domain.aliases import Aliases, Link
from memstation.domain.errors import InvalidInput, NotFound, Refused

from engine_checks import new_store
from engine_facts import tell

DATA = Path(__file__).parent.parent / "data"


def flat(engine: Any, agent: str = "ada") -> dict[str, str]:
    """Every joined name and its title."""
    return {row.name: group.title for group in engine.reader.aliases(agent) for row in group.names[1:]}


# -- C51 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("canonical", "alias"), [("k", "k"), ("k", " K "), ("Straße", "STRASSE"), ("Ｇate", "gate")])
def test_a_name_is_not_joined_with_itself(engine: Any, canonical: str, alias: str) -> None:
    """C51, 1."""
    with pytest.raises(InvalidInput, match="joined with itself"):
        engine.add_alias("ada", canonical, alias)
    assert engine.journal() == []


@pytest.mark.parametrize("broken", ["\ud800", "z\x00", "\ufffd", " \ufffd\u200b\ufffd "])
def test_a_name_that_is_broken_is_not_joined(engine: Any, broken: str) -> None:
    """Two broken names would be one when repaired."""
    for names in (("k", broken), (broken, "k")):
        with pytest.raises(InvalidInput, match=r"is broken|is empty"):
            engine.add_alias("ada", *names)
        with pytest.raises(InvalidInput, match=r"is broken|is empty"):
            engine.suggest_aliases("ada", [names])
    assert engine.journal() == []


def test_too_many_suggestions_say_what_to_do(engine: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        engine.suggest_aliases("ada", ((f"n{n}", f"m{n}") for n in range(20_001)))
    assert "20,000" in caught.value.detail and "several lists" in caught.value.hint


@pytest.mark.parametrize("chain", ["ab", "abc", "abcdef"])
def test_a_circle_is_refused_and_changes_nothing(engine: Any, chain: str) -> None:
    """C51, 2 and 3."""
    for alias, canonical in pairwise(chain):
        engine.add_alias("ada", canonical, alias)
    before = flat(engine), engine.state_digest()
    with pytest.raises(Refused, match=" -> ".join(chain)):
        engine.add_alias("ada", chain[0].upper(), chain[-1])
    assert (flat(engine), engine.state_digest()) == before


def test_chains_are_flat_in_both_directions(engine: Any) -> None:
    """C51, 4: the title becomes an alias later, or an alias is joined to."""
    engine.add_alias("ada", "a", "x")
    engine.add_alias("ada", "b", "a")
    assert flat(engine) == {"x": "b", "a": "b"}
    engine.add_alias("ada", "x", "y")
    assert flat(engine) == {"x": "b", "a": "b", "y": "b"}
    rows = engine.list_aliases("ada")
    assert {row.name: (row.title, row.under) for row in rows} == {"x": ("b", "a"), "a": ("b", "b"), "y": ("b", "x")}


def test_again_is_nothing_and_elsewhere_is_a_move(engine: Any) -> None:
    """C51, 5."""
    assert engine.add_alias("ada", "q", "p") is not None
    assert engine.add_alias("ada", "Q ", "P") is None
    assert len(engine.journal()) == 1
    engine.add_alias("ada", "p", "o")
    assert engine.preview_alias("ada", "r", "p").moves_from == "q"
    engine.add_alias("ada", "r", "p")
    assert flat(engine) == {"p": "r", "o": "r"}
    assert len(engine.list_aliases("ada")) == 2


@pytest.mark.parametrize("name", ["", "  ", "\u200b\u200d", "n" * 5_000, 7, None])
def test_what_is_no_name_is_refused(engine: Any, name: Any) -> None:
    """C51, 6."""
    for pair in (("title", name), (name, "alias")):
        with pytest.raises(InvalidInput):
            engine.add_alias("ada", *pair)
    assert engine.journal() == []


def test_invisible_characters_make_another_name_that_can_be_joined(engine: Any) -> None:
    """Facts keep joiners apart, so a join is the way to say that they are one."""
    engine.add_alias("ada", "mira", "mi\u200dra")
    assert engine.reader.aliases("ada")[0].names[1].name == "mi\u200dra"


# -- parting --------------------------------------------------------------------------------------------------------


def test_a_name_taken_out_leaves_the_state_as_it_was(engine: Any) -> None:
    tell(engine, "Helix", "2026-01-01", subject="老闆", predicate="editor")
    before = engine.state_digest()
    engine.add_alias("ada", "老闆", "李老闆")
    assert engine.state_digest() != before
    engine.remove_alias("ada", "李老闆 ")
    assert engine.state_digest() == before and flat(engine) == {}
    engine.add_alias("ada", "老闆", "李老闆")
    assert flat(engine) == {"李老闆": "老闆"}


def test_only_its_own_join_is_taken_out(engine: Any) -> None:
    for alias, canonical in ("xp", "pq", "zq"):
        engine.add_alias("ada", canonical, alias)
    engine.remove_alias("ada", "p")
    assert flat(engine) == {"x": "p", "z": "q"}
    with pytest.raises(Refused, match="others stand under"):
        engine.remove_alias("ada", "q")
    with pytest.raises(NotFound, match="joined to none"):
        engine.remove_alias("ada", "nobody")


def test_taking_back_a_join_on_which_others_build_takes_only_that_link(engine: Any) -> None:
    first = engine.add_alias("ada", "a", "x")
    engine.add_alias("ada", "b", "a")
    moved = engine.add_alias("ada", "c", "b")
    engine.undo(first.seq)
    assert flat(engine) == {"a": "c", "b": "c"}
    engine.undo(moved.seq)
    assert flat(engine) == {"a": "b"}
    engine.undo(len(engine.journal()))
    assert flat(engine) == {"a": "c", "b": "c"}


def test_a_move_taken_back_is_the_earlier_join(engine: Any) -> None:
    engine.add_alias("ada", "q", "p")
    before = engine.state_digest()
    engine.undo(engine.add_alias("ada", "r", "p").seq)
    assert flat(engine) == {"p": "q"} and engine.state_digest() == before


def test_a_circle_that_an_undo_closes_is_still_one_group(engine: Any) -> None:
    """P was parted from q, q joined to p, and then the parting is taken back: each name stands under one title."""
    engine.add_alias("ada", "q", "p")
    parted = engine.remove_alias("ada", "p")
    engine.add_alias("ada", "p", "q")
    engine.undo(parted.seq)
    assert flat(engine) == {"q": "p"}
    with pytest.raises(Refused):
        engine.add_alias("ada", "q", "p")
    assert engine.verify().ok


NAMES = "abcdef"
STEPS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.booleans()), max_size=10)


@settings(max_examples=15)
@given(STEPS, st.data())
def test_undoing_any_of_it_is_a_history_without_it(steps: list[tuple[str, str, bool]], data: Any) -> None:
    """The links that stand are the only thing that counts; what is undone was never said."""
    with new_store() as store:
        told = []
        for one, other, is_part in steps:
            try:
                if is_part:
                    applied = store.engine.remove_alias("ada", one)
                else:
                    applied = store.engine.add_alias("ada", other, one)
            except (Refused, NotFound, InvalidInput):
                continue
            if applied is not None:
                told.append((applied.seq, one, None if is_part else other))
        undone = data.draw(st.sets(st.sampled_from([seq for seq, *_ in told])) if told else st.just(set()))
        for seq in undone:
            store.engine.undo(seq)
        links: dict[str, str | None] = {}
        for seq, one, other in told:
            if seq not in undone:
                links[one] = other
        assert sets(flat(store.engine)) == reference(links)
        assert store.engine.verify().ok


def sets(titles: dict[str, str]) -> set[frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for name, title in titles.items():
        groups.setdefault(title, {title}).add(name)
    return {frozenset(group) for group in groups.values()}


def reference(links: dict[str, str | None]) -> set[frozenset[str]]:
    """Connected parts, found by growing each name's set until nothing is added."""
    pairs = [{one, other} for one, other in links.items() if other is not None]
    found = set()
    for name in NAMES:
        group = {name}
        for _ in NAMES:
            for pair in pairs:
                if pair & group:
                    group |= pair
        if len(group) > 1:
            found.add(frozenset(group))
    return found


def test_the_title_does_not_depend_on_how_links_are_read() -> None:
    links = [Link("a", "b", 1), Link("b", "c", 2), Link("c", "a", 3), Link("d", "b", 4), Link("e", "d", 5)]
    titles = {tuple(Aliases(order).title(name) for name in "abcde") for order in permutations(links)}
    assert titles == {("a",) * 5}
    assert Aliases(links).together("E") == ("a", "b", "c", "d", "e")


# -- facts ----------------------------------------------------------------------------------------------------------


def test_a_join_closes_nothing(engine: Any) -> None:
    """C12, 2."""
    tell(engine, "Northwind", "2026-01-01", subject="ana", predicate="works_at")
    tell(engine, "Contoso", "2026-02-01", subject="anna", predicate="works_at")
    applied = engine.add_alias("ada", "ana", "anna")
    assert applied.effects.changes == () and applied.effects.emptied == ()
    assert sorted(record.object for record in engine.list_recent("ada")) == ["Contoso", "Northwind"]
    [clash] = engine.conflicts("ada")
    assert (clash.kind, [side.value for side in clash.sides]) == ("disagree", ["Contoso", "Northwind"])


def test_the_preview_names_what_would_be_one(engine: Any) -> None:
    tell(engine, "Helix", "2026-01-01", subject="老闆", predicate="editor")
    tell(engine, "台北", "2026-01-01", subject="老闆", predicate="office")
    tell(engine, "vim", "2026-02-01", subject="李老闆", predicate="editor")
    tell(engine, "台北", "2026-02-01", subject="李老闆", predicate="office")
    engine.add_alias("ada", "李老闆", "boss")
    preview = engine.preview_alias("ada", "老闆", "李老闆")
    assert (preview.title, preview.facts) == ("老闆", 4)
    assert [(row.name, row.facts) for row in preview.names] == [("老闆", 2), ("boss", 0), ("李老闆", 2)]
    assert [conflict.predicate for conflict in preview.conflicts] == ["editor"]
    assert len(engine.journal()) == 5
    engine.add_alias("ada", "老闆", "李老闆")
    assert [each.key for each in engine.conflicts("ada")] == [each.key for each in preview.conflicts]


def test_names_of_one_agent_are_not_anothers(engine: Any) -> None:
    """C18, the table of names."""
    tell(engine, "tea", "2026-01-01", subject="mira", predicate="likes", agent="bo")
    engine.add_alias("ada", "orchard-deal", "zz")
    assert engine.reader.aliases("bo") == () and engine.list_aliases("bo") == []
    assert engine.names("bo").groups == ()


# -- agents ---------------------------------------------------------------------------------------------------------


def test_agents_join_but_do_not_part(engine: Any) -> None:
    engine.add_alias("ada", "老闆", "boss", actor="agent:ada")
    [row] = engine.list_aliases("ada")
    assert (row.actor, row.under) == ("agent:ada", "老闆")
    with pytest.raises(Refused, match="Only the operator"):
        engine.remove_alias("ada", "boss", actor="agent:ada")
    engine.add_alias("ada", "chef", "boss", actor="agent:ada")
    assert flat(engine) == {"boss": "chef"}


def test_what_the_operator_decided_about_a_name_stays(engine: Any) -> None:
    engine.add_alias("ada", "q", "p")
    with pytest.raises(Refused, match="The operator joined that name"):
        engine.add_alias("ada", "r", "p", actor="agent:ada")
    engine.remove_alias("ada", "p")
    undone = engine.add_alias("ada", "t", "s", actor="agent:ada")
    engine.undo(undone.seq)
    engine.suggest_aliases("ada", [("w", "v")])
    engine.dismiss_aliases("ada", [("w", "v")])
    for one, other in ("pq", "st", "vw"):
        for pair in ((one, other), (other, one)):
            with pytest.raises(Refused, match="these are two names"):
                engine.add_alias("ada", *pair, actor="agent:ada")
    engine.add_alias("ada", "between", "p", actor="agent:ada")
    with pytest.raises(Refused, match="these are two names"):
        engine.add_alias("ada", "q", "between", actor="agent:ada")
    assert engine.add_alias("ada", "q", "p") is not None


# -- suggestions ----------------------------------------------------------------------------------------------------


def test_nothing_merges_by_itself(engine: Any) -> None:
    """Nicknames that several names share stay suggestions until a person says so."""
    with (DATA / "nicknames_sample.csv").open(encoding="utf-8") as file:
        pairs = [(row["name1"], row["name2"]) for row in csv.DictReader(file)]
    before = engine.state_digest()
    applied = engine.suggest_aliases("ada", pairs, reason="import nicknames.csv")
    assert engine.reader.aliases("ada") == ()
    waiting = engine.names("ada").suggested
    assert {(row.canonical, row.alias) for row in waiting} == set(pairs)
    assert waiting[0].reason == "import nicknames.csv"
    assert engine.suggest_aliases("ada", pairs) is None
    engine.undo(applied.seq)
    assert engine.state_digest() == before and engine.names("ada").suggested == ()


def test_a_suggestion_is_settled_by_the_join_and_comes_back_with_its_undo(engine: Any) -> None:
    tell(engine, "Helix", "2026-01-01", subject="老闆", predicate="editor")
    tell(engine, "helix", "2026-01-01", subject="Zhixu Li", predicate="Editor")
    engine.suggest_aliases("ada", [("老闆", "Zhixu Li")], actor="agent:ada")
    [row] = engine.names("ada").suggested
    assert (row.shared, row.facts, row.actor) == (1, 2, "agent:ada")
    joined = engine.add_alias("ada", "Zhixu Li", "老闆")
    assert engine.names("ada").suggested == ()
    engine.undo(joined.seq)
    assert [(row.alias, row.canonical) for row in engine.names("ada").suggested] == [("Zhixu Li", "老闆")]
    engine.dismiss_aliases("ada", [("老闆", "Zhixu Li")])
    assert engine.names("ada").suggested == ()
    assert engine.suggest_aliases("ada", [("Zhixu Li", "老闆")]) is None
    with pytest.raises(NotFound, match="not suggested"):
        engine.dismiss_aliases("ada", [("老闆", "Zhixu Li")])


def test_five_scripts_are_one_name(engine: Any) -> None:
    lines = (DATA / "cldr_names_sample.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        told = json.loads(line)
        for alias in told["aliases"].values():
            engine.add_alias("ada", told["canonical"], alias)
    names = flat(engine)
    assert {names[name] for name in ("日本", "일본")} == {"Japan"}
    assert len(engine.reader.aliases("ada")) == len(lines)
    assert all(len(set(group.names)) == len(group.names) for group in engine.reader.aliases("ada"))

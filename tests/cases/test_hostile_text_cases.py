"""C50 and C53 at the engine's level: broken text, and the edges of a fetch by ids."""

from __future__ import annotations

import json
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput

from engine_facts import saying, tell, value_at

BROKEN = json.loads(r'"ok \ud83d end"')
PAIR = json.loads(r'"pair \ud83d\ude00"')
NUL = json.loads(r'"nul \u0000 after"')


@pytest.mark.parametrize(
    ("given", "kept", "is_said"),
    [(BROKEN, "ok \ufffd end", True), (PAIR, "pair \U0001f600", False), (NUL, "nul \ufffd after", True)],
)
@pytest.mark.parametrize("place", ["content", "subject", "predicate", "value", "tags", "source_event", "origin"])
def test_c50_broken_text_is_repaired_and_the_rest_is_kept(
    engine: Any, place: str, given: str, kept: str, is_said: bool
) -> None:
    """C50.1: a lone half becomes U+FFFD, a pair stays the emoji, NUL hides nothing; the caller is told."""
    words: dict[str, Any] = {"value": "x", "origin": "channel", place: (given,) if place == "tags" else given}
    if place == "origin":
        words["origin"] = f"channel:{given}"
    outcome = engine.store_temporal(*saying(words.pop("value"), **words))
    assert ("repair" in outcome.reason) is is_said
    [record] = engine.list_recent("ada", limit=5)
    stored = {
        "content": record.content,
        "subject": record.subject,
        "predicate": record.predicate,
        "value": record.object,
        "tags": record.tags[0] if record.tags else None,
        "source_event": record.source_event,
        "origin": (record.origin or "").removeprefix("channel:"),
    }
    assert stored[place] == kept
    assert engine.verify().ok


def test_c50_broken_text_in_metadata_is_repaired(engine: Any) -> None:
    """C50.1: in nested JSON too, in keys and in values."""
    tell(engine, "x", metadata={"a": [BROKEN, {BROKEN: NUL}]})
    [record] = engine.list_recent("ada", limit=5)
    text = json.dumps(record.metadata, default=dict, ensure_ascii=False)
    text.encode()
    assert "end" in text and "after" in text


def test_c50_one_broken_line_among_a_hundred(engine: Any) -> None:
    """C50.2: all hundred come in, and only the broken one says that it was repaired."""
    lines = [saying(BROKEN if n == 42 else f"v{n}", content=f"line {n}", predicate=f"p{n}") for n in range(100)]
    outcomes = engine.store_many(lines)
    assert [n for n, o in enumerate(outcomes) if "repair" in o.reason] == [42]
    assert len(engine.list_recent("ada", limit=1000)) == 100


@pytest.mark.parametrize("name", [BROKEN, NUL])
def test_c50_a_question_with_broken_text_finds_what_was_stored_with_it(engine: Any, name: str) -> None:
    """C50.3: reads take the same repair as writes, and never raise."""
    tell(engine, "x", "2026-01-01", subject=name)
    assert value_at(engine, "2026-02-01", subject=name) == "x"
    assert len(engine.get_history("ada", name, "city")) == 1
    assert engine.get_by_ids("ada", [name]).total_missing == 1
    assert engine.get_history("ada", "user", name) == []


def test_c53_a_full_request_with_own_foreign_and_unknown_ids(engine: Any) -> None:
    """C53.1: 60 own, 20 foreign, 20 unknown: partial hits are no error."""
    own = [o.id for o in engine.store_many([saying("x", predicate=f"p{n}") for n in range(60)])]
    foreign = [o.id for o in engine.store_many([saying("x", predicate=f"p{n}", agent="bo") for n in range(20)])]
    asked = [*foreign, *own, *(f"unknown {n}" for n in range(20))]
    found = engine.get_by_ids("ada", asked)
    assert [r.id for r in found.memories] == own
    assert list(found.missing_ids) == [i for i in asked if i not in set(own)]
    assert (found.total_found, found.total_missing) == (60, 40)


def test_c53_repeats_and_the_cap(engine: Any) -> None:
    """C53.2: the cap counts what was asked; each distinct id is answered once."""
    fact = tell(engine, "x")
    with pytest.raises(InvalidInput):
        engine.get_by_ids("ada", [f"m_{n % 50}" for n in range(101)])
    found = engine.get_by_ids("ada", [f"m_{n}" for n in range(59)] + [fact.id] * 41)
    assert (found.total_found, found.total_missing) == (1, 59)

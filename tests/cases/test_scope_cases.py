"""Cases of area 3: an agent sees its own, and only its own (each from a public bug report)."""

from __future__ import annotations

from typing import Any

import pytest
from memstation.domain.errors import InvalidInput, MemstationError, NotFound
from memstation.read.timeline import TimelineQuery

from engine_facts import tell, timeline

NEIGHBOURS = ["tide", "tide-pool", "tide_pool", "tideXpool", "ti%", "Tide", "tide ", "ｔｉｄｅ"]


@pytest.fixture
def shared(engine: Any) -> tuple[Any, dict[str, str]]:
    """A store in which agents with look-alike names know one thing each."""
    return engine, {a: tell(engine, f"city of {a}", "2026-01-01", agent=a).id for a in NEIGHBOURS}


@pytest.mark.parametrize("agent", NEIGHBOURS)
def test_c16_look_alike_agents_see_only_their_own(shared: tuple[Any, dict[str, str]], agent: str) -> None:
    """C16: `_` and `%` are plain letters, case and width matter."""
    engine, told = shared
    assert timeline(engine, agent=agent) == [(f"city of {agent}", "2026-01-01", None)]
    assert [r.id for r in engine.list_recent(agent, limit=100)] == [told[agent]]
    assert engine.get_at(agent, "user", "city", "2026-02-01").id == told[agent]
    assert [r.id for r in engine.holding_at(agent, "user", "city", "2026-02-01")] == [told[agent]]
    found = engine.get_by_ids(agent, [*told.values(), "m_unknown"])
    assert [r.id for r in found.memories] == [told[agent]]
    assert set(found.missing_ids) == {*told.values(), "m_unknown"} - {told[agent]}


@pytest.mark.parametrize("agent", NEIGHBOURS)
def test_c16_pages_and_the_past_show_only_their_own(shared: tuple[Any, dict[str, str]], agent: str) -> None:
    """C16: the list of the station, by word and without, and what was believed after a decision."""
    engine, told = shared
    for text in ("", "city", "about:user"):
        assert [row.id for row in engine.reader.timeline(TimelineQuery(agent, text)).head()] == [told[agent]]
    newest = max(row.seq for row in engine.journal())
    assert engine.get_at(agent, "user", "city", "2026-02-01", known_at=newest).id == told[agent]
    (own,) = [row for row in engine.reader.overview(None, "operator").agents if row.agent_id == agent]
    assert own.facts == 1


@pytest.mark.parametrize("verb", ["end", "correct_value"])
def test_c16_no_verb_reaches_a_foreign_memory(shared: tuple[Any, dict[str, str]], verb: str) -> None:
    """C16: another agent's memory is as unknown to a decision as one that does not exist."""
    engine, told = shared
    before = engine.state_digest()
    messages = []
    for memory_id in (told["tide_pool"], "m_unknown"):
        with pytest.raises(NotFound) as caught:
            if verb == "end":
                engine.end(memory_id, "2026-03-01", agent_id="tide-pool")
            else:
                engine.correct_value(memory_id, object="x", agent_id="tide-pool")
        messages.append((str(caught.value) + caught.value.hint).replace(memory_id, "ID"))
    assert messages[0] == messages[1]
    assert engine.state_digest() == before


@pytest.mark.parametrize("verb", ["retract", "expire"])
def test_c16_a_decision_about_one_agent_leaves_the_others(shared: tuple[Any, dict[str, str]], verb: str) -> None:
    """C16: what closes `tide` closes nothing of `tide_pool`."""
    engine, told = shared
    if verb == "retract":
        engine.retract(told["tide"], agent_id="tide", actor="operator")
    else:
        engine.expire_by_subject("tide", "user", reason="x")
    for agent in NEIGHBOURS:
        expected = [] if agent == "tide" else [told[agent]]
        assert [r.id for r in engine.list_recent(agent, limit=100)] == expected


def test_c16_a_foreign_id_answers_like_an_unknown_one(shared: tuple[Any, dict[str, str]]) -> None:
    """C16: no difference between `exists elsewhere` and `does not exist`."""
    engine, told = shared
    messages = []
    for memory_id in (told["Tide"], "m_unknown"):
        with pytest.raises(NotFound) as caught:
            engine.retract(memory_id, agent_id="tide", actor="operator")
        messages.append((str(caught.value) + caught.value.hint).replace(memory_id, "ID"))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("agent", ["", " ", None])
def test_c17_no_agent_is_refused_never_everybody(shared: tuple[Any, dict[str, str]], agent: Any) -> None:
    """C17: an empty agent never means all rows."""
    engine, told = shared
    reads = [
        lambda: engine.list_recent(agent, limit=100),
        lambda: engine.get_history(agent, "user", "city"),
        lambda: engine.holding_at(agent, "user", "city", "2026-02-01"),
        lambda: engine.get_by_ids(agent, list(told.values())).memories,
    ]
    for read in reads:
        try:
            assert list(read()) == []
        except MemstationError as error:
            assert isinstance(error, InvalidInput)
    with pytest.raises(InvalidInput):
        tell(engine, "x", agent=agent)

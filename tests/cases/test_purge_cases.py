"""Cases of area 6 (C32, C33, C35): what people saw other systems do when a source is purged, and what must happen."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput, Refused
from memstation.domain.purging import PurgeChoices

from engine_facts import tell, value_at
from gate_writes import waiting

ORIGINS = ("chat", "chat-2", "chat_2", "chatX2", "CHAT", "chat ", "mychat", "%")


class TestC32ExactNames:
    @pytest.fixture
    def ids(self, engine: Any) -> dict[str, str]:
        return {o: tell(engine, o, predicate=f"p{n}", origin=o).id for n, o in enumerate(ORIGINS)}

    @pytest.mark.parametrize("origin", ORIGINS)
    def test_only_the_very_name(self, engine: Any, ids: dict[str, str], origin: str) -> None:
        preview = engine.preview_purge("ada", origin)
        assert preview.withdrawn == (ids[origin],)
        assert engine.invalidate_by_origin("ada", origin).withdrawn == preview.withdrawn
        left = {record.id for record in engine.list_recent("ada")}
        assert left == set(ids.values()) - {ids[origin]}

    @pytest.mark.parametrize("origin", ["", " ", "\t"])
    def test_an_empty_name_is_refused(self, engine: Any, ids: dict[str, str], origin: str) -> None:
        with pytest.raises(InvalidInput):
            engine.invalidate_by_origin("ada", origin)

    @pytest.mark.parametrize("origin", ["cha", "chat%", "*", "_", "chat\u200b"])
    def test_a_part_of_a_name_is_none(self, engine: Any, ids: dict[str, str], origin: str) -> None:
        assert engine.invalidate_by_origin("ada", origin).withdrawn == ()
        assert len(engine.journal()) == len(ids)

    def test_since_is_inclusive(self, engine: Any, clock: Any, ids: dict[str, str]) -> None:
        at = clock.advance(hours=1)
        late = tell(engine, "late", predicate="late", origin="chat").id
        assert engine.get_by_ids("ada", [late]).memories[0].ingested_at == at
        assert engine.preview_purge("ada", "chat", at).withdrawn == (late,)
        assert engine.invalidate_by_origin("ada", "chat", at).withdrawn == (late,)
        assert ids["chat"] in {record.id for record in engine.list_recent("ada")}


class TestC33Conclusions:
    @pytest.fixture
    def facts(self, engine: Any) -> dict[str, str]:
        def made(name: str, *cited: str, trust: float) -> str:
            return tell(
                engine, name, subject=name, predicate="is", origin="agent_derived", id=name, origin_trust=trust,
                derived_from=cited,
            ).id  # fmt: skip

        tell(engine, "poison", predicate="p", origin="bad", id="P")
        tell(engine, "other", predicate="p2", origin="user_direct", id="P2")
        tell(engine, "clean", predicate="c", origin="user_direct", id="clean")
        made("D1", "P", trust=0.9)
        made("D2", "P", "clean", trust=0.6)
        made("D3", "P", trust=0.05)
        made("G", "D1", trust=0.9)
        made("N", "P2", trust=0.5)
        return {}

    def test_they_are_held_or_cut_at_any_depth(self, engine: Any, facts: dict[str, str]) -> None:
        report = engine.invalidate_by_origin("ada", "bad")
        assert report.withdrawn == ("P",) and report.contaminated == ("D1", "D3", "G") and report.spared == ("D2",)
        assert {row.id: row.trust for row in engine.queue()} == {"D1": 0.1, "D3": 0.05, "G": 0.1}
        found = {r.id: r.origin_trust for r in engine.get_by_ids("ada", ["D2", "N"]).memories}
        assert found == {"D2": 0.1, "N": 0.5}
        [poison] = engine.get_history("ada", "user", "p")
        assert (poison.state, poison.invalidated_by_event) == ("withdrawn", "origin_purge")
        assert engine.preview_purge("ada", "bad").withdrawn == () and engine.get_by_ids("ada", ["P"]).memories == ()

    def test_spared_they_stay_with_their_trust_cut(self, engine: Any, facts: dict[str, str]) -> None:
        report = engine.invalidate_by_origin("ada", "bad", choices=PurgeChoices(spare_derived=True))
        assert report.spared == ("D1", "D2", "D3", "G") and waiting(engine) == []
        found = engine.get_by_ids("ada", ["D1", "D2", "D3", "G"]).memories
        assert [record.origin_trust for record in found] == [0.1, 0.1, 0.05, 0.1]


class TestC35Undo:
    PAY: dict[str, Any] = {"subject": "pay", "predicate": "iban"}  # noqa: RUF012

    def test_the_good_value_is_back_by_itself_and_undo_gives_no_more_than_there_was(
        self, engine: Any, clock: Any
    ) -> None:
        clock.now = datetime(2026, 1, 2, tzinfo=UTC)
        good = tell(engine, "GOOD", "2026-01-01", origin="user_direct", **self.PAY)
        clock.now = datetime(2026, 3, 1, tzinfo=UTC)
        bad = tell(engine, "BAD", "2026-03-01", origin="chat", **self.PAY)
        lone = tell(engine, "only", predicate="lone", origin="chat", tags=["kept"])
        asked = [bad.id, lone.id]
        before, was = engine.state_digest(), engine.get_by_ids("ada", asked).memories
        clock.now = datetime(2026, 4, 1, tzinfo=UTC)
        report = engine.invalidate_by_origin("ada", "chat")
        for at in (clock.now, "2026-03-15"):
            assert value_at(engine, at, **self.PAY) == "GOOD"
        record = engine.get_at("ada", "pay", "iban", clock.now)
        assert (record.id, record.origin_trust, record.valid_until) == (good.id, 1.0, None)
        assert report.reinstated == (good.id,) and report.emptied == (lone.id,)
        assert value_at(engine, "2026-03-20", known_at="2026-03-20", **self.PAY) == "BAD"
        clock.advance(days=1)
        engine.undo(report.seq)
        assert engine.get_by_ids("ada", asked).memories == was and was[0].origin_trust == 0.3
        assert engine.state_digest() == before
        with pytest.raises(Refused, match="taken back already"):
            engine.undo(report.seq)
        assert engine.state_digest() == before


class TestPointersToPages:
    """Removing a page expires its pointer by exact subject (seed 000), never by its origin."""

    def test_one_page_and_nothing_else_of_its_origin(self, engine: Any, clock: Any) -> None:
        pages = {
            name: tell(engine, f"/wiki/{name}", subject=f"wiki:auto/notes/{name}", predicate="documented_in",
                       origin="channel").id
            for name in ("tea", "teapot", "te")
        }  # fmt: skip
        tell(engine, "tea", predicate="drinks", origin="channel")
        clock.advance(days=1)
        assert engine.expire_by_subject("ada", "wiki:auto/notes/tea", reason="page removed") == 1
        left = {record.id for record in engine.list_recent("ada")}
        assert {name for name, page in pages.items() if page in left} == {"teapot", "te"} and len(left) == 3
        [gone] = engine.get_history("ada", "wiki:auto/notes/tea", "documented_in")
        assert (gone.state, gone.invalidated_by_event) == ("closed", "page removed")
        assert engine.expire_by_subject("ada", "wiki:auto/notes", reason="x") == 0
        assert engine.expire_by_subject("bo", "wiki:auto/notes/te", reason="x") == 0
        # The page may come back: that is news, not what was rejected.
        again = tell(engine, "/wiki/tea", subject="wiki:auto/notes/tea", predicate="documented_in", origin="channel")
        assert again.status in ("stored", "superseded")
        assert engine.preview_purge("ada", "channel").plan.agents == {"ada": 5}

"""Joins, suggestions and dismissals in the rest of the store: exports, erasure, repair, the gate, the log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memstation.exchange.exporting import export
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore

from engine_checks import new_store
from engine_facts import tell


def told(engine: Any) -> None:
    """A group, a suggestion of each fate, and a dismissed conflict."""
    tell(engine, "vim", "2026-01-01", subject="李老闆", predicate="editor")
    tell(engine, "Helix", "2026-02-01", subject="老闆", predicate="editor")
    engine.add_alias("ada", "老闆", "李老闆", actor="agent:ada")
    engine.add_alias("ada", "李老闆", "mirabel")
    engine.suggest_aliases("ada", [("老闆", "zhixu"), ("老闆", "kim"), ("老闆", "boss")], reason="import names.csv")
    engine.dismiss_aliases("ada", [("老闆", "kim")])
    engine.add_alias("ada", "老闆", "boss")
    engine.dismiss_conflicts(engine.conflicts("ada"))


def shown(engine: Any) -> Any:
    found = engine.names("ada")
    groups = [[(name.name, name.under) for name in group.names] for group in found.groups]
    return groups, [(row.alias, row.canonical) for row in found.suggested], [each.key for each in found.dismissed]


def test_an_export_carries_them(engine: Any, tmp_path: Path) -> None:
    told(engine)
    path = tmp_path / "out.jsonl"
    export(engine.ledger, path, store=engine.path)
    with new_store() as other:
        other.clock.now = engine.clock()
        restore(other.engine.ledger, JsonFile(path))
        assert shown(other.engine) == shown(engine)
        assert other.engine.state_digest() == engine.state_digest()
        assert other.engine.verify().ok


def test_verify_and_repair_leave_them(engine: Any) -> None:
    told(engine)
    before = shown(engine), engine.state_digest()
    assert engine.verify().ok
    engine.repair()
    assert (shown(engine), engine.state_digest()) == before and engine.verify().ok


def test_an_erasure_takes_every_name_of_a_person(engine: Any, store_path: Path) -> None:
    told(engine)
    tell(engine, "tea", "2026-01-01", subject="kei", predicate="likes")
    engine.add_alias("ada", "kei", "kay")
    phrase = engine.preview_forget("ada", "mirabel").phrase
    engine.forget("ada", "mirabel", phrase=phrase)
    assert shown(engine) == ([[("kei", None), ("kay", "kei")]], [], [])
    assert engine.verify().ok
    path = engine.path
    engine.close()
    left = b"".join(file.read_bytes() for file in path.parent.iterdir() if file.name.startswith(path.name))
    for word in ("老闆", "mirabel", "zhixu", "disagree:"):
        assert word.encode() not in left, word


def test_an_erasure_finds_a_name_with_a_stroke_in_a_dismissed_conflict(engine: Any) -> None:
    tell(engine, "loud", "2026-01-01", subject="AC / DC fan", predicate="likes")
    tell(engine, "loud", "2026-01-01", subject="AC/DC fan", predicate="hears")
    engine.dismiss_conflicts(engine.conflicts("ada"))
    engine.forget("ada", "AC / DC fan", phrase=engine.preview_forget("ada", "AC / DC fan").phrase)
    tell(engine, "loud", "2026-01-01", subject="AC / DC fan", predicate="likes")
    assert len(engine.conflicts("ada")) == 1 and engine.verify().ok


def test_a_rejected_value_is_held_under_a_name_that_was_joined_later(engine: Any) -> None:
    wrong = tell(engine, "Osaka", "2026-01-01", subject="老闆", predicate="city", origin="channel:x")
    engine.retract(wrong.id)
    assert tell(engine, "Osaka", subject="boss", predicate="city", origin="channel:x").status == "stored"
    engine.add_alias("ada", "老闆", "zhixu")
    engine.add_alias("ada", "zhixu", "chef")
    assert tell(engine, "Osaka", subject="chef", predicate="city", origin="channel:x").status == "held"
    engine.remove_alias("ada", "zhixu")
    assert tell(engine, "Osaka", subject="chef", predicate="city", origin="channel:y").status == "stored"


def test_the_log_says_what_was_joined(engine: Any) -> None:
    told(engine)
    said = {row.kind: row.summary for row in engine.journal()}
    assert said["join"] == "boss -> 老闆" and said["suggest"] == "zhixu may be 老闆 and 2 more"
    assert said["dismiss"] == "no conflict: 老闆 / 李老闆 editor"
    engine.remove_alias("ada", "boss")
    assert engine.journal(after=len(said))[-1].summary == "boss apart"


def test_what_today_says_of_names(engine: Any, clock: Any) -> None:
    told(engine)
    engine.reopen_conflicts(engine.conflicts("ada", dismissed=True))
    [due] = engine.reader.overview(None, "operator").names
    assert (due.agent_id, due.suggested, len(due.conflicts)) == ("ada", 1, 1)
    assert [(row.name, row.under, row.actor) for row in due.joined] == [("李老闆", "老闆", "agent:ada")]
    seen = clock()
    clock.advance(hours=1)
    assert engine.reader.overview(seen, "operator").names[0].joined == ()

"""Export, restore into an empty store, export again: the files are the same bytes, and the stores believe the same."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from exchange_stores import Mark, Order, claim, fill_with_everything, open_shelf
from memstation.exchange import restoring
from memstation.exchange.exporting import export
from memstation.exchange.plain_json import escaped, one_line

from engine_histories import Author, Seeded
from engine_oracle import History


def without_uses(text: str) -> str:
    return re.sub(r',"access_count":\d+', "", text)


@pytest.fixture(params=[10_000, 7, 3])
def part_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(restoring, "PART", request.param)
    return int(request.param)


def test_everything_survives(tmp_path: Path, part_size: int) -> None:
    """C56: closed, future, held, denied, purged, chains, evidence, rules, odd text."""
    with open_shelf(tmp_path / "a.db") as first, open_shelf(tmp_path / "b.db") as second:
        fill_with_everything(first)
        report = second.restore(first.export(tmp_path / "a.jsonl"))
        assert report.told == report.total and report.skipped == 0
        assert without_uses(second.told()) == without_uses(first.told())
        assert second.digest() == first.digest()
        for name in ("timestamp", "created_at", "last_accessed", "embedding", "embedding_model", "ingested_at"):
            sql = f"SELECT id, {name} FROM memories WHERE id <> 'undone' ORDER BY id"
            assert second.rows(sql) == first.rows(sql)
        second.check()


def test_use_counts_survive(tmp_path: Path) -> None:
    with open_shelf(tmp_path / "a.db") as first, open_shelf(tmp_path / "b.db") as second:
        fill_with_everything(first)
        second.restore(first.export(tmp_path / "a.jsonl"))
        assert second.told() == first.told()


def test_without_confirmations_the_files_are_byte_identical(tmp_path: Path) -> None:
    with open_shelf(tmp_path / "a.db") as first, open_shelf(tmp_path / "b.db") as second:
        first.tell(
            claim("a", "Taipei", access_count=3, embedding=b"\x00\x01"),
            claim("b", "Oslo", "2026-02-01"),
            Mark("a", "cap", "tainted", 0.2),
            Order("alias", "joined", "ada", subject="u", value="user"),
        )
        target, again = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
        export(first.ledger, target, store=first.path)
        second.restore(target)
        export(second.ledger, again, store=second.path)
        # The first line names the store and its newest decision.
        assert again.read_bytes().split(b"\n", 1)[1] == target.read_bytes().split(b"\n", 1)[1]


@pytest.mark.parametrize("seed", range(9))
def test_any_history_survives_in_parts_of_any_size(tmp_path: Path, part_size: int, seed: int) -> None:
    with open_shelf(tmp_path / "a.db") as first, open_shelf(tmp_path / "b.db") as second:
        history = History()
        author = Author(Seeded(seed * 31 + part_size), history)
        for _ in range(30):
            decision = author.decision()
            applied = first.ledger.apply(decision)
            history.tell(applied.seq, applied.at, decision)
        path = first.export(tmp_path / "a.jsonl")
        second.restore(path)
        assert without_uses(second.told()) == without_uses(first.told())
        assert second.digest() == first.digest()
        second.check()
        for shelf in (first, second):
            again = shelf.restore(path)
            assert (again.told, again.parts) == (0, ()) and again.skipped == again.total


def test_no_record_carries_a_number_of_this_store(tmp_path: Path) -> None:
    with open_shelf(tmp_path / "a.db") as shelf:
        fill_with_everything(shelf)
        first = shelf.told()
        shelf.take_back(shelf.tell(claim("more", "x", predicate="z")))
        assert shelf.told() == first
        for word in ('"seq"', '"n"', '"uuid"', "row_digest"):
            assert word not in first


def test_each_record_is_one_line_that_is_safe_to_show(tmp_path: Path) -> None:
    with open_shelf(tmp_path / "a.db") as shelf:
        fill_with_everything(shelf)
        raw = shelf.export(tmp_path / "a.jsonl").read_bytes()
    text = raw.decode()
    assert raw.endswith(b"\n") and b"\r" not in raw
    hidden = {char for char in text if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Co")}
    assert not hidden
    assert "深い" in text and "使用者住在台北。" in text and "cafe\u0301" in text
    assert r"\u202edelrow\u200b\u009b2J" in text and r"\u001b[2J" in text and r"\u007f" in text


def test_every_hidden_character_is_escaped_and_comes_back() -> None:
    import json

    for code in (*range(0xD800), *range(0xE000, 0x11_0000)):
        char = chr(code)
        text = one_line(char)
        if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Co"):
            assert text.isascii() and text.isprintable(), hex(code)
        if code < 0x3000 or not text.isprintable() or text.isascii():
            assert json.loads(text) == char
    assert escaped('"台北 é"') == '"台北 é"'

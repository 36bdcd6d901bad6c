"""The exported file: whole or not at all, never over something else, one state of the store."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from exchange_stores import Shelf, claim, fill_with_everything, open_shelf
from memstation.domain.errors import InvalidInput, Refused
from memstation.exchange.exporting import export, export_to


@pytest.fixture
def shelf(tmp_path: Path) -> Any:
    with open_shelf(tmp_path / "store.db") as opened:
        fill_with_everything(opened)
        yield opened


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir() if not file.name.startswith("store.db")}


def test_the_file_is_the_owners_alone_and_its_size_is_told(shelf: Shelf, tmp_path: Path) -> None:
    report = export(shelf.ledger, tmp_path / "x.jsonl", store=shelf.path)
    assert report is not None
    text = (tmp_path / "x.jsonl").read_text(encoding="utf-8")
    assert text == shelf.text() and text.count("\n") == report.statements + 1
    assert report.left_out == (("memories taken back", 1),)
    assert stat.S_IMODE((tmp_path / "x.jsonl").stat().st_mode) == 0o600
    assert names(tmp_path) == {"x.jsonl"}


def test_a_file_that_is_there_is_kept_unless_forced(shelf: Shelf, tmp_path: Path) -> None:
    target = tmp_path / "x.jsonl"
    target.write_text("mine")
    with pytest.raises(Refused, match="there already"):
        export(shelf.ledger, target, store=shelf.path)
    assert target.read_text() == "mine"
    export(shelf.ledger, target, store=shelf.path, force=True)
    assert target.read_text() == shelf.text()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    with pytest.raises(Refused):
        export(shelf.ledger, tmp_path / "dangling", store=shelf.path)


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_the_store_itself_is_never_written_over(shelf: Shelf, tmp_path: Path, suffix: str) -> None:
    with pytest.raises(Refused, match="store itself"):
        export(shelf.ledger, Path(f"{shelf.path}{suffix}"), store=shelf.path, force=True)
    link = tmp_path / "link"
    os.link(shelf.path, link)
    with pytest.raises(Refused, match="store itself"):
        export(shelf.ledger, link, store=shelf.path, force=True)


def test_a_place_that_cannot_be_written_is_refused(shelf: Shelf, tmp_path: Path) -> None:
    for target in (tmp_path, tmp_path / "no" / "x.jsonl", shelf.path / "x.jsonl"):
        with pytest.raises(InvalidInput):
            export(shelf.ledger, target, store=shelf.path, force=True)


def test_a_file_system_without_links_will_do(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    target = tmp_path / "x.jsonl"
    export(shelf.ledger, target, store=shelf.path)
    assert names(tmp_path) == {"x.jsonl"}
    assert target.read_text(encoding="utf-8") == shelf.text()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600

    def come(done: int, total: int) -> bool:
        target.write_text("mine")
        return True

    target.unlink()
    monkeypatch.setattr("memstation.exchange.exporting._EVERY", 5)
    with pytest.raises(Refused, match="there already"):
        export(shelf.ledger, target, store=shelf.path, progress=come)
    assert target.read_text() == "mine" and names(tmp_path) == {"x.jsonl"}


def test_a_file_that_came_meanwhile_is_kept(shelf: Shelf, tmp_path: Path) -> None:
    target = tmp_path / "x.jsonl"

    def come(done: int, total: int) -> bool:
        target.write_text("mine")
        return True

    import memstation.exchange.exporting as exporting

    every, exporting._EVERY = exporting._EVERY, 5
    try:
        with pytest.raises(Refused, match="there already"):
            export(shelf.ledger, target, store=shelf.path, progress=come)
    finally:
        exporting._EVERY = every
    assert target.read_text() == "mine" and names(tmp_path) == {"x.jsonl"}


def test_a_stopped_export_leaves_no_file(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memstation.exchange.exporting._EVERY", 10)
    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> bool:
        seen.append((done, total))
        return done < 20

    assert export(shelf.ledger, tmp_path / "x.jsonl", store=shelf.path, progress=stop) is None
    assert names(tmp_path) == set()
    assert seen == [(10, shelf.text().count("\n") - 1), (20, shelf.text().count("\n") - 1)]


def test_a_failing_write_leaves_no_file(shelf: Shelf, tmp_path: Path) -> None:
    def fail(done: int, total: int) -> bool:
        raise KeyboardInterrupt

    import memstation.exchange.exporting as exporting

    every, exporting._EVERY = exporting._EVERY, 5
    try:
        with pytest.raises(KeyboardInterrupt):
            export(shelf.ledger, tmp_path / "x.jsonl", store=shelf.path, progress=fail)
    finally:
        exporting._EVERY = every
    assert names(tmp_path) == set()


def test_writes_of_others_meanwhile_are_not_in_it(shelf: Shelf) -> None:
    before, lines = shelf.text(), []

    def write(text: str) -> None:
        if len(lines) == 3:
            shelf.tell(claim("late", "x", predicate="late"))
            shelf.take_back(2)
        lines.append(text)

    export_to(shelf.ledger, write)
    assert "".join(lines) == before
    assert "late" in shelf.text()


def test_an_empty_store_is_one_line(tmp_path: Path) -> None:
    with open_shelf(tmp_path / "a.db") as empty, open_shelf(tmp_path / "b.db") as other:
        assert empty.text().count("\n") == 1
        report = other.restore(empty.export(tmp_path / "x.jsonl"))
        assert (report.told, report.total, report.parts) == (0, 0, ())

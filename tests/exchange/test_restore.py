"""Restoring an export: refused whole or told whole, twice adds nothing, stopped and resumed, repaired and said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exchange_stores import NOW, Mark, Shelf, claim, fill_with_everything, lines_of, open_shelf
from memstation.domain.errors import InvalidInput, MemstationError, NotFound, Refused
from memstation.exchange import jsonfile, restoring
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore

CLAIM: dict[str, Any] = {"kind": "claim", "id": "m1", "agent_id": "ada", "content": "hello"}
OTHER = {**CLAIM, "content": "good bye"}
BAD_LINES = [
    ("[1]", "not an object"),
    ('"text"', "not an object"),
    ("{", "not JSON"),
    ("nonsense", "not JSON"),
    ('{"kind": "claim", "id": "m1", "agent_id": "ada", "content": "x", "importance": NaN}', "not JSON"),
    ({**CLAIM, "kind": "clam"}, "kind is not known"),
    ({"id": "m1"}, "kind is not known"),
    ({"kind": "claim", "id": "m1", "content": "x"}, "field is missing"),
    ({"kind": "claim", "id": "m1", "agent_id": "ada"}, "field is missing"),
    ({**CLAIM, "colour": "red"}, "field is not known"),
    ({**CLAIM, "id": " "}, "id is empty"),
    ({**CLAIM, "asserted_from": "yesterday"}, "start is not a time"),
    ({**CLAIM, "asserted_from": "2026-02-30"}, "start is not a time"),
    ({**CLAIM, "asserted_from": "2026-02-30T00:00:00.000000+00:00"}, "start is not a time"),
    ({**CLAIM, "asserted_from": 20260101}, "start is not a time"),
    ({**CLAIM, "asserted_from": "2026-02-01", "asserted_until": "2026-02-01"}, "window is empty"),
    ({**CLAIM, "asserted_from": "2026-02-01", "asserted_until": "2026-01-01"}, "window is empty"),
    ({**CLAIM, "asserted_until": "2026-01-01"}, "field is missing"),
    ({**CLAIM, "asserted_trust": 1.5}, "trust is out of range"),
    ({**CLAIM, "asserted_trust": True}, "trust is not a number"),
    ({**CLAIM, "tags": "a"}, "tags is not a list"),
    ({**CLAIM, "layer": "deep"}, "layer is not known"),
    ({**CLAIM, "metadata": []}, "metadata is not an object"),
    ({**CLAIM, "embedding": "***"}, "embedding is not base64"),
    ({**CLAIM, "access_count": -1}, "access count"),
    ({"kind": "mark", "id": "m1", "mark": "loved"}, "mark is not known"),
    ({"kind": "mark", "id": "m0", "mark": "cap"}, "field is missing"),
    ({"kind": "end", "id": "e", "agent_id": "ada", "content": "x", "of": "m0"}, "field is missing"),
    ({"kind": "order", "about": "alias", "verdict": "joined"}, "field is missing"),
]  # fmt: skip


def write(path: Path, *items: Any) -> Path:
    """A file of a good line, these lines, and a good line."""
    good = [{**CLAIM, "id": "m0"}, {**CLAIM, "id": "m9"}]
    body = [good[0], *items, good[1]]
    text = lines_of() + "".join((item if isinstance(item, str) else json.dumps(item)) + "\n" for item in body)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def shelf(tmp_path: Path) -> Any:
    with open_shelf(tmp_path / "store.db") as opened:
        yield opened


def refuse(shelf: Shelf, path: Path, kind: type[MemstationError] = InvalidInput) -> str:
    before = shelf.count(), shelf.count("journal")
    with pytest.raises(kind) as caught:
        shelf.restore(path)
    assert (shelf.count(), shelf.count("journal")) == before, "something was written"
    return str(caught.value)


@pytest.mark.parametrize(("line", "why"), BAD_LINES)
def test_a_bad_line_is_refused_by_its_number(shelf: Shelf, tmp_path: Path, line: Any, why: str) -> None:
    told = refuse(shelf, write(tmp_path / "x.jsonl", line))
    assert told.startswith("Line 3 ") and why in told


def test_nothing_is_written_when_the_last_line_is_wrong(shelf: Shelf, tmp_path: Path) -> None:
    items = [{**CLAIM, "id": f"x{k}"} for k in range(2_500)]
    assert refuse(shelf, write(tmp_path / "x.jsonl", *items, "[]")).startswith("Line 2,503 ")


def test_a_cut_off_last_line_is_told_by_number(shelf: Shelf, tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl")
    path.write_bytes(path.read_bytes()[:-9])
    told = refuse(shelf, path)
    assert told.startswith("Line 3 ") and "cut off" in told
    path.write_bytes(path.read_bytes()[: path.read_bytes().rindex(b"\n") + 1])
    assert shelf.restore(path).told == 1


def test_a_whole_last_line_needs_no_line_break(shelf: Shelf, tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n").rstrip())
    assert shelf.restore(path).told == 2


@pytest.mark.parametrize(
    "text",
    ["", "\n", "{}\n", '{"kind":"claim"}\n', '{"kind":"memstation","format":2}\n', '{"kind":"memstation"}\n', "x\n"],
)
def test_a_file_that_is_no_export_is_refused(shelf: Shelf, tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    refuse(shelf, path)


def test_other_files_are_refused_with_what_to_do(shelf: Shelf, tmp_path: Path) -> None:
    refuse(shelf, tmp_path / "none.jsonl", NotFound)
    refuse(shelf, tmp_path)
    refuse(shelf, shelf.path)
    (tmp_path / "latin").write_bytes(lines_of().encode() + b'{"kind":"claim","id":"\xe9"}\n')
    assert "not UTF-8" in refuse(shelf, tmp_path / "latin")


def test_a_line_without_end_does_not_fill_the_memory(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonfile, "LINE_BYTES", 1_000)
    assert "too long" in refuse(shelf, write(tmp_path / "x.jsonl", {**CLAIM, "content": "x" * 2_000}))


def test_an_id_told_twice_with_other_content_is_refused(shelf: Shelf, tmp_path: Path) -> None:
    told = refuse(shelf, write(tmp_path / "x.jsonl", CLAIM, OTHER))
    assert told.startswith("Line 4: ") and "'m1'" in told


def test_an_id_told_twice_in_the_same_words_is_told_once(shelf: Shelf, tmp_path: Path) -> None:
    report = shelf.restore(write(tmp_path / "x.jsonl", CLAIM, CLAIM))
    assert (report.told, report.skipped, report.total) == (3, 1, 4)


def test_an_id_that_the_store_has_with_other_content_is_refused(shelf: Shelf, tmp_path: Path) -> None:
    shelf.restore(write(tmp_path / "x.jsonl", CLAIM))
    told = refuse(shelf, write(tmp_path / "y.jsonl", OTHER), Refused)
    assert told.startswith("Line 3: ") and "'m1'" in told and "content" in told


def test_a_mark_must_name_a_memory_of_the_file_or_the_store(shelf: Shelf, tmp_path: Path) -> None:
    mark = {"kind": "mark", "id": "kept", "mark": "withdrawn", "reason": "origin_purge"}
    assert refuse(shelf, write(tmp_path / "x.jsonl", mark)).startswith("Line 3: ")
    shelf.tell(claim("kept", "here"))
    assert shelf.restore(write(tmp_path / "x.jsonl", mark)).told == 3
    assert shelf.rows("SELECT role FROM memories WHERE id = 'kept'") == [("withdrawn",)]
    early = {**mark, "id": "m9"}
    assert shelf.restore(write(tmp_path / "y.jsonl", early)).told == 1


def test_a_file_that_changes_between_the_readings_is_refused(shelf: Shelf, tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", CLAIM)

    def meddle(done: int, total: int) -> bool:
        if total == 0:
            path.write_text(path.read_text().replace("hello", "HELLO"))
        return True

    with pytest.raises(Refused, match="changed"):
        shelf.restore(path, meddle)
    assert shelf.count() == 0


def test_twice_adds_nothing_even_where_times_were_left_out(shelf: Shelf, tmp_path: Path) -> None:
    order = {"kind": "order", "about": "alias", "verdict": "joined", "agent_id": "ada", "subject": "u", "value": "user"}
    path = write(tmp_path / "x.jsonl", CLAIM, {"kind": "mark", "id": "m1", "mark": "held"}, order)
    assert shelf.restore(path).told == 5
    with open_shelf(shelf.path, NOW.replace(year=2027)) as later:
        report = later.restore(path)
    assert (report.told, report.skipped, report.parts) == (0, 5, ())


def test_a_restore_keeps_origin_and_trust(shelf: Shelf, tmp_path: Path) -> None:
    shelf.restore(write(tmp_path / "x.jsonl", {**CLAIM, "origin": "channel:x", "asserted_trust": 0.9}))
    sql = "SELECT origin, origin_trust FROM memories WHERE id IN ('m0', 'm1') ORDER BY id"
    assert shelf.rows(sql) == [(None, 1.0), ("channel:x", 0.9)]


# -- parts ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restoring, "PART", 5)
    monkeypatch.setattr(restoring, "BATCH", 4)


def many(path: Path, count: int = 23) -> Path:
    return write(path, *({**CLAIM, "id": f"x{k}"} for k in range(count - 2)))


def test_parts_are_one_group_that_is_taken_back_whole(shelf: Shelf, tmp_path: Path, small_parts: None) -> None:
    shelf.tell(claim("before", "x"))
    before = shelf.digest()
    path = many(tmp_path / "x.jsonl")
    seen: list[tuple[int, int]] = []
    report = shelf.restore(path, lambda done, total: not seen.append((done, total)))  # type: ignore[func-returns-value]
    assert report.parts == (2, 3, 4, 5, 6) and report.told == 23
    assert {row[0] for row in shelf.rows("SELECT part_of FROM journal WHERE kind = 'restore'")} == {2}
    assert seen[-1] == (23, 23)
    shelf.take_back(4)
    assert shelf.digest() == before
    again = shelf.restore(path)
    assert again.told == 0 and again.taken_back == (7,)


def test_one_part_is_no_group(shelf: Shelf, tmp_path: Path) -> None:
    shelf.restore(many(tmp_path / "x.jsonl"))
    assert shelf.rows("SELECT part_of, reason FROM journal") == [(None, "x.jsonl")]


def test_a_stopped_restore_is_resumed_by_running_it_again(shelf: Shelf, tmp_path: Path, small_parts: None) -> None:
    path = many(tmp_path / "x.jsonl")
    report = shelf.restore(path, lambda done, total: total == 0 or done < 9)
    assert report.stopped and 0 < report.told < 23 and len(report.parts) == -(-report.told // 5)
    rest = shelf.restore(path)
    assert not rest.stopped and rest.told == 23 - report.told and rest.skipped == report.told
    assert shelf.count() == 23
    shelf.check()


def test_a_stopped_restore_goes_on_in_its_group(shelf: Shelf, tmp_path: Path, small_parts: None) -> None:
    before = shelf.digest()
    path = many(tmp_path / "x.jsonl")
    first = shelf.restore(path, lambda done, total: total == 0 or done < 9)
    shelf.tell(claim("between", "x"))
    rest = shelf.restore(path)
    assert first.continues is None and rest.continues == first.parts[0] == 1
    assert {row[0] for row in shelf.rows("SELECT part_of FROM journal WHERE kind = 'restore'")} == {1}
    shelf.take_back(rest.parts[-1])
    assert shelf.rows("SELECT id FROM memories WHERE stands = 1") == [("between",)]
    shelf.take_back(first.parts[-1] + 1)
    assert shelf.digest() == before
    shelf.check()


def test_a_finished_restore_is_not_gone_on_with(shelf: Shelf, tmp_path: Path, small_parts: None) -> None:
    first = shelf.restore(many(tmp_path / "x.jsonl"))
    more = shelf.restore(many(tmp_path / "x.jsonl", 40))
    assert more.told == 17 and more.continues is None
    shelf.take_back(more.parts[0])
    assert shelf.count() == 40 and len(shelf.rows("SELECT id FROM memories WHERE stands = 1")) == first.told


def test_another_file_of_the_same_name_begins_a_group_of_its_own(
    shelf: Shelf, tmp_path: Path, small_parts: None
) -> None:
    shelf.restore(many(tmp_path / "x.jsonl"), lambda done, total: total == 0 or done < 9)
    other = write(tmp_path / "x.jsonl", *({**CLAIM, "id": f"y{k}"} for k in range(21)))
    assert shelf.restore(other).continues is None


def test_a_stopped_restore_that_was_taken_back_is_not_gone_on_with(
    shelf: Shelf, tmp_path: Path, small_parts: None
) -> None:
    path = many(tmp_path / "x.jsonl")
    first = shelf.restore(path, lambda done, total: total == 0 or done < 9)
    undo = shelf.take_back(first.parts[0])
    rest = shelf.restore(path)
    assert rest.continues is None and rest.taken_back == (undo,)


def test_a_restore_stopped_while_checking_writes_nothing(shelf: Shelf, tmp_path: Path) -> None:
    report = shelf.restore(many(tmp_path / "x.jsonl"), lambda done, total: total > 0)
    assert report.stopped and report.told == 0 and shelf.count() == 0


def test_a_memory_is_told_with_its_marks(shelf: Shelf, tmp_path: Path, small_parts: None) -> None:
    """No part may leave a purged or held memory in use until the next part comes."""
    with open_shelf(tmp_path / "other.db") as other:
        fill_with_everything(other)
        path = other.export(tmp_path / "x.jsonl")
    used: set[str] = set()

    def look(done: int, total: int) -> bool:
        used.update(row[0] for row in shelf.rows("SELECT id FROM memories WHERE stands = 1"))
        return True

    shelf.restore(path, look)
    assert "open" in used and not used & {"held", "denied", "purged"}


def test_a_memory_with_more_marks_than_a_part_holds(shelf: Shelf, tmp_path: Path, small_parts: None) -> None:
    marks = [{"kind": "mark", "id": "m1", "mark": "cap", "value": k / 20} for k in range(1, 18)]
    assert shelf.restore(write(tmp_path / "x.jsonl", CLAIM, *marks)).told == 20
    assert shelf.rows("SELECT origin_trust FROM memories WHERE id = 'm1'") == [(0.05,)]


# -- broken text ----------------------------------------------------------------------------------------------------


def test_a_broken_character_is_repaired_and_counted(shelf: Shelf, tmp_path: Path) -> None:
    """C50."""
    lines = [{**CLAIM, "id": f"x{k}"} for k in range(98)]
    lines[50] = {**CLAIM, "id": "x50", "content": "ok \ud83d end", "subject": "nul \0 after", "predicate": "p",
                 "tags": ["\udc00"], "metadata": {"k\ud800": "v\0"}}  # fmt: skip
    lines[51] = {**CLAIM, "id": "x51", "content": "pair 😀 and a literal \\ud83d"}
    report = shelf.restore(write(tmp_path / "x.jsonl", *lines))
    assert (report.told, report.repaired) == (100, 1)
    assert shelf.rows("SELECT content, subject, tags, metadata FROM memories WHERE id = 'x50'") == [
        ("ok \ufffd end", "nul \ufffd after", '["\ufffd"]', '{"k\ufffd": "v\ufffd"}')
    ]
    assert shelf.rows("SELECT content FROM memories WHERE id = 'x51'") == [("pair 😀 and a literal \\ud83d",)]


def test_times_in_any_spelling_are_one_instant(shelf: Shelf, tmp_path: Path) -> None:
    """C03."""
    spellings = ["2026-02-20T17:00:00Z", "2026-02-20T17:00:00+00:00", "2026-02-20 17:00:00", "2026-02-20T22:45+05:45"]
    items = [{**CLAIM, "id": f"t{k}", "asserted_from": text} for k, text in enumerate(spellings)]
    shelf.restore(write(tmp_path / "x.jsonl", *items))
    found = {row[0] for row in shelf.rows("SELECT asserted_from FROM memories WHERE id LIKE 't%'")}
    assert found == {"2026-02-20T17:00:00.000000+00:00"}


def test_a_name_that_is_no_text_is_no_reason(shelf: Shelf, tmp_path: Path) -> None:
    path = write(tmp_path / "bad\udcff.jsonl")
    restore(shelf.ledger, JsonFile(path))
    assert shelf.rows("SELECT reason FROM journal") == [("bad\ufffd.jsonl",)]


def test_marks_are_kept_in_their_order(shelf: Shelf, tmp_path: Path) -> None:
    shelf.tell(claim("a", "x"), Mark("a", "held", "burst"))
    shelf.tell(Mark("a", "released"))
    with open_shelf(tmp_path / "b.db") as other:
        other.restore(shelf.export(tmp_path / "x.jsonl"))
        assert other.rows("SELECT role FROM memories") == [("fact",)]

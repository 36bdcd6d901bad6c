"""Lists of names: CSV and JSONL in their usual shapes; what cannot be read names its line and suggests nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from memstation.domain.errors import InvalidInput
from memstation.exchange.name_lists import read_names

DATA = Path(__file__).parent.parent / "data"


def read(folder: Path, name: str, text: str | bytes) -> list[tuple[str, str]]:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(read_names(path))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "canonical,alias\n老闆,boss\n老闆,zhixu\n"),
        ("a.csv", "\ufeffAlias,Name\nboss,老闆\nzhixu,老闆\n"),
        ("a.txt", "老闆,boss\n\n 老闆 , zhixu \n"),
        ("a.csv", 'name1,relationship,name2\r\n老闆,is,"boss"\r\n老闆,is,zhixu\r\n'),
        ("a.jsonl", '{"canonical": "老闆", "alias": "boss"}\n\n{"canonical": "老闆", "alias": "zhixu"}\n'),
        ("a.jsonl", '{"canonical": "老闆", "aliases": ["boss", "zhixu"], "id": 7}'),
        ("a.JSONL", '{"canonical": "老闆", "aliases": {"en": "boss", "pinyin": "zhixu"}}'),
    ],
)
def test_the_shapes_that_are_read(tmp_path: Path, name: str, text: str) -> None:
    assert read(tmp_path, name, text) == [("老闆", "boss"), ("老闆", "zhixu")]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "a,b\nc\n", "line 2"),
        ("a.csv", "a,\n", "line 1.*alias is empty"),
        ("a.csv", "a," + "n" * 3_000, "too long"),
        ("a.jsonl", '{"canonical": "a"}', "line 1"),
        ("a.jsonl", '["a", "b"]', "line 1"),
        ("a.jsonl", '{"canonical": "a", "alias": "b"}\n{', "line 2"),
        ("a.jsonl", '{"canonical": "a", "aliases": "b"}', "neither a list"),
        ("a.jsonl", '{"canonical": 1, "alias": "b"}', "not text"),
        ("a.jsonl", "[" * 100_000, "line 1"),
        ("a.csv", b"a,\xff\n", "UTF-8"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, text: str | bytes, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read(tmp_path, name, text)


def test_the_samples_are_read_whole() -> None:
    assert len(list(read_names(DATA / "cldr_names_sample.jsonl"))) == 40
    assert ("abner", "ab") in list(read_names(DATA / "nicknames_sample.csv"))

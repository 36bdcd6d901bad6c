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
        ("a.jsonl", '{"canonical": "老闆", "alias": "boss", "aliases": ["zhixu"]}'),
        ("a.json", '[{"canonical": "老闆", "alias": "boss"},\n {"canonical": "老闆", "aliases": ["zhixu"]}]\n'),
        ("a.jsonl", '\n [{"canonical": "老闆", "aliases": ["boss", "zhixu"]}]'),
        ("a.csv", "\n ,\ncanonical,alias\n老闆,boss\n老闆,zhixu\n"),
        ("a.csv", "name,alias,note\n老闆,boss,one\n老闆,zhixu,two\n"),
        ("a.csv", '老闆, "boss"\n老闆,zhixu,,\n'),
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
        ("a.json", '[{"canonical": "a", "alias": "b"}, {"canonical": "a"}]', "line 2: an object"),
        ("a.json", '[{"canonical": "a", "alias": "b"},\n]', "line 2"),
        ("a.csv", 'a,b\nc,"d\ne,f\n', "line 3"),
        ("a.csv", "user,a1,a2,a3\n", "line 1: more than two"),
        ("a.csv", "a,b\ncanonical,alias,c\n", "line 2: more than two"),
        ("a.jsonl", '{"canonical": "a", "alias": "\\ud800"}', "line 1: The alias is broken"),
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


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_only_a_line_feed_ends_a_line(tmp_path: Path, sign: str) -> None:
    """What else Unicode takes for an end of line may stand inside a name."""
    raw = {"\u2028": sign, "\u2029": sign, "\x85": sign}.get(sign, f"\\u{ord(sign):04x}")
    text = f'{{"canonical": "a{raw}b", "alias": "c"}}\n{{"canonical": "d", "alias": "e"}}'
    assert read(tmp_path, "a.jsonl", text) == [(f"a{sign}b", "c"), ("d", "e")]
    assert read(tmp_path, "a.csv", f"a{sign}b,c\nd,e\n") == [(f"a{sign}b", "c"), ("d", "e")]


def test_a_cell_of_several_lines_is_one_name(tmp_path: Path) -> None:
    assert read(tmp_path, "a.csv", 'a,"b\nb"\nc,d\n') == [("a", "b\nb"), ("c", "d")]

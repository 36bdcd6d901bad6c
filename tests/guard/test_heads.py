"""Letting ordinary text go by its words must never let go what a pattern would have matched."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from memstation.guard.folding import plain
from memstation.guard.heads import HeadReader
from memstation.guard.packs import matchers_for
from memstation.guard.scanning import rules

PIECES = {"verb": "ignor(?:e|es) | set aside | don'?t obey", "thing": "e-?mails? | prompt"}


@pytest.mark.parametrize(
    ("source", "heads"),
    [
        ("<verb>", {"ignor", "aside ", "obey "}),
        ("<thing>", {"email", "mail", "prompt "}),
        ("(?:all |any )?<thing>", {"all ", "any ", "email", "mail", "prompt "}),
        ("(?:tell|say)@", {"tell", "say"}),
        ("a partir de ahora", {"partir "}),
        ("[a-z]+_x", None),
        ("https?://", {"http"}),
    ],
)
def test_how_a_part_begins(source: str, heads: set[str] | None) -> None:
    assert HeadReader(PIECES, True).heads(source) == heads


def test_without_spaces_a_head_is_two_characters() -> None:
    assert HeadReader({"x": "忽略 | 无视"}, False).heads("<x>") == {"忽略", "无视"}


def texts() -> list[str]:
    found = [text for rule in rules() for text in (*rule.catches, *rule.spares)]
    data = os.environ.get("MEMSTATION_DATA")
    file = Path(data or "") / "injection" / "injection_labeled.jsonl"
    if data and file.exists():
        lines = file.read_text(encoding="utf-8").splitlines()
        found += [json.loads(line)["text"] for line in lines[::4]]
    return found


def test_no_pattern_that_matches_is_let_go() -> None:
    lost = []
    for text in texts():
        form = plain(text).text
        data = form.encode("utf-8", "replace")
        for matcher in matchers_for(form):
            candidates = {id(pattern) for pattern in matcher.candidates(form)}
            lost += [
                (pattern.rule.name, pattern.source, text[:80])
                for pattern in matcher.patterns
                if id(pattern) not in candidates and pattern.search(data) is not None
            ]
    assert lost == []

"""Traditional and simplified spellings fold to one."""

from __future__ import annotations

import pytest
from memstation.store.han import simplified


@pytest.mark.parametrize(
    ("told", "folded"),
    [
        ("臺灣", "台湾"),
        ("台湾", "台湾"),
        ("開發環境", "开发环境"),
        ("老闆", "老板"),
        ("かな漢字 and 한글", "かな汉字 and 한글"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_traditional_is_simplified(told: str, folded: str) -> None:
    assert simplified(told) == folded


def test_it_folds_character_by_character() -> None:
    text = "乾坤後來頭髮發展"
    assert simplified(text) == "".join(map(simplified, text))
    assert len(simplified(text)) == len(text)

"""Words of scripts that part none are found inside a text: Thai, Lao, Khmer, Burmese and their neighbours."""

from __future__ import annotations

from typing import Any

import pytest
from memstation.read.timeline import TimelineQuery
from search_stores import found, note, triple

TEXTS = (
    "ฉันชอบดื่มกาแฟที่กรุงเทพ", "ຂ້ອຍມັກດື່ມກາເຟຢູ່ວຽງຈັນ", "ខ្ញុំចូលចិត្តកាហ្វេនៅភ្នំពេញ", "ကျွန်တော်ရန်ကုန်မှာကော်ဖီသောက်တယ်",
    "ꦲꦏꦸꦔꦺꦴꦩ꧀ꦧꦺꦏꦺꦴꦥꦶ", "ᩉ᩠ᨾᩣᨿᨯᩦ", "ᦎᦱᧃᦺᦑ", "བོད་སྐད་ཡིག", "ราคา250บาท",
)  # fmt: skip


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ("กาแฟ", [0]), ("กรุงเทพ", [0]), ("ดื่มกาแฟ", [0]), ("ก", [0]), ("ชอบ กาแฟ", [0]), ('"กาแฟที่กรุงเทพ"', [0]),
        ('"กรุงเทพกาแฟ"', []), ("ดืม", []), ("ກາເຟ", [1]), ("ວຽງຈັນ", [1]), ("កាហ្វេ", [2]), ("ភ្នំពេញ", [2]), ("ភ្នំ", [2]),
        ("ကော်ဖီ", [3]), ("ရန်ကုန်", [3]), ("ကော်", [3]), ("ꦏꦺꦴꦥꦶ", [4]), ("ᨿᨯᩦ", [5]), ("ᧃᦺᦑ", [6]), ("སྐད", [7]),
        ("སྐད་ཡིག", [7]), ("250", [8]), ("บาท", [8]), ("ราคา", [8]),
    ],
)  # fmt: skip
def test_a_word_is_found_inside_a_text(engine: Any, query: str, hits: list[int]) -> None:
    for text in TEXTS:
        note(engine, text)
    assert found(engine, query) == [TEXTS[place] for place in hits]


def test_a_filter_finds_it_too(engine: Any) -> None:
    for text in TEXTS:
        note(engine, text)
    triple(engine, "มานี", "likes", "น้ำ", text="x")
    for word, text in (
        ("กาแฟ", TEXTS[0]), ("ភ្នំពេញ", TEXTS[2]), ("พกรุงเท", None),
        ("about:มานี", "x"), ("about:มาน*", "x"), ("about:ม*", "x"), ("value:น้ำ", "x"),
    ):  # fmt: skip
        rows = engine.reader.timeline(TimelineQuery("ada", word)).head()
        assert [row.content for row in rows] == ([] if text is None else [text]), word


def test_a_name_in_a_query_leads_into_the_graph(engine: Any) -> None:
    triple(engine, "มานี", "knows", "ชูใจ")
    triple(engine, "ชูใจ", "drinks", "กาแฟ")
    trace = engine.search("ada", "มานีชอบอะไร", explain=True).trace
    assert trace.seeds == ("มานี",)
    [hit] = [hit for hit in engine.search("ada", "มานี", explain=True).hits if hit.memory.subject == "มานี"]
    assert hit.words

"""Classes of origins, their ceilings, and what a claim may be trusted with."""

from __future__ import annotations

import pytest
from memstation.domain.origins import capped_trust, ceiling, is_independent, origin_class, raises_trust

CLASSES = [
    # class, ceiling, raises trust, counts as support of its own
    ("user_direct", 1.0, True, True),
    ("operator", 1.0, True, True),
    ("import", 0.7, True, True),
    ("agent_derived", 0.6, False, False),
    ("tool_echo", 0.5, False, False),
    ("channel", 0.3, False, True),
    ("mcp_external", 0.3, False, True),
    ("unattributed", 0.3, False, False),
    ("somewhere_else", 0.3, False, False),
]


@pytest.mark.parametrize(("name", "limit", "raises", "independent"), CLASSES)
@pytest.mark.parametrize("detail", ["", ":telegram/42", ":a:b", ":operator"])
def test_the_class_decides(name: str, limit: float, raises: bool, independent: bool, detail: str) -> None:
    origin = name + detail
    assert origin_class(origin) == name
    assert ceiling(origin) == limit
    assert raises_trust(origin) is raises
    assert is_independent(origin) is independent


@pytest.mark.parametrize("spelling", ["user", "user_profile", "User", " user_direct ", "user:ana"])
def test_two_older_names_are_user_direct(spelling: str) -> None:
    assert origin_class(spelling) == "user_direct"


@pytest.mark.parametrize("missing", [None, ""])
def test_no_origin_is_unattributed(missing: str | None) -> None:
    assert origin_class(missing) == "unattributed"
    assert ceiling(missing) == 0.3


@pytest.mark.parametrize("disguise", ["operators", "xoperator", "channel:operator", "operator2", "оperator"])
def test_a_name_that_only_looks_like_a_trusted_one_gets_the_lowest_ceiling(disguise: str) -> None:
    assert ceiling(disguise) == 0.3
    assert not raises_trust(disguise)


@pytest.mark.parametrize(
    ("origin", "declared", "sources", "trust"),
    [
        ("operator", None, None, 1.0),
        ("channel:x", None, None, 0.3),
        ("channel:x", 0.9, None, 0.3),
        ("channel:x", 0.1, None, 0.1),
        ("channel:x", 0.0, None, 0.0),
        ("user_direct", 0.95, [], 0.95),
        ("agent_derived", None, [1.0, 0.2], 0.2),
        ("agent_derived", None, [1.0, 0.0], 0.0),
        ("agent_derived", 0.5, [0.9], 0.5),
        (None, 1.0, None, 0.3),
    ],
)
def test_a_claim_can_go_below_its_ceiling_and_never_above(
    origin: str | None, declared: float | None, sources: list[float] | None, trust: float
) -> None:
    assert capped_trust(origin, declared, sources) == trust

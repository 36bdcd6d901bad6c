"""The nine edits of `agmi` (agent memory integrity): verify reports each, with the head that was kept outside."""

from __future__ import annotations

from functools import cache

import pytest
from agmi import check
from agmi_adapter import ForgetfulForgingAdapter, ForgingAdapter, StoreAdapter

EDITS = (
    "T1 content tamper",
    "T2 tail truncation",
    "T3 middle deletion",
    "T4 reordering",
    "T5 forged insertion",
    "T6 cross-context replay",
    "T7 rollback replay",
    "T8 metadata tamper",
    "T9 snapshot rollback",
)


@cache
def verdicts(adapter: type[StoreAdapter]) -> dict[str, tuple[str, str]]:
    return {row["edit"]: (row["verdict"], row["detail"]) for row in check.run(adapter())}


def test_these_are_all_edits_that_agmi_has() -> None:
    assert tuple(verdicts(StoreAdapter)) == EDITS


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_the_file_is_reported(edit: str) -> None:
    verdict, detail = verdicts(StoreAdapter)[edit]
    assert verdict == "REPORTED", detail


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_by_who_forges_every_digest_is_reported_with_the_head(edit: str) -> None:
    verdict, detail = verdicts(ForgingAdapter)[edit]
    assert verdict == "REPORTED", detail
    # A memory that is added goes by its own: the head is still in the chain, and no entry tells of it.
    assert ("in no entry" if edit == "T5 forged insertion" else "head that was kept") in detail


def test_an_old_file_and_a_cut_tail_are_told_by_the_head_alone() -> None:
    """What the kept head is for: a file that agrees with itself says nothing about what it was."""
    found = verdicts(ForgetfulForgingAdapter)
    assert found["T2 tail truncation"][0] == found["T9 snapshot rollback"][0] == "ACCEPTED"

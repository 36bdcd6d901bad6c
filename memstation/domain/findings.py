"""What the injection scan found in a text. Plain data, read by the gate, the station and the commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["pass", "review", "block"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that matched."""

    rule: str
    family: str
    severity: Literal["review", "block"]
    where: Literal["content", "tag", "subject", "predicate", "object", "triple"]
    start: int
    """Span in that text as it was written, in characters; `end` is not included."""
    end: int
    form: Literal["written", "folded", "decoded"]
    language: str


@dataclass(frozen=True, slots=True)
class Scan:
    """All that a scan found."""

    verdict: Verdict = "pass"
    findings: tuple[Finding, ...] = ()
    hidden: Mapping[str, int] = field(default_factory=dict)
    """Hidden characters by name, with how many there are."""

"""The injection scan of a text. It knows no store."""

from __future__ import annotations

from collections.abc import Sequence

from memstation.domain.findings import Finding, Scan


def scan(
    content: str,
    *,
    tags: Sequence[str] = (),
    subject: str | None = None,
    predicate: str | None = None,
    object: str | None = None,
) -> Scan:
    """What the rules find in a memory."""
    return Scan()


def excerpt(text: str, finding: Finding, most: int = 80) -> str:
    """A short piece of a text around a finding."""
    return text[max(0, finding.start - most // 4) :][:most]

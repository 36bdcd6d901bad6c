"""What the injection scan says of a text. It holds spans and names, never the text itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Verdict = Literal["pass", "review", "block"]
Severity = Literal["review", "block"]
Where = Literal["content", "tag", "triple"]
Form = Literal["written", "folded", "decoded"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that matched, and the stretch of the text as written that it matched."""

    rule: str
    family: str
    severity: Severity
    where: Where
    start: int
    """In characters of the text as written. For a tag: of the tags joined by line breaks; for the triple: of
    subject, predicate and object joined by spaces (`triple_text`)."""
    end: int
    form: Form
    language: str
    """The rule's pack: `en`, `zh-Hant`, or `any`."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The gate's answer about one memory's texts."""

    verdict: Verdict = "pass"
    findings: tuple[Finding, ...] = ()
    hidden: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """How often each hidden character occurs, by its Unicode name."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules that matched, each once, in the order of the findings."""
        return tuple(dict.fromkeys(finding.rule for finding in self.findings))


def triple_text(subject: str | None, predicate: str | None, object: str | None) -> str:
    """Subject, predicate and object as the one text to which spans of where = `triple` refer."""
    return " ".join(part for part in (subject, predicate, object) if part)


def tags_text(tags: tuple[str, ...] | list[str]) -> str:
    """The tags as the one text to which spans of where = `tag` refer."""
    return "\n".join(tags)


def excerpt(text: str, finding: Finding, most: int = 80) -> str:
    """A stretch of at most `most` characters around the finding, with … where it was cut; the whole text if it fits.

    It is stored text: it reaches a terminal through the safe door only.
    """
    if len(text) <= most:
        return text
    start, end = finding.start, min(finding.end, finding.start + most)
    room = most - (end - start)
    start = max(0, min(start - room // 2, len(text) - most))
    end = start + most
    cut = text[start:end]
    if start > 0:
        cut = "…" + cut[1:]
    if end < len(text):
        cut = cut[:-1] + "…"
    return cut

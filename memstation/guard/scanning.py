"""The injection scan: text in, findings out. It knows no store and no source, and decides nothing but a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from memstation.domain.findings import Finding, Scan, Verdict, Where, tags_text, triple_text
from memstation.domain.findings import Form as FormName
from memstation.guard.boldness import bolder
from memstation.guard.decoding import decoded
from memstation.guard.folding import Folded, plain
from memstation.guard.hidden import hidden_in
from memstation.guard.matcher import Matcher
from memstation.guard.packs import drawn_matcher, matchers_for, pack, written_matcher
from memstation.guard.packs import rules as rules

WINDOW = 4_000
"""Characters that are searched at once; pieces further apart do not make a pattern."""
OVERLAP = 500
"""Characters that two windows share: more than a pattern reaches over."""
AROUND = 120
"""Characters before and after a match in which a text may say that it only speaks of it."""

_PLACES: tuple[Where, ...] = ("triple", "tag", "content")
_JOINT = ": "
_NOTHING = Scan()
_QUOTES = {'"': '"', "'": "'", "`": "`", "(": ")"}


def scan(
    content: str,
    *,
    tags: Sequence[str] = (),
    subject: str | None = None,
    predicate: str | None = None,
    object: str | None = None,
) -> Scan:
    """What the texts of one memory try to do to the agent that will read them.

    The tags are looked at by themselves, the triple together with the content: ``Ana city Kyoto: Lives in Kyoto``.

    Returns:
        `block` where a rule of that severity matched an order that is not merely reported, `review` where any other
        rule matched or a reported order, else `pass`; with the findings in the order triple, tags, content, and by
        place in the text; and the hidden characters of all the texts.
    """
    triple, labels = triple_text(subject, predicate, object), tags_text(list(tags))
    found: dict[tuple[str, Where], Finding] = {}
    if labels:
        _keep(_matches(labels, "tag"), found)
    if triple and content:
        _keep(_in_joined(triple, content), found)
    else:
        _keep(_matches(triple, "triple"), found)
        _keep(_matches(content, "content"), found)
    hidden = hidden_in("\n".join((triple, labels, content)) if triple or labels else content)
    if not found and not hidden:
        return _NOTHING
    findings = sorted(found.values(), key=_order)
    return Scan(_verdict(findings), tuple(findings), hidden)


def _order(finding: Finding) -> tuple[int, int, int, bool, str]:
    return _PLACES.index(finding.where), finding.start, finding.end, finding.severity == "review", finding.rule


def _verdict(findings: Sequence[Finding]) -> Verdict:
    if any(finding.severity == "block" for finding in findings):
        return "block"
    return "review" if findings else "pass"


def _keep(findings: Iterable[Finding], found: dict[tuple[str, Where], Finding]) -> None:
    """Keep the first match of every rule in each place. A block is kept over a review of the same rule."""
    for finding in findings:
        key = (finding.rule, finding.where)
        if key not in found or (finding.severity == "block" and found[key].severity == "review"):
            found[key] = finding


def _in_joined(triple: str, content: str) -> Iterator[Finding]:
    """The matches in the triple and the content read as one text, each placed where its end lies.

    What one part says must not soften the other: where a finding is for review, both are read by themselves, too.
    """
    size = len(triple) + len(_JOINT)
    doubtful = False
    for finding in _matches(triple + _JOINT + content, "content"):
        doubtful = doubtful or finding.severity == "review"
        if finding.end <= size:
            yield replace(finding, where="triple", end=min(finding.end, len(triple)))
        else:
            yield replace(finding, start=max(0, finding.start - size), end=finding.end - size)
    if doubtful:
        yield from _matches(triple, "triple")
        yield from _matches(content, "content")


def _matches(text: str, where: Where) -> Iterator[Finding]:
    if not text:
        return
    if not text.isascii():
        for part in _windows(Folded(text)):
            yield from _in_form(part, [written_matcher()], text, where)
    for part in _windows(plain(text)):
        yield from _in_bold_forms(part, text, where)
    for form in decoded(text):
        for part in _windows(form):
            yield from _in_bold_forms(part, text, where, form.kind)


def _windows(form: Folded) -> Iterator[Folded]:
    """The form in stretches that overlap."""
    if len(form.text) <= WINDOW:
        yield form
        return
    for base in range(0, len(form.text) - OVERLAP, WINDOW - OVERLAP):
        yield form.part(base, base + WINDOW)


def _in_bold_forms(form: Folded, text: str, where: Where, kind: FormName | None = None) -> Iterator[Finding]:
    yield from _in_form(form, matchers_for(form.text), text, where, kind)
    for other in bolder(form):
        yield from _in_form(other, matchers_for(other.text) if other.spaced else [drawn_matcher()], text, where, kind)


def _in_form(
    form: Folded, matchers: Sequence[Matcher], text: str, where: Where, kind: FormName | None = None
) -> Iterator[Finding]:
    """The first match of each rule in one form."""
    done: set[str] = set()
    data = form.text.encode("utf-8", "replace")
    for pattern in (pattern for matcher in matchers for pattern in matcher.candidates(form.text)):
        rule = pattern.rule
        span = None if rule.name in done else pattern.search(data)
        if span is None or span[0] == span[1]:
            continue
        done.add(rule.name)
        start = len(data[: span[0]].decode("utf-8", "replace"))
        start, end = _trimmed(form.text, start, start + len(data[span[0] : span[1]].decode("utf-8", "replace")))
        first, last = form.span(start, end)
        severity = rule.severity
        if severity == "block" and _is_reported(form.text, start, end, rule.language):
            severity = "review"
        name = kind or form.kind
        if name == "folded" and form.is_as_written(start, end, text):
            name = "written"
        yield Finding(rule.name, rule.family, severity, where, first, last, name, rule.language)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The match without the separators at its edges; as it is where it has nothing else."""
    first, last = start, end
    while first < last and text[first] in " \t\n,;:\"'`.!?()":
        first += 1
    while first < last and text[last - 1] in " \t\n,;:\"'`(":
        last -= 1
    return (first, last) if first < last else (start, end)


def _is_reported(text: str, start: int, end: int, language: str) -> bool:
    """Whether the text only quotes the match, speaks about it, or forbids it."""
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    if _is_quoted(before, after):
        return True
    return pack(language).reporting.occurs_in(f"{before} \n {after[:60]}")


def _is_quoted(before: str, after: str) -> bool:
    """Whether a quotation opens before the match in the same stretch and closes after it."""
    for opening, closing in _QUOTES.items():
        at = before.rfind(opening)
        if at < 0 or closing not in after:
            continue
        if opening == "'" and at > 0 and before[at - 1].isalnum():
            continue  # an apostrophe
        if opening == closing and before.count(opening) % 2 == 0:
            continue
        return True
    return False

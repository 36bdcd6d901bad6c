"""The walk: who holds when, computed from the claims and ends that stand. Nothing else decides it.

Instants are stored text (see `instants`), so that comparing text compares time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["founds", "confirms", "silent", "ends"]


@dataclass(frozen=True, slots=True)
class Element:
    """A claim or an end that stands on a line of facts."""

    n: int
    """The number in the order told; the only tie-break."""
    start: str
    """Where the claim starts, or from where the end says that its value no longer holds."""
    value: bytes
    until: str | None = None
    """The end that a claim states."""
    is_end: bool = False

    @property
    def position(self) -> tuple[str, bool, int]:
        """The order of the walk. An end comes before claims of its instant: it speaks about what was told before."""
        return (self.start, not self.is_end, self.n)


@dataclass(slots=True)
class Walk:
    """The state of the walk between two elements. Two walks in equal states judge what follows alike."""

    value: bytes | None = None
    """Value of the newest segment; None before the first."""
    stated: str | None = None
    """The end stated by the claim that founded it."""
    closed: bool = False
    """Whether an end closed it."""
    silenced: dict[bytes, int] = field(default_factory=dict)
    """Ended values with the number of the end, since the newest segment started."""

    def holds_at(self, instant: str) -> bool:
        """Whether the newest segment holds at an instant that no element so far is later than."""
        return self.value is not None and not self.closed and (self.stated is None or instant < self.stated)

    def copy(self) -> Walk:
        """A walk in the same state that goes its own way."""
        return Walk(self.value, self.stated, self.closed, dict(self.silenced))

    def step(self, element: Element) -> Verdict:
        """Judge the next element in the order of the walk, and move on."""
        same = self.value == element.value
        if element.is_end:
            if same and self.holds_at(element.start):
                self.closed = True
            self.silenced[element.value] = max(element.n, self.silenced.get(element.value, element.n))
            return "ends"
        if same and self.holds_at(element.start) and element.until in (None, self.stated):
            return "confirms"
        if self.silenced.get(element.value, -1) > element.n:
            return "silent"
        self.found(element)
        return "founds"

    def found(self, element: Element) -> None:
        """Start a segment: what went before no longer matters."""
        self.value, self.stated, self.closed, self.silenced = element.value, element.until, False, {}


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of time in which one value holds: ``[start, until)``, empty where they are equal."""

    founder: int
    members: tuple[int, ...]
    """The founder and the claims that confirm it, in the order of the walk."""
    start: str
    until: str | None
    ended_by: int | None
    """The end that closed it, where an end did."""

    @property
    def shown(self) -> int:
        """The row that stands for the fact: the one told first."""
        return min(self.members)


def lay_out(elements: Iterable[Element]) -> list[Segment]:
    """Walk over one line of facts. Elements may come in any order.

    Returns:
        The segments in the order of the walk, which is that of their starts; no two overlap.
    """
    walk = Walk()
    segments: list[Segment] = []
    members: list[int] = []
    founder: Element | None = None
    closed: Element | None = None

    def finish(until: str | None) -> None:
        if founder is None:
            return
        ends = [(text, by) for text, by in (
            (founder.until, None),
            (until, None),
            (closed.start if closed else None, closed.n if closed else None),
        ) if text is not None]  # fmt: skip
        last, by = min(ends, key=lambda pair: pair[0]) if ends else (None, None)
        segments.append(Segment(founder.n, tuple(members), founder.start, last, by))

    for element in sorted(elements, key=lambda item: item.position):
        was_closed = walk.closed
        verdict = walk.step(element)
        if verdict == "founds":
            finish(element.start)
            founder, members, closed = element, [element.n], None
        elif verdict == "confirms":
            members.append(element.n)
        elif verdict == "ends" and walk.closed and not was_closed:
            closed = element
    finish(None)
    return segments

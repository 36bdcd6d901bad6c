"""Incremental placing of one line of facts: the walk, run only where a decision changes it. It never writes.

From the first changed position on, two walks go side by side: one as the line was laid out, one as it now is. Where
both are in the same state, and nothing changed lies ahead, the rest of the line stays as it is. The walk over the
whole line (`domain.timeline.lay_out`) is the oracle of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from memstation.domain.origins import raises_trust
from memstation.domain.timeline import Walk
from memstation.store.lines import Lines, Member
from memstation.store.rows import Placed, Position, Row

OwnTrust: TypeAlias = Callable[[Iterable[Member | Row]], dict[int, float]]
"""Gives each claim's own trust: what was told, as marks have set and capped it."""


@dataclass(slots=True)
class Segment:
    """A segment of the new layout that the decision touches."""

    founder: Row
    fresh: bool
    """Whether it is new in this layout: then all of its members are in `gained` or `moved`."""
    shown_before: int | None
    dirty: bool = False
    """Whether a member left it or a member's trust moved: then trust is computed over all members."""
    gained: list[Row] = field(default_factory=list)
    kept: list[Row] = field(default_factory=list)
    unread: list[list[Position | None]] = field(default_factory=list)
    """Spans of members that it keeps and that were not walked over."""
    moved: list[list[Position | None]] = field(default_factory=list)
    """Spans of members that came to it from another segment and were not walked over."""
    closed_by: Row | None = None
    following: Segment | None = None
    resume: Position | None = None
    """Where the walk stopped inside it: what follows must be asked of the store."""
    knows_previous: bool = False


@dataclass(slots=True)
class _Point:
    """Where the two walks agree again, and what a later stretch needs to go on from there."""

    position: Position
    walk: Walk
    old: int | None
    new: Segment | None


class Placing:
    """Places the rows that a decision adds to, removes from, or changes the trust of on one line."""

    def __init__(self, lines: Lines, line: bytes, own_trust: OwnTrust) -> None:
        self._lines = lines
        self._line = line
        self._own_trust = own_trust
        self._segments: dict[int, Segment] = {}
        self._walked: dict[int, Row] = {}
        self._vanished: set[int] = set()
        self._silent: set[int] = set()
        self._linked: set[int] = set()
        self._placed: dict[int, Placed] = {}
        self._shown_of: dict[int, int] = {}

    def place(
        self, added: Iterable[Row], removed: Iterable[Row], retrusted: Iterable[Row] = ()
    ) -> tuple[dict[int, Placed], dict[int, int]]:
        """Lay the line out anew where it changes.

        Returns:
            The new places of rows by `n`, those that did not change among them; and, for each row that was walked
            over and belongs to a segment, the `n` of the row shown for it.
        """
        self._added = {row.n for row in added}
        self._removed = {row.n for row in removed}
        self._retrusted = {row.n for row in retrusted}
        touched = sorted((*added, *removed, *retrusted), key=lambda row: row.position, reverse=True)
        point: _Point | None = None
        while touched:
            point = self._stretch(touched, point)
        self._settle()
        return self._placed, self._shown_of

    # -- walking ------------------------------------------------------------------------------------------------

    def _stretch(self, touched: list[Row], point: _Point | None) -> _Point | None:
        """Walk from the first touched row until both walks agree; take off the list what was walked over."""
        start = touched[-1].position
        walk, old, new = self._enter(start, point)
        before, after = walk, walk.copy()
        stream = self._lines.stream(self._line, start)
        ahead = next(stream, None)
        while True:
            due = touched[-1].position if touched else None
            if ahead is not None and (due is None or ahead.position < due) and before == after:
                stream.close()
                self._leave(ahead.position, old, new)
                return _Point(ahead.position, after, old, new)
            if due is not None and (ahead is None or due < ahead.position):
                row, was_here = touched.pop(), False
            elif ahead is not None:
                row, was_here = ahead, True
                if due == row.position:
                    touched.pop()
                ahead = next(stream, None)
            else:
                return None
            if was_here:
                old = self._step_old(row, before, old)
            if not was_here or row.n not in self._removed:
                new = self._step_new(row, after, old if was_here else None, new)
            elif old is not None and not row.is_end and row.before and row.before.role != "silent":
                self._lose(old)

    def _enter(self, start: Position, point: _Point | None) -> tuple[Walk, int | None, Segment | None]:
        """The state of the walk just before a position, and the segments that hold there, old and new."""
        founder = self._lines.founder_before(self._line, start)
        if point is not None and (founder is None or founder.position < point.position):
            walk, old, new, since = point.walk, point.old, point.new, point.position
            for spans in (new.unread, new.moved) if new else ():
                if spans and spans[-1][1] is None:
                    spans[-1][1] = start
            if new is not None:
                new.resume = None
        elif founder is None:
            walk, old, new, since = Walk(), None, None, ("", False, 0)
        else:
            walk = Walk()
            walk.found(founder.element())
            new = self._segments.get(founder.n) or self._open(founder, fresh=False)
            new.resume = None
            new.unread.append([founder.position, start])
            old, since = founder.n, founder.position
        for end in self._lines.ends(self._line, since, start):
            was_closed = walk.closed
            walk.step(end.element())
            if new is not None and walk.closed and not was_closed:
                new.closed_by = end
        return walk, old, new

    def _leave(self, position: Position, old: int | None, new: Segment | None) -> None:
        """Note what lies ahead unread when the walks agree again."""
        if new is None:
            return
        new.resume = position
        if old == new.founder.n:
            new.unread.append([position, None])
        else:
            new.moved.append([position, None])
            if old is not None:
                self._lose(old)

    def _step_old(self, row: Row, walk: Walk, old: int | None) -> int | None:
        """Follow the layout as it was. Returns the founder of the segment that then holds."""
        if row.is_end:
            walk.step(row.element())
            return old
        assert row.before is not None
        if row.before.founds is None:
            return old
        walk.found(row.element())
        self._vanished.add(row.n)
        return row.n

    def _step_new(self, row: Row, walk: Walk, old: int | None, new: Segment | None) -> Segment | None:
        """Judge a row in the layout as it is now. Returns the segment that then holds."""
        self._walked[row.n] = row
        was_closed = walk.closed
        verdict = walk.step(row.element())
        was_member = old is not None and not row.is_end and row.before is not None and row.before.role != "silent"
        if verdict == "ends":
            if walk.closed and not was_closed and new is not None:
                new.closed_by = row
            return new
        if verdict == "silent":
            self._silent.add(row.n)
            if was_member and old is not None:
                self._lose(old)
            return new
        if verdict == "founds":
            fresh = row.n in self._added or row.before is None or row.before.founds is None
            previous, new = new, self._segments.get(row.n) or self._open(row, fresh=fresh)
            new.knows_previous = True
            self._vanished.discard(row.n)
            if previous is not None:
                previous.following, previous.resume = new, None
        assert new is not None
        if was_member and old == new.founder.n:
            new.kept.append(row)
        else:
            new.gained.append(row)
            if was_member and old is not None:
                self._lose(old)
        new.dirty |= row.n in self._retrusted
        return new

    def _open(self, founder: Row, *, fresh: bool) -> Segment:
        shown = None if fresh or founder.before is None else founder.before.founds
        segment = Segment(founder, fresh, shown)
        self._segments[founder.n] = segment
        return segment

    def _lose(self, founder_n: int) -> None:
        """A member left the segment that this row founded."""
        if founder_n in self._segments:
            self._segments[founder_n].dirty = True

    # -- settling -----------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Give every row that was touched its place."""
        segments = sorted(self._segments.values(), key=lambda segment: segment.founder.position)
        following = {segment.founder.n: self._following(segment) for segment in segments}
        shown = {segment.founder.n: self._shown(segment, following[segment.founder.n]) for segment in segments}
        for segment in segments:
            self._place_members(segment, *shown[segment.founder.n])
        for segment in segments:
            self._place_window(segment, following[segment.founder.n], shown)
        for segment in segments:
            if not segment.knows_previous:
                self._relink_previous(segment, shown[segment.founder.n][0])
        self._place_others()

    def _following(self, segment: Segment) -> Row | None:
        """The founder of the next segment; finds the end that closes this one on the way."""
        if segment.following is not None:
            return segment.following.founder
        if segment.resume is None:
            return None
        found = self._lines.founder_from(self._line, segment.resume)
        for span in (*segment.unread, *segment.moved):
            if span[1] is None:
                span[1] = found.position if found is not None else ("~", True, 0)
        if segment.closed_by is None:
            stated = segment.founder.asserted_until
            for end in self._lines.ends(self._line, segment.resume, None if found is None else found.position):
                if end.value_digest == segment.founder.value_digest and (stated is None or end.asserted_from < stated):
                    segment.closed_by = end
                    break
        return found

    def _shown(self, segment: Segment, following: Row | None) -> tuple[int, float]:
        """The row told first among the members, and the segment's trust."""
        moved = self._read(segment.moved)
        if not segment.fresh and not segment.dirty and segment.shown_before is not None:
            newest: list[Member | Row] = [*segment.gained, *moved]
            if all(member.n > segment.shown_before for member in newest):
                before = self._lines.row(segment.shown_before).before
                assert before is not None
                return segment.shown_before, self._raised(before.origin_trust, newest)
        members: list[Member | Row] = [*segment.gained, *segment.kept, *moved, *self._read(segment.unread)]
        first = min(members, key=lambda member: member.n)
        return first.n, self._raised(self._own_trust([first])[first.n], members)

    def _read(self, spans: list[list[Position | None]]) -> list[Member]:
        """The members in spans of the line that were not walked over."""
        found: list[Member] = []
        for low, high in spans:
            assert low is not None
            found += self._lines.members(self._line, low, high)
        return found

    def _raised(self, trust: float, members: Iterable[Member | Row]) -> float:
        """A trust, raised by the members whose class corroborates."""
        raising = [member for member in members if raises_trust(member.origin)]
        return max([trust, *self._own_trust(raising).values()]) if raising else trust

    def _place_members(self, segment: Segment, shown: int, trust: float) -> None:
        """Members that are not shown are evidence; the shown one gets its window later."""
        members = {row.n: row for row in (*segment.gained, *segment.kept, segment.founder)}
        for n, row in members.items():
            self._shown_of[n] = shown
            if n != shown:
                founds = shown if n == segment.founder.n else None
                self._placed[n] = self._aside(row, "confirms", self._own_trust([row])[n], founds)
        old = segment.shown_before
        if old is not None and old != shown and old not in self._removed and old not in self._placed:
            row = self._lines.row(old)
            self._placed[old] = self._aside(row, "confirms", self._own_trust([row])[old])
        founds = shown if shown == segment.founder.n else None
        self._placed[shown] = self._aside(self._lines.row(shown), "fact", trust, founds)

    def _aside(self, row: Row, role: str, trust: float, founds: int | None = None) -> Placed:
        """The place of a row that is no fact: a window that holds at no instant, and no links."""
        start = row.asserted_from
        return Placed(role, 1, founds, self._line, start, start, None, None, trust, None, None, 0)

    def _place_window(self, segment: Segment, following: Row | None, shown: dict[int, tuple[int, float]]) -> None:
        """The window of a segment, and its link to the next one where they touch."""
        start, stated = segment.founder.asserted_from, segment.founder.asserted_until
        closed = None if segment.closed_by is None else segment.closed_by.asserted_from
        after = None if following is None else following.asserted_from
        n = shown[segment.founder.n][0]
        place = self._placed[n]
        place.valid_from = start
        place.valid_until = min((text for text in (stated, closed, after) if text is not None), default=None)
        if n not in self._linked and not segment.knows_previous and segment.shown_before is not None:
            before = self._lines.row(segment.shown_before).before
            place.supersedes = before.supersedes if before else None
        if segment.closed_by is not None and place.valid_until == closed:
            place.invalidated_by_event = segment.closed_by.source_event
            place.invalidated_at = segment.closed_by.ingested_at
        if following is not None:
            follower_n = shown[following.n][0] if following.n in shown else self._shown_by(following)
            touches = place.valid_until == after
            if touches:
                self._name_successor(place, self._lines.row(follower_n))
            follower = self._draft(follower_n)
            follower.supersedes = self._lines.row(n).id if touches else None
            self._linked.add(follower_n)

    @staticmethod
    def _name_successor(place: Placed, successor: Row) -> None:
        """Link a fact to the one that takes its place, and stamp it with where that one came from."""
        place.superseded_by = successor.id
        place.invalidated_by_event = successor.source_event
        place.invalidated_at = successor.ingested_at

    def _draft(self, n: int) -> Placed:
        """The place of a row as it is so far, to be changed."""
        if n not in self._placed:
            before = self._lines.row(n).before
            assert before is not None
            self._placed[n] = before.copy()
        return self._placed[n]

    def _relink_previous(self, segment: Segment, shown: int) -> None:
        """When another row now stands for the first touched segment, the one before it must name that row."""
        if shown == segment.shown_before:
            return
        previous = self._lines.founder_before(self._line, segment.founder.position)
        if previous is None or previous.n in self._segments or previous.n in self._vanished:
            return
        before = self._lines.row(self._shown_by(previous)).before
        if before is not None and before.valid_until == segment.founder.asserted_from:
            self._name_successor(self._draft(self._shown_by(previous)), self._lines.row(shown))

    @staticmethod
    def _shown_by(founder: Row) -> int:
        assert founder.before is not None and founder.before.founds is not None
        return founder.before.founds

    def _place_others(self) -> None:
        """Ends, silent claims, and rows that no longer stand for a segment that is gone."""
        for n, row in self._walked.items():
            if row.is_end:
                self._placed[n] = self._aside(row, "end", row.asserted_trust)
            elif n in self._silent:
                self._placed[n] = self._aside(row, "silent", self._own_trust([row])[n])
        for founder_n in self._vanished:
            before = self._lines.row(founder_n).before
            old = None if before is None else before.founds
            if old is not None and old not in self._removed and old not in self._placed:
                row = self._lines.row(old)
                self._placed[old] = self._aside(row, "confirms", self._own_trust([row])[old])

"""The oracle of the engine's tests: what is believed, computed from the definitions by brute force.

It shares no code with the engine. Nothing here sweeps, places or remembers a state: every question ("does
this claim confirm?", "who holds at this instant?", "does this decision stand?") is answered from the whole
history.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memstation.domain.decisions import Claim, Decision, End, Mark, Order, Undo

MOST = {"operator": 1.0, "user_direct": 1.0, "import": 0.7, "agent_derived": 0.6, "tool_echo": 0.5}
CORROBORATES = ("operator", "user_direct", "user", "user_profile", "import")


@dataclass(frozen=True)
class Told:
    """A claim or an end of one line, as the oracle sees it. Instants only need to be comparable."""

    n: int
    start: str
    value: Hashable
    until: str | None = None
    is_end: bool = False


@dataclass(frozen=True)
class Stretch:
    """A segment by the definition: the claim that starts it, those that confirm it, and its window."""

    founder: int
    members: tuple[int, ...]
    start: str
    until: str | None
    ended_by: int | None

    @property
    def shown(self) -> int:
        return sorted(self.members)[0]


class Line:
    """One line of facts. Every answer is looked up in the whole list of what was told."""

    def __init__(self, told: Iterable[Told]) -> None:
        everything = list(told)
        self.claims = sorted((t for t in everything if not t.is_end), key=lambda t: (t.start, t.n))
        self.ends = [t for t in everything if t.is_end]
        self.instants = sorted({t.start for t in everything} | {t.until for t in everything if t.until is not None})
        self._starts: dict[int, bool] = {}

    def before(self, claim: Told) -> list[Told]:
        """The claims that come earlier: by start, and at one start by the order told."""
        return [c for c in self.claims if (c.start, c.n) < (claim.start, claim.n)]

    def newest_before(self, claim: Told) -> Told | None:
        """The claim that started the newest segment before this claim."""
        return next((c for c in reversed(self.before(claim)) if self.starts_a_segment(c)), None)

    def is_over(self, founder: Told, instant: str) -> bool:
        """Whether the founder's stated end or an end of its value has come by this instant."""
        if founder.until is not None and founder.until <= instant:
            return True
        return any(e.value == founder.value and founder.start < e.start <= instant for e in self.ends)

    def confirms(self, claim: Told) -> bool:
        holder = self.newest_before(claim)
        return (
            holder is not None
            and holder.value == claim.value
            and not self.is_over(holder, claim.start)
            and (claim.until is None or claim.until == holder.until)
        )

    def is_silent(self, claim: Told) -> bool:
        """Whether an end told later covers it and no segment has started since that end."""
        segments = [c for c in self.before(claim) if self.starts_a_segment(c)]
        return any(
            e.value == claim.value
            and e.start <= claim.start
            and e.n > claim.n
            and not any(s.start >= e.start for s in segments)
            for e in self.ends
        )

    def starts_a_segment(self, claim: Told) -> bool:
        if claim.n not in self._starts:
            self._starts[claim.n] = not self.confirms(claim) and not self.is_silent(claim)
        return self._starts[claim.n]

    def holder_at(self, instant: str) -> Told | None:
        """The founder of the segment that holds at an instant."""
        started = [c for c in self.claims if c.start <= instant and self.starts_a_segment(c)]
        if not started or self.is_over(started[-1], instant):
            return None
        return started[-1]

    def stretches(self) -> list[Stretch]:
        return [self._stretch(c) for c in self.claims if self.starts_a_segment(c)]

    def _stretch(self, founder: Told) -> Stretch:
        later = [t for t in self.instants if t >= founder.start]
        until = next((t for t in later if self.holder_at(t) != founder), None)
        others = [c.n for c in self.claims if self.newest_before(c) == founder and self.confirms(c)]
        return Stretch(founder.n, (founder.n, *others), founder.start, until, self._ended_by(founder, until))

    def _ended_by(self, founder: Told, until: str | None) -> int | None:
        """The end at which it stops, unless another segment takes over at that very instant."""
        if until is None or until == founder.start or until == founder.until:
            return None
        if any(c.start == until and self.starts_a_segment(c) for c in self.claims):
            return None
        return min((e.n for e in self.ends if e.start == until and e.value == founder.value), default=None)


def brute_force(told: Iterable[Told]) -> list[Stretch]:
    """The segments of one line, in the order of their starts."""
    return Line(told).stretches()


# What a whole store believes.


def folded(name: str | None) -> str:
    """A name as it is compared; empty when it is missing."""
    text = unicodedata.normalize("NFKC", name or "").casefold()
    return " ".join(unicodedata.normalize("NFKC", text).split())


def worded(text: str | None) -> str | None:
    return None if text is None else " ".join(unicodedata.normalize("NFC", text).split())


@dataclass(frozen=True)
class Row:
    """What a row of the store must say."""

    id: str
    role: str
    valid_from: str
    valid_until: str | None
    trust: float
    supersedes: str | None = None
    superseded_by: str | None = None
    closed_by_event: str | None = None
    closed_at: str | None = None
    quarantined: int = 0


@dataclass
class History:
    """Decisions as they were told, numbered from `first`; every answer is computed anew."""

    decisions: list[tuple[int, datetime, Decision]] = field(default_factory=list)

    def tell(self, seq: int, at: datetime, decision: Decision) -> None:
        self.decisions.append((seq, at, decision))

    def standing(self, known: int | None = None) -> list[tuple[int, datetime, Decision]]:
        """The decisions that stand, as known after decision number `known`."""
        seen = [d for d in self.decisions if known is None or d[0] <= known]
        verdicts: dict[int, bool] = {}

        def stands(seq: int) -> bool:
            if seq not in verdicts:
                undos = [s for s, _, d in seen if any(u.target == seq for u in undo_statements(d))]
                verdicts[seq] = not any(stands(s) for s in undos)
            return verdicts[seq]

        return [entry for entry in seen if stands(entry[0])]

    def belief(self, known: int | None = None) -> Belief:
        """What is believed after decision number `known` (after the last one when it is missing)."""
        numbers = {}
        for _, _, decision in self.decisions:
            for statement in decision.statements:
                if isinstance(statement, Claim | End):
                    numbers[statement.id] = len(numbers) + 1
        return Belief(self.standing(known), numbers)

    def retold(self) -> list[tuple[datetime, Decision]]:
        """The same history without what was taken back: what an equal store would have been told."""
        standing = self.standing()
        there = {s.id for _, _, d in standing for s in d.statements if isinstance(s, Claim | End)}
        retold = []
        for _, at, decision in standing:
            kept = tuple(
                s
                for s in decision.statements
                if not isinstance(s, Undo) and not (isinstance(s, Mark) and s.id not in there)
            )
            if kept:
                kind = "store" if decision.kind == "undo" else decision.kind
                retold.append((at, Decision(kind, decision.actor, kept, decision.agent_id, decision.reason)))
        return retold


def as_stored(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def undo_statements(decision: Decision) -> list[Undo]:
    return [s for s in decision.statements if isinstance(s, Undo)]


class Belief:
    """The state that some standing decisions give."""

    def __init__(self, standing: Sequence[tuple[int, datetime, Decision]], numbers: dict[str, int]) -> None:
        self.numbers = numbers
        statements = [(at, s) for _, at, d in standing for s in d.statements]
        self.claims = [s for _, s in statements if isinstance(s, Claim)]
        gone = {s.id for _, s in statements if isinstance(s, Mark) and s.kind == "withdrawn"}
        self.ends = [s for _, s in statements if isinstance(s, End) and s.id not in gone]
        self.marks = [(as_stored(at), s) for at, s in statements if isinstance(s, Mark)]
        self.orders = [s for _, s in statements if isinstance(s, Order)]
        self.learned = {s.id: as_stored(at) for at, s in statements if isinstance(s, Claim | End)}
        self.by_number = {numbers[c.id]: c for c in self.claims}
        self.end_by_number = {numbers[e.id]: e for e in self.ends}

    def is_many(self, agent: str, predicate: str | None) -> bool:
        """The agent's own rule where one stands, else the rule for all agents, else one."""
        for who in (agent, "*"):
            rules = [
                o.verdict
                for o in self.orders
                if o.about == "predicate" and o.agent_id == who and folded(o.predicate) == folded(predicate)
            ]
            if rules:
                return rules[-1] == "many"
        return False

    def line_of(self, told: Claim | End) -> tuple[str, ...]:
        if not folded(told.subject) or not folded(told.predicate):
            return ("note", told.agent_id, told.of if isinstance(told, End) else told.id)
        fact = ("fact", told.agent_id, folded(told.subject), folded(told.predicate))
        if not self.is_many(told.agent_id, told.predicate):
            return fact
        return (*fact, folded(told.object) or folded(told.content))

    def marks_on(self, claim: Claim) -> list[tuple[str, Mark]]:
        return [(at, m) for at, m in self.marks if m.id == claim.id]

    def verdict(self, claim: Claim) -> tuple[str, Mark] | None:
        """The latest judgement of a person or a gate about a claim, and when it was made."""
        judged = [(at, m) for at, m in self.marks_on(claim) if m.kind in ("held", "released", "denied", "lapsed")]
        return judged[-1] if judged else None

    def fate(self, claim: Claim) -> tuple[str, str | None, str | None]:
        """`stands`, `held` or `withdrawn`; for the last also what withdrew it, and when."""
        for at, mark in self.marks_on(claim):
            if mark.kind == "withdrawn":
                return ("withdrawn", mark.reason, at)
        verdict = self.verdict(claim)
        if verdict is None or verdict[1].kind == "released":
            return ("stands", None, None)
        if verdict[1].kind == "held":
            return ("held", None, None)
        return ("withdrawn", verdict[1].reason or "quarantine_reject", verdict[0])

    def counts_for(self, claim: Claim) -> float:
        """The trust it was told with; or, where its origin's was set, that one for what was told at its ceiling."""
        for who in (claim.agent_id, "*"):
            orders = [
                o for o in self.orders if o.about == "origin_trust" and (o.agent_id, o.value) == (who, claim.origin)
            ]
            if orders and orders[-1].verdict == "set":
                rule, most = orders[-1].number, MOST.get((claim.origin or "").split(":")[0], 0.3)
                return rule if claim.asserted_trust >= most else min(rule, claim.asserted_trust)
        return claim.asserted_trust

    def own_trust(self, claim: Claim) -> float:
        """The latest trust that was set, or the one told, cut by the lowest cap; 0.1 at most once denied."""
        marks = [m for _, m in self.marks_on(claim)]
        set_to = [m.value for m in marks if m.kind == "trust"]
        caps = [m.value for m in marks if m.kind == "cap"]
        verdict = self.verdict(claim)
        if verdict is not None and verdict[1].kind in ("denied", "lapsed"):
            caps.append(0.1)
        return min([set_to[-1] if set_to else self.counts_for(claim), *caps])

    def shown_trust(self, stretch: Stretch) -> float:
        first, *others = [self.by_number[n] for n in sorted(stretch.members)]
        raising = [c for c in others if (c.origin or "").split(":")[0] in CORROBORATES]
        return max([self.own_trust(first), *(self.own_trust(c) for c in raising)])

    def lines(self) -> dict[tuple[str, ...], Line]:
        told: dict[tuple[str, ...], list[Told]] = {}
        for c in self.claims:
            if self.fate(c)[0] == "stands":
                value = (worded(c.object), worded(c.content))
                element = Told(self.numbers[c.id], c.asserted_from, value, c.asserted_until)
                told.setdefault(self.line_of(c), []).append(element)
        for e in self.ends:
            value = (worded(e.object), worded(e.content))
            element = Told(self.numbers[e.id], e.at, value, is_end=True)
            told.setdefault(self.line_of(e), []).append(element)
        return {key: Line(elements) for key, elements in told.items()}

    def rows(self) -> dict[str, Row]:
        """Every claim that stands, by id, with its role, window, trust, links and stamps."""
        rows: dict[str, Row] = {}
        for c in self.claims:
            fate, event, at = self.fate(c)
            start, trust = c.asserted_from, self.own_trust(c)
            if fate == "held":
                rows[c.id] = Row(c.id, "held", start, c.asserted_until, trust, quarantined=1)
            elif fate == "withdrawn":
                rows[c.id] = Row(c.id, "withdrawn", start, start, trust, None, None, event, at)
            else:
                rows[c.id] = Row(c.id, "silent", start, start, trust)
        for line in self.lines().values():
            self._lay(line.stretches(), rows)
        return rows

    def _lay(self, stretches: list[Stretch], rows: dict[str, Row]) -> None:
        shown = [self.by_number[s.shown] for s in stretches]
        for i, stretch in enumerate(stretches):
            for n in stretch.members:
                claim = self.by_number[n]
                start = claim.asserted_from
                rows[claim.id] = Row(claim.id, "confirms", start, start, self.own_trust(claim))
            successor = closer = predecessor = None
            if i > 0 and stretches[i - 1].until == stretch.start:
                predecessor = shown[i - 1].id
            if i + 1 < len(stretches) and stretch.until == stretches[i + 1].start:
                successor = shown[i + 1].id
                closer = shown[i + 1]
            elif stretch.ended_by is not None:
                closer = self.end_by_number[stretch.ended_by]
            rows[shown[i].id] = Row(
                shown[i].id,
                "fact",
                stretch.start,
                stretch.until,
                self.shown_trust(stretch),
                predecessor,
                successor,
                closer.source_event if closer else None,
                self.learned[closer.id] if closer else None,
            )

    def holding_at(self, agent: str, subject: str, predicate: str, instant: str) -> set[str]:
        """Ids of the facts that hold at an instant, one for each line of the fact."""
        fact = ("fact", agent, folded(subject), folded(predicate))
        holding = set()
        for key, line in self.lines().items():
            holder = line.holder_at(instant) if key[:4] == fact else None
            if holder is not None:
                stretch = next(s for s in line.stretches() if s.founder == holder.n)
                holding.add(self.by_number[stretch.shown].id)
        return holding

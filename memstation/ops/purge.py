"""Purge a source: what it told is withdrawn, what was made from that is held. Builds the decision; the ledger takes it.

Nothing is put back here: what the source displaced comes back because windows follow from the claims that stand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from memstation.domain.decisions import DECISION_KINDS, EVERY_AGENT, Decision, Mark, Order, Statement
from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.domain.holding import NEVER_LET_IN, VOIDED
from memstation.domain.instants import InstantLike, as_instant, from_text, to_text
from memstation.domain.near import near_named
from memstation.domain.origins import OPERATOR, is_independent, origin_class
from memstation.domain.purging import CONTAMINATED, PURGED, TAINTED_CAP, PurgeChoices, PurgePlan, counted
from memstation.ops import purge_again
from memstation.ops.block import because, origin_of
from memstation.store import purging
from memstation.store.effects import state_of
from memstation.store.ledger import Looking
from memstation.store.purging import Member
from memstation.store.rows import Row

_STANDS = ("fact", "confirms", "silent")


def planned(
    looking: Looking,
    origin: str,
    *,
    agent_id: str | None,
    actor: str,
    since: InstantLike | None = None,
    choices: PurgeChoices | None = None,
    reason: str = "",
) -> PurgePlan:
    """What the purge of a source would say, and which memories it reaches.

    Every claim of the source is withdrawn: what holds, will hold or has held, what only confirms, and what is held;
    its ends too. What is withdrawn already is marked as well, so that no undo brings it back, and what was made from it
    is held: also where nothing else of the source is left. Where one purge withdrew all of it, there is nothing to do.

    Args:
        looking: what to read.
        origin: compared exactly.
        agent_id: whose memories; None for every agent's.
        actor: who decides.
        since: only what was learned at or after this instant.
        choices: see `PurgeChoices`; all but sparing when missing.
        reason: why, for the log.

    Raises:
        InvalidInput: the source is blank, or `since` lies ahead.
    """
    name, chosen = origin_of(origin), choices or PurgeChoices()
    start = None if since is None else to_text(as_instant(since, "start"))
    if start is not None and start > looking.now:
        raise InvalidInput("The start lies ahead", "nothing can have been learned since {since}", since=start[:16])
    before = purge_again.told(looking, purging.told_by(looking.cursor, name, agent_id, start))
    moment, told = None if start is None else from_text(start), before.all
    if before.is_done:
        return PurgePlan(agent_id, name, moment, chosen, None)
    reach = _Reach(looking, before.fresh, chosen)
    reach.follow()
    looking.known |= {part.id: part for part in (*told, *(reach.parts[n] for n in reach.tainted))}
    rejected = list((purge_again.rejected(looking, before) | reach.rejected()).values())
    if not chosen.remember or _is_own(name):
        rejected = []
    statements: list[Statement] = [Mark(part.id, "withdrawn", _stamp(part)) for part in told]
    statements += [*reach.marks(), *purge_again.marks(looking, before, reach.tainted), *rejected]
    if chosen.block and not _is_own(name):
        statements.append(Order("origin", "blocked", agent_id or EVERY_AGENT, value=name))
    decision = Decision("purge", actor, tuple(statements), agent_id or "", because(name, reason))
    now = looking.now
    stood = [part for part in told if part.place.role in _STANDS]
    return PurgePlan(
        agent_id, name, moment, chosen, decision,
        withdrawn=_ids(stood),
        states=counted(state_of(part.place, now) or "evidence" for part in stood),
        agents=counted(part.agent_id for part in stood),
        voided=_ids(part for part in told if part.place.role == "held"),
        already=_ids(part for part in told if part.place.role == "withdrawn"),
        contaminated=_ids(reach.held()), spared=_ids(reach.spared()), confirmations=_ids(reach.echoing()),
        rejected=len(rejected), came_from=reach.came_from(),
    )  # fmt: skip


def marked(looking: Looking, seq: int) -> PurgePlan:
    """What a purge marked, from its marks: `withdrawn` has what was held, too.

    Raises:
        NotFound: there is no such decision.
        Refused: it is no purge.
    """
    entry = looking.entry(seq)
    if entry is None:
        raise NotFound("No such decision", "#{seq} is not in the log", seq=seq)
    if entry.kind != "purge":
        raise Refused("It is no purge", "#{seq} {did}", seq=seq, did=DECISION_KINDS[entry.kind].did)
    made: dict[str, set[str]] = {}
    origin = ""
    for part, kind in purging.marked_by(looking.cursor, seq):
        made.setdefault(part.id, set()).add(kind)
        origin = (part.origin or "") if kind == "withdrawn" else origin
    caps, holds = ([i for i, kinds in made.items() if kind in kinds] for kind in ("cap", "held"))
    return PurgePlan(
        entry.agent_id or None, origin, None, PurgeChoices(), None,
        withdrawn=tuple(i for i, kinds in made.items() if "withdrawn" in kinds),
        contaminated=tuple(i for i in caps if "held" in made[i]),
        spared=tuple(i for i in caps if "held" not in made[i]),
        confirmations=tuple(i for i in holds if "cap" not in made[i]),
    )  # fmt: skip


def near(looking: Looking, origin: str) -> tuple[str, ...]:
    """Other sources of the store with a name that can be mistaken for this one: the nearest first, three at most."""
    return near_named(origin, purging.origins(looking.cursor))


def _ids(found: Iterable[Row]) -> tuple[str, ...]:
    return tuple(part.id for part in found)


def _is_own(origin: str | None) -> bool:
    """The operator's own words are neither blocked nor tainted by what they were derived from."""
    return origin_class(origin) == OPERATOR


def _stamp(part: Row) -> str:
    """What was never let in stays unknown to agents."""
    place = part.place
    was_out = place.role == "withdrawn" and place.invalidated_by_event in NEVER_LET_IN
    return VOIDED if place.role == "held" or was_out else PURGED


@dataclass(slots=True)
class _Reach:
    """What a purge reaches beyond what the source told.

    A memory is *tainted* when it cites something purged or tainted, at any depth; or when it merely echoes something
    purged (or tainted and held) and is of a class that is not independent. It is *supported*, and stays in use, when
    an independent source stands behind it: one that told the same, or the same as one of the memories that it was
    made from; or when one of those is itself tainted, but supported.
    """

    looking: Looking
    told: list[Row]
    choices: PurgeChoices
    purged: set[int] = field(default_factory=set)
    parts: dict[int, Row] = field(default_factory=dict)
    """Everything looked at, by `n`."""
    segments: dict[int, list[Member]] = field(default_factory=dict)
    """By member."""
    made: dict[int, list[int]] = field(default_factory=dict)
    """By what it was made from."""
    parents: dict[int, list[int]] = field(default_factory=dict)
    tainted: dict[int, int] = field(default_factory=dict)
    """By `n`, in the order reached: from which it was reached."""
    echoes: set[int] = field(default_factory=set)
    """Those of the tainted that cite nothing tainted."""
    supported: set[int] = field(default_factory=set)
    judged: set[int] = field(default_factory=set)
    lines: set[bytes] = field(default_factory=set)

    def follow(self) -> None:
        """Find what is tainted and what of it is supported."""
        claims = [part for part in self.told if part.place.role != "end"]
        self.purged = {part.n for part in claims}
        self.parts = {part.n: part for part in claims}
        self._read_on(claims)
        while True:
            self._support()
            before = set(self.tainted)
            self._spread()
            if before == set(self.tainted):
                break
        self.judged = purging.judged(self.looking.cursor, self.tainted)

    # -- reading ------------------------------------------------------------------------------------------------

    def _read_on(self, frontier: list[Row]) -> None:
        """Read everything that may be tainted, and what may support it."""
        cursor = self.looking.cursor
        while frontier:
            self._read_segments(frontier)
            fresh: dict[int, int] = {}
            for parent, child in purging.children(cursor, (part.n for part in frontier)):
                self.made.setdefault(parent, []).append(child)
                fresh.setdefault(child, parent)
            for part in frontier:
                fresh |= {n: part.n for n in self._echoing(part.n) if n not in fresh}
            reached = {n: by for n, by in fresh.items() if n not in self.purged and n not in self.tainted}
            known = self._read_parts(reached)
            frontier = [known[n] for n in reached if n in known and not _is_own(known[n].origin)]
            self.tainted |= {part.n: reached[part.n] for part in frontier}
        self.parents = purging.parents(cursor, self.tainted)
        cited = {parent for parents in self.parents.values() for parent in parents}
        self._read_segments(list(self._read_parts(cited).values()))

    def _read_parts(self, ns: Iterable[int]) -> dict[int, Row]:
        wanted = set(ns)
        self.parts |= purging.parts(self.looking.cursor, wanted - self.parts.keys())
        return {n: self.parts[n] for n in wanted if n in self.parts}

    def _read_segments(self, found: list[Row]) -> None:
        lines = {part.place.line_key for part in found} - self.lines
        self.lines |= lines
        for members in purging.segments_on(self.looking.cursor, lines):
            self.segments |= {member.n: members for member in members}

    def _echoing(self, n: int) -> list[int]:
        """What of a class that is not independent says the same as a memory, in the same segment."""
        if self.choices.spare_derived:
            return []
        return [
            member.n
            for member in self.segments.get(n, ())
            if member.n != n and member.n not in self.purged and not is_independent(member.origin)
        ]

    # -- judging ------------------------------------------------------------------------------------------------

    def _support(self) -> None:
        """What of the tainted an independent source stands behind."""
        fresh = [n for n in self.tainted if self._stands(n) or any(map(self._stands, self.parents.get(n, ())))]
        self.supported = set(fresh)
        while fresh:
            reached = (child for n in fresh for child in self.made.get(n, ()))
            fresh = [n for n in dict.fromkeys(reached) if n in self.tainted and n not in self.supported]
            self.supported.update(fresh)

    def _stands(self, n: int) -> bool:
        """Whether an independent source that is neither purged nor tainted tells what a memory says."""
        return any(
            member.n not in self.purged and member.n not in self.tainted and is_independent(member.origin)
            for member in self.segments.get(n, ())
        )

    def _spread(self) -> None:
        """Go the ways again, now that it is known what stays in use: nothing is tainted for echoing that."""
        found: dict[int, int] = {}
        cites: set[int] = set()
        frontier = list(self.purged)
        while frontier:
            fresh: dict[int, int] = {}
            for n in frontier:
                for child in self.made.get(n, ()):
                    fresh.setdefault(child, n)
                    cites.add(child)
                if n in self.purged or n not in self.supported:
                    for echo in self._echoing(n):
                        if echo not in self.supported:
                            fresh.setdefault(echo, n)
            frontier = [n for n in fresh if n in self.tainted and n not in found]
            found |= {n: fresh[n] for n in frontier}
        self.tainted, self.echoes = found, found.keys() - cites

    # -- what it comes to ---------------------------------------------------------------------------------------

    def _derived(self) -> list[Row]:
        return [self.parts[n] for n in sorted(self.tainted) if n not in self.echoes]

    def _is_held(self, part: Row) -> bool:
        return not self.choices.spare_derived and part.n not in self.supported and part.n not in self.judged

    def held(self) -> list[Row]:
        """What was made from it and is held, among what stood or waited."""
        return [part for part in self._derived() if part.place.role in (*_STANDS, "held") and self._is_held(part)]

    def spared(self) -> list[Row]:
        """What was made from it and stays in use."""
        return [part for part in self._derived() if part.place.role in _STANDS and not self._is_held(part)]

    def echoing(self) -> list[Row]:
        """What only echoed it."""
        return [self.parts[n] for n in sorted(self.echoes)]

    def marks(self) -> Iterable[Mark]:
        """The trust that is cut, and the holds; neither has a deadline."""
        for part in self._derived():
            yield Mark(part.id, "cap", CONTAMINATED, TAINTED_CAP)
            if self._is_held(part):
                yield Mark(part.id, "held", CONTAMINATED)
        for part in self.echoing():
            yield Mark(part.id, "held", CONTAMINATED)

    def rejected(self) -> dict[bytes, Order]:
        """By key: the values that the source told or that waited, but for those that another source still tells."""
        gone = self.purged | {part.n for part in self.held()} | self.echoes
        stands = {
            (member.fact_key, member.object_key)
            for members in self.segments.values()
            for member in members
            if member.n not in gone
        }
        found: dict[bytes, Order] = {}
        for part in self.told:
            if part.place.role in (*_STANDS, "held") and (part.fact_key, part.object_key) not in stands:
                key, order = purge_again.rejecting(part)
                found[key] = order
        return found

    def came_from(self) -> dict[str, str]:
        """By id: from which each was reached."""
        return {self.parts[n].id: self.parts[by].id for n, by in self.tainted.items()}

"""The rows of candidates as they were believed once: laid out again, as everything of the past is. It never writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from memstation.domain.instants import to_text
from memstation.domain.memory import FactRecord
from memstation.read.belief import record_then
from memstation.read.querying import IN_LIST, in_list, quick
from memstation.read.rows import PastMoment
from memstation.read.touched import last_row
from memstation.read.walking import Held, Layouts
from memstation.recall.candidate_rows import Candidate, reads_of, text_of
from memstation.store.database import Snapshot

_FACTS = f"""SELECT n, fact_key FROM memories WHERE n IN {IN_LIST} AND n <= ? AND agent_id = ? AND role <> 'erased'"""
_ROWS = f"""SELECT n, content, subject, predicate, object, importance, access_count,
    coalesce(last_accessed, timestamp), layer FROM memories WHERE n IN {IN_LIST}"""


@dataclass(slots=True)
class Believed:
    """What an agent believed at a moment, of the facts that candidates are about."""

    conn: Snapshot
    agent_id: str
    moment: PastMoment
    layer: str | None
    dropped: Counter[str]
    _held: dict[int, Held] = field(default_factory=dict)
    _seen: set[bytes] = field(default_factory=set)

    def keep(self, ns: Sequence[int]) -> list[Candidate]:
        """What was believed then of the facts of these rows, each fact once; `dropped` counts rows without any."""
        told = quick(self.conn, _FACTS, (in_list(ns), last_row(self.conn, self.moment.seq), self.agent_id))
        facts: dict[int, bytes] = dict(sorted(told))
        keys = [key for key in dict.fromkeys(facts[n] for n in ns if n in facts) if key not in self._seen]
        self._seen.update(keys)
        layouts = Layouts(self.conn, keys, self.moment.seq)
        at = to_text(self.moment.at)
        wanted: list[Held] = []
        for key in keys:
            holding = list(layouts.holding(key, self.moment.seq, at))
            if not holding:
                self.dropped["not believed"] += 1
            wanted += holding
        return self._candidates(wanted)

    def _candidates(self, wanted: Sequence[Held]) -> list[Candidate]:
        rows = {row[0]: row for row in quick(self.conn, _ROWS, (in_list(held.shown.n for held in wanted),))}
        read = reads_of(self.conn, rows)
        kept = []
        for held in wanted:
            n, content, subject, predicate, object_, importance, used, seen, layer = rows[held.shown.n]
            if self.layer is not None and layer != self.layer:
                self.dropped["layer"] += 1
                continue
            self._held[n] = held
            times, last = read.get(n, (0, ""))
            text = text_of(content, subject, predicate, object_)
            kept.append(Candidate(n, text, importance, held.trust, used + times, max(seen, last)))
        return kept

    def records(self, ns: Sequence[int]) -> list[FactRecord]:
        """The facts of candidates that were kept, as they were then."""
        return [record_then(self.conn, self._held[n], to_text(self.moment.at)) for n in ns]

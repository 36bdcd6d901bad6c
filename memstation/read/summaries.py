"""What a decision was about, in one line of stored text. It never writes, and makes nothing safe to show.

Few look-ups serve a whole page: none of them reads more of a decision than its first statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memstation.domain.purging import PURGE_STAMPS
from memstation.read.gate_rows import EventRow
from memstation.read.querying import IN_LIST, Values, ask, in_list
from memstation.store.database import Snapshot
from memstation.words import N_, told, told_of

_COUNTED = 50
"""Statements of a decision that are looked at to see whether all are about one subject."""

_CHARS = 200

_NAMES = f"subject, predicate, object, substr(content, 1, {_CHARS}) AS content"
TARGETS = f"SELECT seq, min(target) AS target FROM undoes WHERE seq IN {IN_LIST} GROUP BY seq"
_ENTRIES = f"SELECT seq, first_n, last_n FROM journal WHERE seq IN {IN_LIST}"
_ROWS = f"SELECT n, {_NAMES} FROM memories WHERE n IN {IN_LIST}"
_SUBJECTS = f"""SELECT j.seq, min(m.subject) AS least, max(m.subject) AS most, count(m.subject) AS named
    FROM journal AS j CROSS JOIN memories AS m ON m.n BETWEEN j.first_n AND j.last_n
    WHERE j.seq IN {IN_LIST} AND j.last_n - j.first_n BETWEEN 1 AND {_COUNTED - 1} GROUP BY j.seq"""
_MARKS = f"""SELECT seq, count(DISTINCT n) AS times, min(n) AS first FROM marks
    WHERE seq IN {IN_LIST} GROUP BY seq"""
_PURGED = f"""SELECT marks.seq, min(m.origin) AS origin, count(*) AS times
    FROM marks CROSS JOIN memories AS m ON m.n = marks.n
    WHERE marks.seq IN {IN_LIST} AND marks.kind = 'withdrawn' AND marks.reason IN {PURGE_STAMPS!r} GROUP BY marks.seq"""
_MARKED = f"""SELECT marks.seq, min(m.subject) AS least, max(m.subject) AS most, count(m.subject) AS named
    FROM marks CROSS JOIN memories AS m ON m.n = marks.n WHERE marks.seq IN {IN_LIST} GROUP BY marks.seq"""
_ORDERS = f"""SELECT seq, sum(verdict <> 'accepted') AS times, min(k) AS k, about, verdict, subject, predicate, value,
    number FROM orders WHERE seq IN {IN_LIST} GROUP BY seq"""


def summaries(conn: Snapshot, entries: Sequence[Values], targets: Mapping[int, int]) -> dict[int, str]:
    """A summary for each entry, by its number.

    Args:
        conn: a reading connection.
        entries: journal entries with `seq`, `first_n` and `last_n`.
        targets: for undos, the decision that was taken back.
    """
    known = {entry.seq for entry in entries}
    others = sorted(set(targets.values()) - known)
    every = [*entries, *(ask(conn, _ENTRIES, (in_list(others),)) if others else ())]
    found = _of_claims(conn, every)
    rest = [entry.seq for entry in every if entry.seq not in found]
    found |= _of_marks(conn, rest)
    found |= _of_orders(conn, [seq for seq in rest if seq not in found])
    plain = {entry.seq: found.get(entry.seq, "") for entry in entries}
    beyond = {**targets, **{row.seq: row.target for row in ask(conn, TARGETS, (in_list(others),))}}
    for seq, target in targets.items():
        said = found.get(target) or (f"#{beyond[target]}" if target in beyond else "")
        plain[seq] = f"#{target}: {said}" if said else f"#{target}"
    return plain


def _of_claims(conn: Snapshot, entries: Sequence[Values]) -> dict[int, str]:
    telling = [entry for entry in entries if entry.first_n is not None]
    if not telling:
        return {}
    first = {row.n: row for row in ask(conn, _ROWS, (in_list(entry.first_n for entry in telling),))}
    several = in_list(entry.seq for entry in telling if entry.last_n > entry.first_n)
    subjects = {row.seq: row for row in ask(conn, _SUBJECTS, (several,))}
    return {
        entry.seq: _memories(entry.last_n - entry.first_n + 1, first.get(entry.first_n), subjects.get(entry.seq))
        for entry in telling
    }


def _of_marks(conn: Snapshot, seqs: Sequence[int]) -> dict[int, str]:
    marked = ask(conn, _MARKS, (in_list(seqs),)) if seqs else ()
    if not marked:
        return {}
    first = {row.n: row for row in ask(conn, _ROWS, (in_list(mark.first for mark in marked),))}
    purged = {row.seq: told_of("{origin}: {n:,} memory", "{origin}: {n:,} memories", row.times, origin=row.origin)
              for row in ask(conn, _PURGED, (in_list(seqs),))}  # fmt: skip
    several = in_list(mark.seq for mark in marked if 1 < mark.times <= _COUNTED)
    subjects = {row.seq: row for row in ask(conn, _MARKED, (several,))}
    return {
        mark.seq: purged.get(mark.seq) or _memories(mark.times, first.get(mark.first), subjects.get(mark.seq))
        for mark in marked
    }


def _of_orders(conn: Snapshot, seqs: Sequence[int]) -> dict[int, str]:
    found = {}
    for row in ask(conn, _ORDERS, (in_list(seqs),)) if seqs else ():
        said = _cut(order_words(row))
        found[row.seq] = told("{first} and {n:,} more", first=said, n=row.times - 1) if row.times > 1 else said
    return found


def _memories(times: int, first: Values | None, subjects: Values | None) -> str:
    if times == 1:
        return "" if first is None else memory_words(first)
    if subjects is None or subjects.least != subjects.most or subjects.named < times:
        return told_of("{n:,} memory", "{n:,} memories", times)
    about = _cut(subjects.least)
    return told_of("{n:,} memory about {subject}", "{n:,} memories about {subject}", times, subject=about)


def memory_words(row: Values) -> str:
    """What a memory says, in one line: subject, predicate and value, or its text."""
    return _joined((row.subject, row.predicate, row.object or row.content))


def order_words(row: Values) -> str:
    """What a standing order says, in one line."""
    match row.about, row.verdict:
        case "erased", _:
            return told("erased")
        case "predicate", verdict:
            holds = N_("{predicate} holds many values") if verdict == "many" else N_("{predicate} holds one value")
            return told(holds, predicate=row.predicate)
        case "alias", "joined":
            return f"{row.subject} -> {row.value}"
        case "alias", _:
            return told("{name} apart", name=row.subject)
        case "suggestion", "dismissed":
            return told("{name} is not {title}", name=row.subject, title=row.value)
        case "suggestion", _:
            return told("{name} may be {title}", name=row.subject, title=row.value)
        case "conflict", verdict:
            looked = N_("no conflict: {names}") if verdict == "dismissed" else N_("a conflict again: {names}")
            return told(looked, names=_joined((row.subject, row.predicate)))
        case "rejected", verdict:
            rejected = N_("{value} rejected") if verdict == "rejected" else N_("{value} no longer rejected")
            return told(rejected, value=_joined((row.subject, row.predicate, row.value)))
        case "origin_trust", "set":
            return told("{origin} has trust {trust:g}", origin=row.value, trust=row.number)
        case "origin_trust", _:
            return told("{origin} has the trust of its class", origin=row.value)
        case _, verdict:
            blocked = N_("{origin} blocked") if verdict == "blocked" else N_("{origin} not blocked any more")
            return told(blocked, origin=row.value)


def with_drops(said: str, drops: tuple[int, EventRow] | None) -> str:
    """A summary with what the gate dropped: how many, from where, by which rules; of several those of the first."""
    if drops is None:
        return said
    times, first = drops
    names = {"origin": first.origin or told("nobody named"), "rules": ", ".join(first.rules), "n": times}
    if not said:
        alone = N_("from {origin}: {rules}") if times == 1 else N_("{n:,} memories, the first from {origin}: {rules}")
        return _cut(told(alone, **names))
    one, many = N_("one dropped from {origin}: {rules}"), N_("{n:,} dropped, the first from {origin}: {rules}")
    return _cut(f"{said}; {told(one if times == 1 else many, **names)}")


def _joined(texts: Iterable[str | None]) -> str:
    return _cut(" ".join(text for text in texts if text))


def _cut(text: str) -> str:
    return text if len(text) <= _CHARS else text[: _CHARS - 2] + ".."

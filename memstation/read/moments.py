"""Points on both clocks: what was believed after a decision about an instant. It never writes, and reads no clock."""

from __future__ import annotations

from datetime import datetime

from memstation.domain.days import read_day
from memstation.domain.errors import InvalidInput
from memstation.domain.instants import InstantLike, as_instant, from_text, to_text
from memstation.read.belief import resolve_known_at
from memstation.read.querying import ask_one, quick_one
from memstation.read.rows import PastMoment
from memstation.store.database import Snapshot

_AT = "SELECT at FROM journal WHERE seq = ?"
_HEAD = "SELECT max(seq) FROM journal"


def head_of(conn: Snapshot) -> int:
    """The number of the newest decision; 0 before the first."""
    found = quick_one(conn, _HEAD)
    return 0 if found is None else int(found[0] or 0)


def moment_at(conn: Snapshot, at: InstantLike | None, known_at: InstantLike | int | None, now: datetime) -> PastMoment:
    """The point that two clocks give; None means the present on either.

    Raises:
        InvalidInput: not a time, or the journal has no such decision.
    """
    about = now if at is None else as_instant(at, "time asked for")
    if known_at is None:
        return PastMoment(about, head_of(conn), now)
    seq = resolve_known_at(conn, known_at)
    if isinstance(known_at, int) or (isinstance(known_at, str) and known_at.strip().startswith("#")):
        return PastMoment(about, seq, _time_of(conn, seq) or about)
    return PastMoment(about, seq, as_instant(known_at))


def moment_before(conn: Snapshot, seq: int) -> PastMoment:
    """What was believed just before decision `seq`, about the instant at which it was taken.

    Compared with a later moment it shows what `seq` changed.

    Raises:
        InvalidInput: the journal has no such decision.
    """
    at = _taken(conn, seq)
    return PastMoment(at, seq - 1, at)


def moment_after(conn: Snapshot, seq: int) -> PastMoment:
    """What was believed once decision `seq` was taken, about that instant.

    Raises:
        InvalidInput: the journal has no such decision.
    """
    at = _taken(conn, seq)
    return PastMoment(at, seq, at)


def resolve_moment(conn: Snapshot, given: InstantLike | int, now: datetime, *, is_before: bool = True) -> PastMoment:
    """One day on both clocks: what was believed then about then.

    Args:
        conn: a reading connection.
        given: an instant; text as `domain.days.read_day` takes it (``last tue``, ``-7d``, ``2026-04-07 18:00``); or a
            decision, 408 or ``#408``.
        now: the present.
        is_before: whether a decision means what was believed just before it (`moment_before`) or after it.

    Raises:
        InvalidInput: it cannot be read, has not come yet, or the journal has no such decision.
    """
    seq = _decision(given)
    if seq is not None:
        return moment_before(conn, seq) if is_before else moment_after(conn, seq)
    about = read_day(given, now) if isinstance(given, str) else as_instant(given)  # type: ignore[arg-type]
    if about > now:
        raise InvalidInput("That day has not come yet", "{at} lies after the present", at=to_text(about))
    return PastMoment(about, resolve_known_at(conn, about), about)


def _decision(given: object) -> int | None:
    """The number of the decision that is meant; None where it is a time."""
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    if not isinstance(given, str) or not given.strip().startswith("#"):
        return None
    digits = given.strip()[1:].strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 18):
        raise InvalidInput("This is not the number of a decision", "{text!r}", "as in #408", text=given.strip()[:40])
    return int(digits)


def _taken(conn: Snapshot, seq: int) -> datetime:
    found = _time_of(conn, seq) if seq >= 1 and seq.bit_length() < 63 else None
    if found is None:
        head = head_of(conn)
        raise InvalidInput("There is no such decision", "#{seq}; the newest is #{head}", seq=seq, head=head)
    return found


def _time_of(conn: Snapshot, seq: int) -> datetime | None:
    found = ask_one(conn, _AT, (seq,))
    return None if found is None else from_text(found.at)

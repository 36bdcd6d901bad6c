"""Takes foreign memories in: every one passes the gate as ``import:NAME``. It must not keep a foreign verdict.

In: the claims of a file, whoever told them there. Out: claims of this store under an origin of their own, in parts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memstation.domain.decisions import HOLD_KINDS, Claim, Decision, Mark
from memstation.domain.errors import InvalidInput
from memstation.domain.guarding import DEFAULT_GUARD, GuardSettings
from memstation.domain.origins import OPERATOR, capped_trust
from memstation.exchange.checking import Source
from memstation.exchange.report import LeftOut, Progress
from memstation.exchange.stored import known
from memstation.guard import shape
from memstation.ops import gate
from memstation.store import journal
from memstation.store.ledger import Ledger
from memstation.store.lines import batches

PART = 10_000
"""Memories of one decision."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did."""

    told: int
    """Memories that are in use, or in the history."""
    held: int
    dropped: int
    skipped: int
    """Memories that this import had brought before."""
    parts: tuple[int, ...]
    """Numbers of the decisions; taking one back takes all back."""
    left_out: LeftOut
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class _Checked:
    total: int
    out: frozenset[str]
    """Ids of memories that the file itself holds or has withdrawn."""
    left_out: LeftOut


def import_foreign(
    ledger: Ledger,
    source: Source,
    name: str,
    progress: Progress | None = None,
    *,
    actor: str = OPERATOR,
    settings: GuardSettings = DEFAULT_GUARD,
) -> ImportReport:
    """Tell the store what a foreign file claims, through the whole gate but the burst.

    All of the file is read before anything is written. Each memory gets an id made from its own and the name, so that
    importing again changes nothing. Ends, marks and orders are the foreign operator's and are not carried; what they
    hold or have withdrawn stays out.

    Args:
        ledger: the store's.
        source: the file.
        name: what the origin is called: ``import:NAME``.
        progress: see `Progress`; False stops after the part.
        actor: who imports.
        settings: the operator's, for what would replace a fact of the operator.

    Raises:
        InvalidInput: no name, or a line cannot be taken; nothing was written.
    """
    origin = f"import:{shape.text_of(name, 'name', 200, blank=False).strip()}"
    checked = _check(source)
    told = held = dropped = skipped = 0
    parts: list[int] = []
    done, stopped = 0, False
    for batch in batches(_claims(source, checked.out, origin), PART):
        scans = [gate.scanned(claim) for claim in batch]
        with ledger.writing() as writing:
            there = known(writing.cursor, [claim.id for claim in batch])
            new = [(claim, found) for claim, found in zip(batch, scans, strict=True) if claim.id not in there]
            admission = gate.admit(writing, [c for c, _ in new], [s for _, s in new], settings, "import")
            if admission.statements:
                agents = {claim.agent_id for claim in batch}
                group = parts[0] if parts else None
                if group is None and len(batch) < checked.total:
                    group = journal.head(writing.cursor).seq + 1
                agent = agents.pop() if len(agents) == 1 else ""
                parts.append(writing.apply(Decision("import", actor, admission.statements, agent, origin, group)).seq)
            admission.note(writing)
        skipped += len(batch) - len(new)
        dropped += sum(verdict.is_dropped for verdict in admission.verdicts)
        held += sum(bool(verdict.reasons) or verdict.twin is not None for verdict in admission.verdicts)
        told += sum(gate.admitted(verdict) and not verdict.reasons for verdict in admission.verdicts)
        done += len(batch)
        if progress is not None and not progress(done, checked.total):
            stopped = done < checked.total
            break
    return ImportReport(told, held, dropped, skipped, tuple(parts), checked.left_out, stopped)


def _check(source: Source) -> _Checked:
    """Read it all once: what cannot be taken is refused before anything is written."""
    claims, counts, out, seen = 0, {"ends": 0, "orders": 0, "held or withdrawn there": 0}, set[str](), set[str]()
    for place, statement in source.statements():
        match statement:
            case Claim():
                if statement.id in seen:
                    raise InvalidInput("{place}: the id is told twice", "{id!r}", place=place, id=statement.id)
                seen.add(statement.id)
                claims += 1
            case Mark():
                if statement.kind == "withdrawn" or statement.kind in HOLD_KINDS:
                    (out.discard if statement.kind == "released" else out.add)(statement.id)
            case _:
                counts["orders" if type(statement).__name__ == "Order" else "ends"] += 1
    counts["held or withdrawn there"] = len(out & seen)
    left = tuple((word, count) for word, count in counts.items() if count) + source.left_out()
    return _Checked(claims - len(out & seen), frozenset(out), left)


def _claims(source: Source, out: frozenset[str], origin: str) -> Iterator[Claim]:
    for _, statement in source.statements():
        if isinstance(statement, Claim) and statement.id not in out:
            yield replace(
                statement, id=_id_of(origin, statement), origin=origin,
                asserted_trust=capped_trust(origin, statement.asserted_trust),
                derived_from=(), access_count=0, last_accessed=None, embedding=None, embedding_model=None,
            )  # fmt: skip


def _id_of(origin: str, claim: Claim) -> str:
    text = "\0".join((origin, claim.agent_id, claim.id))
    return f"i_{hashlib.blake2b(text.encode('utf-8', 'surrogatepass'), digest_size=15).hexdigest()}"

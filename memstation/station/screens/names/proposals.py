"""From a key in Names to a decision with its effects. It must not take the decision.

All are called in threads. The store's modules are imported where they are used: they load after the first paint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from memstation.domain.decisions import Decision, Effects
from memstation.domain.errors import NotFound, Refused
from memstation.domain.names import fold_name
from memstation.read.conflict_rows import Conflict, JoinPreview
from memstation.station.dialogs.join import JoinDraft
from memstation.station.dialogs.name_list import NameListDraft
from memstation.station.services import Engine

Proposed = tuple[Decision, Effects]


def join_of(actor: str, agent_id: str, draft: JoinDraft) -> Callable[[Any], Decision]:
    """Builds a join from what the store holds; once more when it is taken, so that it never closes a circle."""
    from memstation.ops import alias

    def build(looking: Any) -> Decision:
        decision = alias.join(looking, agent_id, draft.canonical, draft.alias, actor=actor)
        if decision is None:
            raise Refused("They are one name already", "{one} and {other}", one=draft.alias, other=draft.canonical)
        return decision

    return build


def joining(
    engine: Engine, actor: str, agent_id: str, previews: dict[JoinDraft, JoinPreview], draft: JoinDraft
) -> Proposed:
    """What a join would do; what would be one goes into `previews`.

    Raises:
        MemstationError: it cannot be done so, in words.
    """
    proposed = engine.propose(join_of(actor, agent_id, draft))
    previews[draft] = engine.reader.preview_join(agent_id, draft.canonical, draft.alias)
    return proposed


def parting(engine: Engine, actor: str, agent_id: str, name: str) -> Proposed:
    """What taking a name out would do."""
    from memstation.ops import alias

    return engine.propose(lambda looking: alias.part(looking, agent_id, name, actor=actor))


def dismissing(engine: Engine, actor: str, agent_id: str, canonical: str, name: str) -> Proposed:
    """What doing away with a suggestion would do."""
    from memstation.ops import alias

    return engine.propose(lambda looking: alias.dismiss(looking, agent_id, [(canonical, name)], actor=actor))


def no_conflict(engine: Engine, actor: str, conflicts: Sequence[Conflict]) -> Proposed:
    """What dismissing conflicts would do."""
    from memstation.ops import differing

    return engine.propose(lambda looking: differing.dismiss(looking, conflicts, actor=actor))


def suggesting(
    engine: Engine, actor: str, agent_id: str, read: Callable[[Path], Iterable[tuple[str, str]]], draft: NameListDraft
) -> Proposed:
    """What a list of names would suggest: pairs of which the agent's facts have a name.

    Raises:
        MemstationError: the list cannot be read, or says nothing new.
    """
    from memstation.ops import alias

    path = Path(draft.path.strip()).expanduser()
    known = engine.reader.known_names(agent_id)
    try:
        told = [(fold_name(name), fold_name(other), name, other) for name, other in read(path)]
    except OSError as error:
        raise NotFound(
            "The list cannot be opened", "{why}", "write its whole path", why=error.strerror or path
        ) from error
    pairs = [(name, other) for one, two, name, other in told if one != two and (one in known or two in known)]

    def build(looking: Any) -> Decision:
        decision = alias.suggest(looking, agent_id, pairs, actor=actor, reason=f"import {path.name}")
        if decision is None:
            raise Refused("Nothing new to suggest", "{n:,} names are in the list", n=len(told))
        return decision

    return engine.propose(build)

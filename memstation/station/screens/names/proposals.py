"""From a key in Names to a decision with its effects. It must not take the decision.

All are called in threads. The store's modules are imported where they are used: they load after the first paint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memstation.domain.decisions import Decision, Effects
from memstation.domain.errors import Refused
from memstation.read.conflict_rows import Conflict, JoinPreview
from memstation.station.dialogs.join import JoinDraft
from memstation.station.services import Engine

Proposed = tuple[Decision, Effects]


def joining(
    engine: Engine, actor: str, agent_id: str, previews: dict[JoinDraft, JoinPreview], draft: JoinDraft
) -> Proposed:
    """What a join would do; what would be one goes into `previews`.

    Raises:
        MemstationError: it cannot be done so, in words.
    """
    from memstation.ops import alias

    def build(looking: Any) -> Decision:
        decision = alias.join(looking, agent_id, draft.canonical, draft.alias, actor=actor)
        if decision is None:
            raise Refused("They are one name already", "{one} and {other}", one=draft.alias, other=draft.canonical)
        return decision

    proposed = engine.propose(build)
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

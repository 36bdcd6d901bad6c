"""From what the operator wrote in a dialog to a decision with its effects. It must not take the decision.

All are called in threads. The store's modules are imported where they are used: they load after the first paint.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memstation.domain.decisions import Decision, Effects
from memstation.domain.memory import FactRecord, MemoryEntry, TemporalMeta
from memstation.domain.origins import OPERATOR
from memstation.station.days import read_day
from memstation.station.dialogs.correct import CorrectDraft
from memstation.station.dialogs.tell import TellDraft
from memstation.station.services import Engine


def correction(
    engine: Engine, actor: str, record: FactRecord, now: datetime, draft: CorrectDraft
) -> tuple[Decision, Effects]:
    """What the chosen option of the correcting dialog would do.

    Raises:
        MemstationError: it cannot be done so, in words.
    """
    from memstation.ops import correct

    asked, agent_id = record.asked or record.id, record.agent_id

    def build(looking: Any) -> Decision:
        if draft.option == "1":
            return correct.never_true(looking, asked, actor=actor, agent_id=agent_id, reject=draft.reject)
        if draft.option == "2":
            day = read_day(draft.day, now)
            return correct.stopped_being_true(looking, asked, day, _maker(engine), actor=actor, agent_id=agent_id)
        is_note = not record.object
        return correct.value_is(
            looking, asked, _maker(engine), actor=actor, agent_id=agent_id, reject=draft.reject_old,
            object=None if is_note else draft.value.strip(),
            content=draft.value.strip() if is_note else draft.words.strip() or None,
        )  # fmt: skip

    return engine.propose(build)


def telling(engine: Engine, actor: str, agent_id: str, now: datetime, draft: TellDraft) -> tuple[Decision, Effects]:
    """What telling the agent this fact would do. The words are the operator's: origin operator, trust 1.

    Raises:
        MemstationError: it cannot be told so, in words.
    """
    from memstation.ops import remember

    about, says, value = draft.about.strip(), draft.says.strip(), draft.value.strip()
    is_fact = bool(about and says)
    meta = TemporalMeta(
        subject=about or None, predicate=says or None, object=value if is_fact else None,
        valid_from=read_day(draft.start, now) if draft.start.strip() else None,
        valid_until=read_day(draft.until, now) if draft.until.strip() else None, origin=OPERATOR,
    )  # fmt: skip
    entry = MemoryEntry(agent_id=agent_id, content=value, source_event="station")
    return engine.propose(lambda looking: remember.telling(looking, entry, meta, _maker(engine), actor=actor))


def holding(engine: Engine, actor: str, agent_id: str, predicate: str, rule: str) -> tuple[Decision, Effects]:
    """What it would do that a predicate holds `one` value or `many`.

    Raises:
        MemstationError: it is so already.
    """
    from memstation.ops import correct

    return engine.propose(lambda looking: correct.holds(looking, agent_id, predicate, rule, actor=actor))


def _maker(engine: Engine) -> Any:
    """Makes an id, whatever moment it is given."""
    return lambda _moment: engine.new_id()

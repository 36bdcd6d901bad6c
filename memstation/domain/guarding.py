"""The operator's settings of the write gate, and what the gate judges. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Road: TypeAlias = Literal["write", "import", "restore"]
"""How a memory comes in: written by an agent or the operator, foreign material, or the operator's own store."""

WINDOW_SECONDS = (1, 604_800)
PER_SUBJECT = (1, 10_000)
"""What the settings may be (the seed's own limits)."""


@dataclass(frozen=True, slots=True)
class GuardSettings:
    """``[knowledge_guard]`` of the settings file, with the seed's names and defaults (seed 000, D2)."""

    enabled: bool = field(default=True, metadata={"help": "whether bursts are held; the rest of the gate is always on"})
    window_secs: int = field(
        default=3600, metadata={"help": "how long a burst is counted, in seconds", "range": WINDOW_SECONDS}
    )
    max_per_subject: int = field(
        default=5,
        metadata={"help": "from so many new values of one origin about one subject on, they are held",
                  "range": PER_SUBJECT},
    )  # fmt: skip
    over_operator: bool = field(
        default=True, metadata={"help": "hold what would replace a fact that the operator told"}
    )


DEFAULT_GUARD = GuardSettings()

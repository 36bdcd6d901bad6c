"""What a typed day means, for the station; see `domain.days`. It reads no clock."""

from __future__ import annotations

from memstation.domain.days import HINT, read_day

__all__ = ["HINT", "read_day"]

"""Origins, their classes and what each may claim. An origin is ``class`` or ``class:detail``.

The class sets a ceiling of trust; purge and burst compare the whole string, exactly (seed 000, D1 and D2).
"""

from __future__ import annotations

OPERATOR = "operator"
UNATTRIBUTED = "unattributed"

CEILINGS: dict[str, float] = {
    "user_direct": 1.0,
    "operator": 1.0,
    "import": 0.7,
    "agent_derived": 0.6,
    "tool_echo": 0.5,
    "channel": 0.3,
    "mcp_external": 0.3,
}
OTHER_CEILING = 0.3
_SAME_CLASS = {"user": "user_direct", "user_profile": "user_direct"}
_RAISES_TRUST = frozenset({"operator", "user_direct", "import"})
_INDEPENDENT = frozenset({"user_direct", "operator", "import", "channel", "mcp_external"})


def origin_class(origin: str | None) -> str:
    """The class of an origin; ``user`` and ``user_profile`` are user_direct, no origin is unattributed."""
    head = (origin or UNATTRIBUTED).split(":", 1)[0].strip().lower()
    return _SAME_CLASS.get(head, head)


def ceiling(origin: str | None) -> float:
    """The highest trust, 0 to 1, that this origin may claim."""
    return CEILINGS.get(origin_class(origin), OTHER_CEILING)


def raises_trust(origin: str | None) -> bool:
    """Whether a confirmation by this origin can raise the trust of the fact that it confirms."""
    return origin_class(origin) in _RAISES_TRUST


def is_independent(origin: str | None) -> bool:
    """Whether this origin counts as support of its own when another source turns out to be poisoned."""
    return origin_class(origin) in _INDEPENDENT


def trust_under(rule: float | None, origin: str | None, told: float) -> float:
    """What a claim counts for where an operator set the trust of its origin; None: no such order rules.

    What was told at the full trust of its class follows the order, up and down; what was told with less (by choice, or
    because of what it was made from) is only ever cut by it.
    """
    if rule is None:
        return told
    return rule if told >= ceiling(origin) else min(told, rule)


def capped_trust(origin: str | None, declared: float | None, sources: list[float] | None = None) -> float:
    """The trust a claim is told with: declared or the ceiling, under the ceiling and the weakest source."""
    limit = ceiling(origin)
    return min([limit if declared is None else declared, limit, *(sources or [])])

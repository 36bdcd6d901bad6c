"""What joining two names would make one, as lines and for a program. It joins nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, counted, say

if TYPE_CHECKING:
    from memstation.read.conflict_rows import JoinPreview


def joining_lines(preview: JoinPreview) -> list[Safe]:
    """The group that comes of it, and the disagreements that it brings."""
    from memstation.station.render.conflict_words import conflict_text

    names = say(" and ").join(safe_line(name.name) for name in preview.names[1:])
    group = say("  {title}: also {names}", title=preview.title, names=Safe(names))
    found = counted("; {n} fact found together", "; {n} facts found together", preview.facts)
    return [
        Safe(group + found), _("  nothing is closed by joining"),
        *(Safe(Safe("  ~ ") + conflict_text(conflict)) for conflict in preview.conflicts),
    ]  # fmt: skip


def as_joined(preview: JoinPreview) -> dict[str, object]:
    """The same for a program: members with their facts, the title first; conflicts as `conflicts --json` has them."""
    return {
        "title": preview.title,
        "names": preview.names,
        "facts": preview.facts,
        "moves_from": preview.moves_from,
        "conflicts": [
            {"name": each.name, **{key: getattr(each, key) for key in each.__slots__}} for each in preview.conflicts
        ],
    }

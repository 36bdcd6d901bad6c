"""What Names says of the row under the cursor: a group, a suggestion, a conflict. It must not import textual."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias, assert_never

from memstation.domain.names import fold_name
from memstation.domain.origins import OPERATOR
from memstation.read.conflict_rows import (
    AgentNames,
    Conflict,
    ConflictKind,
    JoinPreview,
    NameGroup,
    NameRow,
    Side,
    Suggested,
)
from memstation.station.render.cells import Run, fit_runs, runs, runs_width
from memstation.station.render.conflict_words import HOW, how_often, kind_word, names_runs
from memstation.station.render.facts import short_origin
from memstation.station.render.names_columns import by_words, source_runs
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken_day
from memstation.station.words import N_, _, counted, say

Row: TypeAlias = NameGroup | Suggested | Conflict
KeyName: TypeAlias = Callable[[str], str]
"""The key in effect for a command."""

NAME_CELLS, VALUE_CELLS, SOURCE_CELLS = 16, 28, 18


def detail_title(row: Row) -> tuple[list[Run], list[Run]]:
    """Title and note."""
    match row:
        case NameGroup():
            return runs(row.title, "strong"), [(_("what joining did"), "muted")]
        case Suggested():
            return [*runs(row.alias, "strong"), (Safe(" -> "), "muted"), *runs(row.canonical, "strong")], []
        case Conflict():
            about = [(Safe("  "), ""), *runs(row.predicate, "strong")] if row.predicate else []
            return [(kind_word(row), "changed"), (Safe("  "), ""), *names_runs(row), *about], []
    assert_never(row)


def detail_rows(row: Row, names: AgentNames, now: datetime, key: KeyName, cells: int) -> list[list[Run]]:
    """All about it, and what can be done, for a pane of so many cells."""
    match row:
        case NameGroup():
            return _group_rows(row, names, now, key, cells)
        case Suggested():
            return _suggested_rows(row, now, key)
        case Conflict():
            return _conflict_rows(row, now, key, cells)
    assert_never(row)


def _group_rows(group: NameGroup, names: AgentNames, now: datetime, key: KeyName, cells: int) -> list[list[Run]]:
    rows = [[*name_runs(name), *_joined_runs(name, group, now)] for name in group.names]
    total = counted("Found together: {n} fact under any of the {all}", "Found together: {n} facts under any of the "
                    "{all}", group.facts, all=len(group.names))  # fmt: skip
    rows += [[], [(total, "")], [(_("Nothing was closed by joining."), "muted")]]
    folded = {fold_name(name.name) for name in group.names}
    for conflict in names.conflicts:
        if conflict.kind == "disagree" and fold_name(conflict.names[0]) in folded:
            rows += [
                [],
                [(_("CONFLICT  "), "changed"), *runs(conflict.predicate, "strong")],
                *_side_rows(conflict, now, cells),
            ]
    out = say("{key} takes a name out again; search goes back to exactly what it was", key=key("names.part"))
    return [*rows, [], [(out, "muted")]]


def name_runs(name: NameRow) -> list[Run]:
    """``老闆          22 facts``."""
    return [*fit_runs(runs(name.name, "strong"), NAME_CELLS),
            (counted(" {n} fact", " {n} facts", name.facts), "" if name.facts else "muted")]  # fmt: skip


def _joined_runs(name: NameRow, group: NameGroup, now: datetime) -> list[Run]:
    if name.at is None:
        return []
    role = "muted" if name.actor == OPERATOR else "warning"
    parts: list[Run] = [(say("   joined {day} ", day=spoken_day(name.at, now)), "muted"), (by_words(name.actor), role)]
    if name.under is not None and fold_name(name.under) != fold_name(group.title):
        parts += [(_(", to "), "muted"), *runs(name.under, "muted")]
    return parts


def _suggested_rows(row: Suggested, now: datetime, key: KeyName) -> list[list[Run]]:
    shared = counted("{n} fact says the same of both", "{n} facts say the same of both", row.shared)
    facts = counted("{n} fact about either", "{n} facts about either", row.facts)
    return [
        [(_("From     "), "muted"), *source_runs(row), (say(", {day}", day=spoken_day(row.at, now)), "muted")],
        [(_("Facts    "), "muted"), (facts, ""), (Safe(", "), "muted"), (shared, "")],
        [(_("Nothing is joined until you say so."), "muted")],
        [],
        [(Safe(key("names.accept")), "key"), (say("  they are one: {name} stays the title", name=row.canonical), "")],
        [(Safe(key("names.dismiss")), "key"), (_("  they are two, never suggest it again"), "")],
    ]  # fmt: skip


WAYS: dict[ConflictKind, tuple[str, ...]] = {
    "disagree": ("fact.correct", "fact.many", "names.dismiss"),
    "flaps": ("fact.correct", "fact.many", "names.dismiss"),
    "alike": ("names.accept", "names.dismiss"),
}
"""The commands that settle a conflict."""
SETTLES = {
    "fact.correct": N_("one was never true, or stopped being true"),
    "fact.many": N_("both are true: it holds many values"),
    "names.accept": N_("they are one name"),
    "names.dismiss": N_("not a conflict, never show again"),
}


def _conflict_rows(conflict: Conflict, now: datetime, key: KeyName, cells: int) -> list[list[Run]]:
    rows = _side_rows(conflict, now, cells)
    if conflict.kind == "flaps":
        rows.append([(say("It changed {often}.", often=how_often(conflict)), "")])
    if conflict.kind == "alike":
        rows.append([(_("The names "), ""), (_(HOW[conflict.likeness or "letter"]), ""), (Safe("."), "")])
    rows.append([])
    for command in WAYS[conflict.kind]:
        rows.append([(Safe(key(command)), "key"), (Safe("  "), ""), (_(SETTLES[command]), "")])
    return rows


def _side_rows(conflict: Conflict, now: datetime, cells: int) -> list[list[Run]]:
    return [_side_row(side, now, cells) for side in conflict.sides]


def _side_row(side: Side, now: datetime, cells: int) -> list[Run]:
    """``老闆   Helix   2 Apr, line/7, trust 0.3`` in a width: the value gives way."""
    source = short_origin(side.origin) or _("no source")
    tail: list[Run] = [
        (Safe(" "), ""), (spoken_day(side.valid_from, now), "muted"), (Safe(", "), "muted"),
        *joined(runs(source, "muted"), SOURCE_CELLS), (say(", trust {n}", n=f"{side.trust:.1f}"), "muted"),
    ]  # fmt: skip
    if side.facts:
        tail.append((counted(", {n} fact", ", {n} facts", side.facts), "muted"))
    value = f"{side.predicate} {side.value}" if side.facts and side.predicate else side.value
    name = min(NAME_CELLS, max(8, cells // 5))
    room = max(8, min(VALUE_CELLS, cells - name - 1 - runs_width(tail)))
    return [*fit_runs(runs(side.name, "strong"), name), (Safe(" "), ""), *fit_runs(runs(value), room), *tail]


def preview_rows(preview: JoinPreview, now: datetime, cells: int) -> list[list[Run]]:
    """What would be one: every name with its facts, then the disagreements that it would bring."""
    together = counted("{n} fact found together, nothing closes", "{n} facts found together, nothing closes",
                       preview.facts)  # fmt: skip
    new = counted(", {n} new disagreement", ", {n} new disagreements", len(preview.conflicts))
    names = [name_runs(name) for name in preview.names]
    names[0] = [*names[0], (_("   stays the title"), "key")]
    rows: list[list[Run]] = [[(together, ""), (new, "changed" if preview.conflicts else "muted")], [], *names]
    if preview.moves_from is not None:
        leaves = say("it stands under {name} now, and leaves it", name=preview.moves_from)
        rows.append([(Safe("! "), "warning"), (leaves, "warning")])
    for conflict in preview.conflicts:
        rows += [[], [(_("WOULD DISAGREE  "), "changed"), *runs(conflict.predicate, "strong")],
                 *_side_rows(conflict, now, cells)]  # fmt: skip
    return rows

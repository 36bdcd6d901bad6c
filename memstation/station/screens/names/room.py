"""Names: what the operator decides about names and conflicts. It must not decide but what was shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar, assert_never

from textual import on
from textual.binding import BindingType

from memstation.domain.decisions import Decision, Effects
from memstation.domain.names import fold_name
from memstation.read.conflict_rows import Conflict, JoinPreview, NameGroup, Suggested
from memstation.station.bindings import room_bindings
from memstation.station.commands import Command
from memstation.station.dialogs.join import JoinDialog, JoinDraft
from memstation.station.dialogs.name_list import NameListDialog, NameListDraft
from memstation.station.dialogs.pick import Option, PickDialog
from memstation.station.dialogs.proposal import Proposed
from memstation.station.render.cells import Run, runs
from memstation.station.render.names_detail import Row
from memstation.station.render.safe import Safe
from memstation.station.screens.names.proposals import dismissing, join_of, joining, no_conflict, parting, suggesting
from memstation.station.screens.names.settling import Settling
from memstation.station.screens.timeline.deciding import SOMEBODY
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, counted, say

MOST_PICKED = 5_000
"""Names among which one is picked."""


class NamesScreen(Settling):
    """The room Names."""

    ROOM = "names"
    SCOPE = "Names"
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Names")

    _list_draft = NameListDraft()

    def why_not(self, command: Command) -> str:
        """Why a verb cannot act on what is under the cursor."""
        why = super().why_not(command)
        if why:
            return why
        row = self.selected()
        if command.id in ("names.join", "names.list") and self.names_agent is None:
            return _("there is no agent yet")
        if command.id == "names.list" and self.station.services.read_names is None:
            return _("lists of names are not read here")
        if command.id == "names.part" and not isinstance(row, NameGroup):
            return _("no name with others joined is under the cursor")
        if command.id == "names.accept" and not _is_offer(row):
            return _("nothing that could be joined is under the cursor")
        if command.id == "names.dismiss" and not isinstance(row, Suggested | Conflict):
            return _("neither a suggestion nor a conflict is under the cursor")
        if command.id in ("fact.correct", "fact.many"):
            return "" if isinstance(row, Conflict) and row.kind != "alike" else _("no conflict is under the cursor")
        if (command.id.startswith("item.") or command.id == "find.about") and row is None:
            return _("there is no row here")
        return ""

    def footer_label(self, command: Command) -> Safe:
        """What enter does depends on the row."""
        if command.id == "item.open" and isinstance(self.selected(), Conflict):
            return _("settle")
        if command.id == "item.open" and isinstance(self.selected(), NameGroup):
            return _("facts")
        return super().footer_label(command)

    # -- open ---------------------------------------------------------------------------------------------------

    def do_item_open(self) -> None:
        """The facts of a group; what can be done about a suggestion or a conflict."""
        row = self.selected()
        if isinstance(row, NameGroup):
            self.station.open_timeline(row.agent_id, about_filter(name.name for name in row.names))
        elif isinstance(row, Suggested):
            self._join(JoinDraft(row.canonical, row.alias))
        elif isinstance(row, Conflict):
            self.settle(row)

    @on(VirtualList.Opened)
    def _opened(self) -> None:
        self.do_item_open()

    def do_item_copy_id(self) -> None:
        """The ids of a conflict's facts, or the name."""
        row = self.selected()
        if isinstance(row, Conflict):
            self.station.copy(" ".join(side.id for side in row.sides))
        else:
            self.do_item_copy_text()

    def do_item_copy_text(self) -> None:
        """The names."""
        row = self.selected()
        if isinstance(row, NameGroup):
            self.station.copy(", ".join(name.name for name in row.names))
        elif isinstance(row, Suggested):
            self.station.copy(f"{row.alias} -> {row.canonical}")
        elif isinstance(row, Conflict):
            self.station.copy(" / ".join(row.names))

    def do_find_about(self) -> None:
        """Search for the name under the cursor."""
        row = self.selected()
        if row is not None and self.names_agent is not None:
            self.station.open_find(self.names_agent, name_of(row))

    # -- join ---------------------------------------------------------------------------------------------------

    def do_names_join(self) -> None:
        """Pick a name; it joins the group under the cursor, else another one that is picked first."""
        assert self.engine is not None and self.names_agent is not None
        call = partial(self.engine.reader.known_names, self.names_agent)
        row = self.selected()
        title = row.title if isinstance(row, NameGroup) else None
        self.station.read_to_open(self, "known", call, partial(self._pick, title))

    def _pick(self, title: str | None, known: Mapping[str, str]) -> None:
        """Which name stays, where that is not known yet; then which joins it."""
        known = {**known, **{fold_name(name.name): name.name for group in self._groups() for name in group.names}}
        if title is None:
            dialog = PickDialog(_("Which name stays?"), _options(known, ()))
            self.station.push_screen(dialog, partial(self._title_picked, known))
            return
        taken = next((group for group in self._groups() if fold_name(group.title) == fold_name(title)), None)
        off = {fold_name(name.name) for name in taken.names} if taken else {fold_name(title)}
        dialog = PickDialog(say("Which name joins {title}?", title=title[:40]), _options(known, off))
        self.station.push_screen(dialog, partial(self._alias_picked, title))

    def _groups(self) -> Sequence[NameGroup]:
        return () if self.names is None else self.names.groups

    def _title_picked(self, known: Mapping[str, str], option: Option | None) -> None:
        if option is not None:
            self._pick(option.value, known)

    def _alias_picked(self, title: str, option: Option | None) -> None:
        if option is not None:
            self._join(JoinDraft(title, option.value))

    def _join(self, draft: JoinDraft, note: Safe | None = None) -> None:
        if self.engine is None or self.names_agent is None:
            return
        previews: dict[JoinDraft, JoinPreview] = {}
        propose = partial(joining, self.engine, self.station.station_actor(), self.names_agent, previews)
        dialog = JoinDialog(draft, propose, previews, note)
        self.station.push_screen(dialog, partial(self._join_answered, draft))

    def _join_answered(self, draft: JoinDraft, answer: Proposed[JoinDraft] | None) -> None:
        if answer is None:
            self.station.say([(_("Nothing was joined."), "muted")])
            return
        self._take_join((answer.decision, answer.effects), answer.draft)

    def _take_join(self, proposed: tuple[Decision, Effects], draft: JoinDraft) -> None:
        assert self.names_agent is not None
        build = join_of(self.station.station_actor(), self.names_agent, draft)
        self.decide(proposed, _join_said(draft), partial(self._join, draft, _(SOMEBODY)), build)

    def do_names_accept(self) -> None:
        """Join what is suggested: at once, unless facts would disagree or a name would leave another."""
        assert self.engine is not None and self.names_agent is not None
        row = self.selected()
        if isinstance(row, Suggested):
            draft = JoinDraft(row.canonical, row.alias)
        elif isinstance(row, Conflict):
            self._join(JoinDraft(row.names[0], row.names[1]))
            return
        else:
            return
        previews: dict[JoinDraft, JoinPreview] = {}
        call = partial(joining, self.engine, self.station.station_actor(), self.names_agent, previews, draft)
        self.in_thread("accept", call, partial(self._accept, draft, previews), self.station.fail)

    def _accept(
        self, draft: JoinDraft, previews: dict[JoinDraft, JoinPreview], proposed: tuple[Decision, Effects]
    ) -> None:
        if previews[draft].conflicts or previews[draft].moves_from is not None:
            self._join(draft)
        else:
            self._take_join(proposed, draft)

    # -- a list of names ----------------------------------------------------------------------------------------

    def do_names_list(self, note: Safe | None = None) -> None:
        """Read a list of names as suggestions."""
        read = self.station.services.read_names
        if self.engine is None or self.names_agent is None or read is None:
            return
        propose = partial(suggesting, self.engine, self.station.station_actor(), self.names_agent, read)
        dialog = NameListDialog(self.names_agent, propose, self._list_draft, note)
        self.station.push_screen(dialog, partial(self._list_answered, dialog))

    def _list_answered(self, dialog: NameListDialog, answer: Proposed[NameListDraft] | None) -> None:
        self._list_draft = dialog.kept
        if answer is None:
            self.station.say([(_("Nothing was suggested."), "muted")])
            return
        count = len(answer.effects.orders)
        said: list[Run] = [(counted("{n} suggested", "{n} suggested", count), "strong")]
        self.decide((answer.decision, answer.effects), said, partial(self.do_names_list, _(SOMEBODY)))

    # -- part, dismiss ------------------------------------------------------------------------------------------

    def do_names_part(self) -> None:
        """Take a name out: the only one, else the one that is picked."""
        row = self.selected()
        if not isinstance(row, NameGroup):
            return
        joined = [name.name for name in row.names if name.under is not None]
        if len(joined) == 1:
            self._part(joined[0])
            return
        options = [Option(name, name, (tuple(runs(name)),)) for name in joined]
        title = say("Which name is taken out of {title}?", title=row.title[:40])
        self.station.push_screen(PickDialog(title, options), self._part_picked)

    def _part_picked(self, option: Option | None) -> None:
        if option is not None:
            self._part(option.value)

    def _part(self, name: str) -> None:
        assert self.engine is not None and self.names_agent is not None
        call = partial(parting, self.engine, self.station.station_actor(), self.names_agent, name)
        said: list[Run] = [*runs(name, "strong"), (_(" stands alone again"), "")]
        with_it = [each.name for group in self._groups() for each in group.names
                   if each.under is not None and fold_name(each.under) == fold_name(name)]  # fmt: skip
        if with_it:
            said = [*runs(name, "strong"), (_(" stands apart, with "), ""), *runs(", ".join(with_it), "strong")]
        self.in_thread("part", call, lambda proposed: self.decide(proposed, said, self._read), self.station.fail)

    def do_names_dismiss(self) -> None:
        """A suggestion that is none, or a conflict that is none."""
        assert self.engine is not None
        row, actor = self.selected(), self.station.station_actor()
        if isinstance(row, Suggested):
            call = partial(dismissing, self.engine, actor, row.agent_id, row.canonical, row.alias)
            said: list[Run] = [*runs(row.alias, "strong"), (_(" and "), ""), *runs(row.canonical, "strong"),
                               (_(" are two names"), "")]  # fmt: skip
        elif isinstance(row, Conflict):
            call = partial(no_conflict, self.engine, actor, [row])
            said = [(_("no conflict: "), ""), *runs(" / ".join(row.names), "strong")]
        else:
            return
        self.in_thread("dismiss", call, lambda proposed: self.decide(proposed, said, self._read), self.station.fail)


def _is_offer(row: object) -> bool:
    return isinstance(row, Suggested) or (isinstance(row, Conflict) and row.kind == "alike")


def name_of(row: Row) -> str:
    """The name that a row is about, the first of several."""
    match row:
        case NameGroup():
            return row.title
        case Suggested():
            return row.canonical
        case Conflict():
            return row.names[0]
    assert_never(row)


def _join_said(draft: JoinDraft) -> list[Run]:
    return [*runs(draft.alias, "strong"), (_(" is one name with "), ""), *runs(draft.canonical, "strong")]


def _options(known: Mapping[str, str], off: Collection[str]) -> list[Option]:
    """The names that can be picked, those that facts are about first."""
    names = [(name, spelled) for name, spelled in known.items() if name not in off]
    return [Option(spelled, f"{name} {spelled}", (tuple(runs(spelled)),)) for name, spelled in names[:MOST_PICKED]]


def about_filter(names: Iterable[str]) -> str:
    """The Timeline's filter for facts about any of these names; what cannot be quoted is left out."""
    told = [f'"{name}"' for name in names if '"' not in name]
    return f"about:{','.join(told)}" if told else ""

"""Purge a source, step 1: look and choose. It must not purge, and every number in it is the engine's preview."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Input, Static

from memstation.domain.errors import MemstationError
from memstation.domain.purging import PurgeChoices, PurgeReport
from memstation.read.rows import ReadCount
from memstation.station.background import Background
from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.dialogs.notice import NoticeDialog
from memstation.station.render.cells import Run, runs
from memstation.station.render.provenance import joined
from memstation.station.render.purge_words import NAME, Line, listed, only_lasts, reads_words, report_lines, scope_runs
from memstation.station.render.safe import Safe
from memstation.station.render.show import content
from memstation.station.widgets.columns import Column
from memstation.station.widgets.field import Field
from memstation.station.widgets.pages import FixedRows
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import N_, _, counted, say

LASTS = N_("All of it is withdrawn already: this only keeps it away, whatever is taken back later.")
TYPING_DELAY = 0.2
"""Seconds without a key before what was typed is looked up."""


@dataclass(frozen=True, slots=True)
class PurgeDraft:
    """What is chosen: whose memories, since when (as typed), and what else is done."""

    agent_id: str | None
    """None: every agent's."""
    since: str = ""
    choices: PurgeChoices = field(default_factory=PurgeChoices)


@dataclass(frozen=True, slots=True)
class Looked:
    """What the engine says that a purge would do, and how often what goes was read."""

    draft: PurgeDraft
    report: PurgeReport
    reads: ReadCount
    near: tuple[str, ...]
    """Other sources with nearly the same name."""


class PurgeDialog(Background, Dialog["Looked | None"]):
    """Returns what was looked at when the operator goes on to type the name; None for no.

    Args:
        origin: the source.
        draft: what is chosen at first.
        look: asks the engine; called in a thread whenever the choice changes.
        note: what else must be known, such as that somebody decided meanwhile.
    """

    def __init__(
        self, origin: str, draft: PurgeDraft, look: Callable[[PurgeDraft], Looked], note: Safe | None = None
    ) -> None:
        super().__init__(_("Purge a source: 1 of 2, look"), is_danger=True)
        self.origin, self.draft, self.note = origin, draft, note
        self.looked: Looked | None = None
        """What is on the screen; None while another choice is being looked up."""
        self._look = look
        self._typing: Timer | None = None
        self._told: tuple[str, ...] = ()
        """Agents that the source told something."""

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """The scope, what would change, the choices, what cannot be taken back."""
        yield Static(id="note")
        yield Static(id="scope")
        yield Static(id="agents")
        yield Static(content([(_(LASTS), "strong")]), id="lasts")
        yield Static(id="near")
        yield VirtualList[Line](self._columns, titled=False, id="lines")
        yield Static(id="block", classes="spaced")
        yield Static(id="remember")
        yield Static(id="made")
        with Horizontal(id="since-row"):
            yield Static(content([(Safe("    "), ""), (Safe("s"), "key"), (_("  since "), "")]), id="since-label")
            yield Field(self.draft.since, placeholder=_("the beginning"), id="since")
            yield Static(id="since-reads")
        yield Static(id="reads", classes="spaced")

    def _columns(self, width: int) -> list[Column[Line]]:
        text = max(24, width * 5 // 11)
        return [
            Column(Safe(""), text, lambda line: line.text),
            Column(Safe(""), 20, lambda line: line.note, flex=1),
        ]

    def choices(self) -> Sequence[Choice]:
        """No first."""
        return [Choice("n", _("No, keep"), "no"), Choice("c", _("Go on: type its name"), "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do."""
        return [("c", _("go on"), False), ("n", _("no"), False), ("enter", _("list them"), False),
                ("g", _("agents"), False), ("b r m s", _("choose"), False), ("escape", _("no"), False)]  # fmt: skip

    @property
    def lines(self) -> VirtualList[Line]:
        """What would change."""
        return self.query_one("#lines", VirtualList)

    def fill(self) -> None:
        """Look for the first time."""
        self.lines.leads = True
        self.lines.cursor_glyph = self.station.glyphs.cursor
        self.lines.styles.height = 1
        note = self.query_one("#note", Static)
        note.display = self.note is not None
        if self.note is not None:
            note.update(content([(self.note, "warning")]))
        self.query_one("#near", Static).display = self.query_one("#lasts", Static).display = False
        self.choose(self.draft)

    def start(self) -> None:
        """The keys go to the list: enter there only opens."""
        self.lines.focus()

    # -- looking ------------------------------------------------------------------------------------------------

    def choose(self, draft: PurgeDraft) -> None:
        """Another choice: what is on the screen does not hold any more."""
        self.draft, self.looked = draft, None
        self._dim(True)
        self._show_choice()
        self.in_thread("look", partial(self._look, draft), self._seen, self._refused)

    def _seen(self, looked: Looked) -> None:
        self.looked = looked
        report = looked.report
        self._dim(report.plan.decision is None)
        if looked.draft.agent_id is None:
            self._told = tuple(report.plan.agents)
        lines = report_lines(report)
        self.lines.styles.height = len(lines)
        self.lines.show(FixedRows(lines, key=lambda line: line.name))
        self._show_choice()
        self.query_one("#lasts", Static).display = only_lasts(report)
        near = self.query_one("#near", Static)
        near.display = bool(looked.near)
        if looked.near:
            words: list[Run] = [(_("Not to be taken for "), "muted")]
            for place, name in enumerate(looked.near):
                words += [(Safe(", "), "muted")] if place else []
                words += joined(runs(name, "warning"), NAME)
            near.update(content(words))
        now = self.station.now()
        self.query_one("#reads", Static).update(content(reads_words(looked.reads, looked.draft.agent_id, now)))

    def _refused(self, error: MemstationError) -> None:
        parts = [*runs(error.title, "warning")]
        parts += [(Safe(": "), "muted"), *runs(error.detail)] if error.detail else []
        self.query_one("#reads", Static).update(content(parts))
        self.lines.clear()

    def _dim(self, is_dim: bool) -> None:
        for choice in self.query(Choice):
            choice.set_class(is_dim and choice.answer == "yes", "-dim")

    # -- what is chosen -----------------------------------------------------------------------------------------

    def _show_choice(self) -> None:
        draft, choices = self.draft, self.draft.choices
        since = self.looked.report.plan.since if self.looked is not None else None
        self.query_one("#scope", Static).update(content(scope_runs(self.origin, draft.agent_id, since)))
        self.query_one("#agents", Static).update(content(self._agents_runs()))
        rejected = self.looked.report.rejected if self.looked is not None and choices.remember else None
        remember = _("remember the values as rejected, from any source")
        if rejected:
            remember = counted("remember the {n} value as rejected, from any source",
                               "remember the {n} values as rejected, from any source", rejected)  # fmt: skip
        self._tick("#block", "b", choices.block, _("block this source: what it writes from now on is held for you"))
        self._tick("#remember", "r", choices.remember, remember)
        self._tick("#made", "m", choices.spare_derived, _("keep using what was made from them, with little trust"))
        self.query_one("#since-reads", Static).update(content(self._since_runs()))

    def _agents_runs(self) -> list[Run]:
        agent = self.draft.agent_id
        parts: list[Run] = [(_("Agents: "), "muted")]
        if agent is not None:
            return [*parts, *joined(runs(agent), 30), (_(" only.   "), ""), (Safe("g"), "key"), (_("  all agents"), "")]
        counts = self.looked.report.plan.agents if self.looked is not None else {}
        parts.append((_("all"), ""))
        for place, (name, count) in enumerate(list(counts.items())[:4]):
            parts += [(Safe(": " if not place else ", "), "muted"), *joined(runs(name), 16), (Safe(f" {count:,}"), "")]
        return [*parts, (Safe("   "), ""), (Safe("g"), "key"), (_("  one agent"), "")]

    def _since_runs(self) -> list[Run]:
        since = self.looked.report.plan.since if self.looked is not None else None
        return [] if since is None else [(say("  reads as {day} UTC", day=f"{since:%Y-%m-%d %H:%M}"), "muted")]

    def _tick(self, where: str, key: str, is_on: bool, words: Safe) -> None:
        role = "strong" if is_on else "muted"
        self.query_one(where, Static).update(content([
            (Safe("[x] " if is_on else "[ ] "), role), (Safe(key), "key"),
            (Safe(f"  {words}"), "" if is_on else "muted"),
        ]))  # fmt: skip

    def _set(self, **changes: bool) -> None:
        self.choose(replace(self.draft, choices=replace(self.draft.choices, **changes)))

    def do_purge_block(self) -> None:
        """Block the source, or let it write."""
        self._set(block=not self.draft.choices.block)

    def do_dialog_tick(self) -> None:
        """Remember the values, or not."""
        self._set(remember=not self.draft.choices.remember)

    def do_purge_made(self) -> None:
        """Keep what was made from them in use, or hold it."""
        self._set(spare_derived=not self.draft.choices.spare_derived)

    def do_purge_scope(self) -> None:
        """One agent after the other, then all together."""
        order: list[str | None] = [None, *self._told]
        here = order.index(self.draft.agent_id) if self.draft.agent_id in order else -1
        self.choose(replace(self.draft, agent_id=order[(here + 1) % len(order)]))

    def do_purge_since(self) -> None:
        """Write since when."""
        self.query_one("#since", Field).focus()

    @on(Input.Changed, "#since")
    def _since_typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value.strip() != self.draft.since:
            self.looked = None
            self._dim(True)
            if self._typing is not None:
                self._typing.stop()
            self._typing = self.set_timer(TYPING_DELAY, self._since_given)

    @on(Input.Submitted, "#since")
    def _since_entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.lines.focus()
        self._since_given()

    def _since_given(self) -> None:
        text = self.query_one("#since", Field).value.strip()
        if text != self.draft.since or self.looked is None:
            self.choose(replace(self.draft, since=text))

    # -- keys ---------------------------------------------------------------------------------------------------

    def answered(self, answer: str) -> None:
        """Go on only while what is on the screen is what is chosen."""
        if answer != "yes":
            self.dismiss(None)
        elif self.looked is not None and self.looked.report.plan.decision is not None:
            self.dismiss(self.looked)

    def do_dialog_answer(self, answer: str) -> None:
        """`n` closes; `y` does nothing here, since this is not the last question."""
        if answer == "no":
            self.answered(answer)

    def do_dialog_go(self) -> None:
        """On to the name."""
        if self.is_armed:
            self.answered("yes")

    def do_dialog_close(self) -> None:
        """Out of the field first."""
        if isinstance(self.focused, Field):
            self.lines.focus()
        else:
            self.answered("no")

    def do_dialog_press(self) -> None:
        """Open what the cursor is on, or press the button that has the focus."""
        if isinstance(self.focused, Choice):
            super().do_dialog_press()
        else:
            self._open()

    @on(VirtualList.Opened)
    def _open(self) -> None:
        line = self.lines.selected
        if line is not None and self.looked is not None:
            rows = listed(line, self.looked.report, self.station.glyphs, self.station.now())
            title = Safe("".join(text for text, _role in line.text))
            self.station.push_screen(NoticeDialog(title, rows))

    def do_dialog_list(self, step: str) -> None:
        """Another line."""
        self.lines.move(int(step))

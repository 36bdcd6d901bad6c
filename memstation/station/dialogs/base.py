"""The box of every dialog: 80 cells over the room, deaf to the room's keys. It never starts on Yes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget

from memstation.station.bindings import dialog_bindings
from memstation.station.commands import BY_ID, COMMANDS, ONE, shown_keys
from memstation.station.render.safe import Safe
from memstation.station.render.show import content, word
from memstation.station.widgets.bars import Footer
from memstation.station.words import _, say

if TYPE_CHECKING:
    from memstation.station.app import StationApp

T = TypeVar("T")


class Choice(Widget, can_focus=True):
    """A button: a key and what it does. Enter presses the one that has the focus; its key works from anywhere."""

    class Pressed(Message):
        """The choice was clicked."""

        def __init__(self, answer: str) -> None:
            super().__init__()
            self.answer = answer

    def __init__(self, key: str, label: Safe, answer: str) -> None:
        super().__init__()
        self.key, self.label, self.answer = key, label, answer

    def render(self) -> Content:
        """``[ n  No, keep ]``."""
        return content([
            (Safe("[ "), "line"), (Safe(self.key), "key"), (Safe(f"  {self.label}"), ""), (Safe(" ]"), "line"),
        ])  # fmt: skip

    def on_click(self) -> None:
        """A click answers."""
        self.post_message(self.Pressed(self.answer))


class Dialog(ModalScreen[T], inherit_bindings=False):
    """A dialog. Subclasses give a title, a body, the choices, and `answered`.

    Keys come from the registry's scope ``Dialog``; a method ``do_<id with low lines>`` takes each. What has no method
    here is silently not a key of this dialog.
    """

    HORIZONTAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-tiny"), (60, "-narrow")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-flat"), (15, "-low"), (22, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = dialog_bindings(
        "app.quit", *(command.id for command in COMMANDS if command.scope == "Dialog")
    )

    def __init__(self, title: Safe, *, is_danger: bool = False) -> None:
        super().__init__(classes="-danger" if is_danger else None)
        self.heading = title
        self.is_armed = False
        """Whether it was painted: a key typed ahead of that answers nothing."""

    @property
    def station(self) -> StationApp:
        """The app."""
        return cast("StationApp", self.app)

    def compose(self) -> ComposeResult:
        """The box."""
        with Vertical(id="box") as box:
            box.border_title = word(self.heading)
            yield from self.compose_body()
            choices = self.choices()
            if choices:
                with Horizontal(id="choices"):
                    yield from choices
        yield Footer(id="dialog-footer")

    def compose_body(self) -> ComposeResult:
        """What stands in the box."""
        yield from ()

    def choices(self) -> Sequence[Choice]:
        """The buttons, the harmless one first: it has the focus at the start."""
        return [Choice("escape", _("Close"), "no")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do; it lies over the footer of the room, whose keys are off."""
        return [(choice.key, choice.label, False) for choice in self.query(Choice)]

    def answered(self, answer: str) -> None:
        """A choice was pressed: ``yes``, ``no``, or one of the dialog's own."""
        self.dismiss(None)

    def on_mount(self) -> None:
        """Dress the box, and put the focus where nothing can happen."""
        self.station.dress(self)
        self.fill()
        self.start()
        self.query_one("#dialog-footer", Footer).put_keys(self.footer())
        for what in ("virtual_size", "scroll_y"):
            self.watch(self.box, what, self._look_for_more)
        self.call_after_refresh(self._arm)

    @property
    def box(self) -> Vertical:
        """The box; where it is higher than the screen it scrolls, above its choices."""
        return self.query_one("#box", Vertical)

    def _tell_more(self) -> None:
        """Say in the border that there is more, and which key shows it."""
        is_more = self.box.scroll_y < self.box.max_scroll_y
        key = shown_keys(BY_ID["dialog.page"], self.station.services.keymap)
        self.box.border_subtitle = word(say("more: {key}", key=key)) if is_more else None

    def _look_for_more(self) -> None:
        """Once the box has its new height."""
        self.call_after_refresh(self._tell_more)

    def on_resize(self) -> None:
        """There may be more, or less, that does not fit."""
        self._look_for_more()

    def do_dialog_page(self, step: str) -> None:
        """What does not fit, by pages."""
        self.box.scroll_relative(y=int(step) * max(1, self.box.size.height - 3), animate=False)

    def fill(self) -> None:
        """Put the words in; the parts are mounted."""

    def start(self) -> None:
        """Put the focus on the first choice, which changes nothing."""
        first = next(iter(self.query(Choice)), None)
        if first is not None:
            first.focus()

    def _arm(self) -> None:
        self.is_armed = True

    def action_command(self, command_id: str, step: str) -> None:
        """Do what a key stands for."""
        command = BY_ID[command_id]
        method = getattr(self, command.method, None)
        if method is not None:
            if command.steps == ONE:
                method()
            else:
                method(step)

    def do_app_quit(self) -> None:
        """Leave the program."""
        self.station.exit()

    def do_dialog_close(self) -> None:
        """Escape is no."""
        self.answered("no")

    def do_dialog_button(self, step: str) -> None:
        """To the next field or button."""
        if step == "1":
            self.focus_next()
        else:
            self.focus_previous()

    def do_dialog_press(self) -> None:
        """Press the button that has the focus."""
        if isinstance(self.focused, Choice) and self.is_armed:
            self.answered(self.focused.answer)

    def do_dialog_answer(self, answer: str) -> None:
        """Y or n."""
        if self.is_armed or answer == "no":
            self.answered(answer)

    def on_choice_pressed(self, event: Choice.Pressed) -> None:
        """A button was clicked."""
        event.stop()
        self.answered(event.answer)

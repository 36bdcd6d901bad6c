"""The station: opens the store after the first paint, keeps the rooms, tells them what changed. It reads for none."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar

from rich.style import Style
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from memstation.domain.errors import MemstationError
from memstation.station.adopting import not_opened
from memstation.station.bindings import textual_keymap
from memstation.station.colours import painted_styles, textual_theme, theme_variables
from memstation.station.commands import BY_ID, shown_keys
from memstation.station.copying import CopyMaking
from memstation.station.dialogs.help import HelpDialog
from memstation.station.dialogs.notice import ErrorDialog, NoticeDialog
from memstation.station.dialogs.palette import PaletteDialog, palette_options
from memstation.station.dialogs.pick import Option, PickDialog
from memstation.station.erasing import Erasing
from memstation.station.head_keeping import HeadKeeping
from memstation.station.purging import Purging
from memstation.station.refresh import MinutePassed, StoreChanged, Watch
from memstation.station.render.cells import Run, runs
from memstation.station.render.glyphs import GLYPHS, GlyphSet
from memstation.station.render.safe import Safe, safe_line
from memstation.station.rooms import load_rooms, room, rooms
from memstation.station.screens.base import RoomScreen
from memstation.station.services import Engine, Services
from memstation.station.typing_ahead import TypingAhead
from memstation.station.waiting import Waiting
from memstation.station.words import _, say

FIRST = "today"
RULED_THEME = "mono"
"""The theme under NO_COLOR: it tells states apart without hue."""


class StationApp(
    TypingAhead, Watch, HeadKeeping, CopyMaking, Erasing, Purging, Waiting, App[None], inherit_bindings=False
):
    """The station."""

    CSS_PATH: ClassVar[list[str]] = ["styles/station.tcss", "styles/dialogs.tcss", "styles/timeline.tcss",
                                    "styles/review.tcss", "styles/sources.tcss", "styles/names.tcss",
                                    "styles/find.tcss"]  # type: ignore[assignment] # fmt: skip
    ENABLE_COMMAND_PALETTE = False
    DEFAULT_MODE = FIRST
    MODES: ClassVar[dict[str, Callable[[], Screen[Any]]]] = {place.name: place.make for place in rooms()}  # type: ignore[assignment]
    TITLE = "memstation"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "hint_quit", show=False, system=True)]

    def __init__(self, services: Services) -> None:
        self.services = services
        names = services.themes.by_name
        if not names:
            raise MemstationError(
                _("The station has no colours"), _("no theme could be read"), _("install memstation again")
            )
        wanted = RULED_THEME if "NO_COLOR" in os.environ and RULED_THEME in names else services.settings.theme
        self.theme_name = wanted if wanted in names else next(iter(sorted(names)))
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        for theme in names.values():
            self.register_theme(textual_theme(theme))
        # Set before anything is styled: a change of theme later on styles everything twice.
        self.set_reactive(StationApp.theme, self.theme_name)
        self.stylesheet.set_variables(self.get_css_variables())
        self.engine: Engine | None = None
        self.session: set[int] = set()
        self.agent_id: str | None = None
        """The agent chosen, None for all."""
        self.message: Sequence[Run] = ()
        """What just happened."""
        self.changes = 0
        """Counts writes and minutes: a room that has seen less is out of date."""
        self.trail: list[str] = []
        """Rooms on the way here."""
        self.glyphs: GlyphSet = GLYPHS[services.settings.glyphs]
        self.animation_level = "none"
        self.set_keymap(textual_keymap(services.keymap))

    _painted: tuple[tuple[str, bool], Mapping[str, Style]] | None = None

    is_alone = False
    """Whether the process is this station's alone, and ends with it."""

    # -- opening ------------------------------------------------------------------------------------------------

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our variables in the colours of the theme that the station starts with."""
        return theme_variables(self.services.themes.by_name[self.theme_name])

    def _load_screen_css(self, screen: Screen[Any]) -> None:
        """A room that is made now is styled as it is mounted.

        It begins with no count of styles, for which the toolkit would read all styles anew, twice: a third of the time
        that a room takes to open.
        """
        super()._load_screen_css(screen)
        if isinstance(screen, RoomScreen):
            screen._css_update_count = self._css_update_count

    def on_mount(self) -> None:
        """The store, once something is on the screen."""
        self.say([(say("Opening {path} ..", path=self.services.path.name), "muted")])
        self.call_after_refresh(self.open_store)

    def open_store(self) -> None:
        """Open the store in a thread."""
        self.in_thread("open", self.services.open_engine, self._opened, self._not_opened)

    def _opened(self, engine: Engine) -> None:
        self.engine = engine
        if self.is_alone:
            # What is loaded by now stays. Looked through for garbage again and again, it made long lists take longer.
            gc.freeze()
        self.agent_id = self.services.state.visit(engine.uuid).agent_id
        self.say([])
        for screen in self._rooms_made():
            screen.ready()
        self.count_waiting()
        self.let_lapse()
        self.begin_watch(self.services.settings.refresh_seconds)
        self._tell_problems()
        self.keep_head()
        # A room whose code cannot be read says so when it is opened.
        self.in_thread("rooms", load_rooms, lambda _: None, lambda _: None)

    def _not_opened(self, error: MemstationError) -> None:
        not_opened(self, error)

    def _tell_problems(self) -> None:
        problems = [*self.services.problems, *self.services.state.problems]
        if problems:
            rows = [[*runs(problem.where, "muted"), (Safe(": "), "muted"), *runs(problem.what)] for problem in problems]
            self.push_screen(NoticeDialog(_("Not taken from your files"), rows))

    def on_unmount(self) -> None:
        """Let go of the store."""
        if self.engine is not None:
            self.keep_head_last()
            self.engine.close()

    def action_hint_quit(self) -> None:
        """Ctrl+c does not quit here."""
        self.say([(say("{key} quits", key=shown_keys(BY_ID["app.quit"], self.services.keymap, first=True)), "muted")])

    def works_unseen(self, key: str) -> bool:
        """Where nothing can be shown, leaving works, and nothing else."""
        return key in self.services.keymap.of("app.quit")

    # -- what screens ask ---------------------------------------------------------------------------------------

    def now(self) -> datetime:
        """The present."""
        return self.services.clock()

    @property
    def is_read_only(self) -> bool:
        """Whether nothing may be written."""
        return self.services.read_only or (self.engine is not None and self.engine.read_only)

    def station_actor(self) -> str:
        """Who decides here."""
        return self.services.actor

    def file_name(self) -> list[Run]:
        """The store's file."""
        return runs((self.engine.path if self.engine else self.services.path).name, "muted")

    def agent_name(self) -> list[Run]:
        """The agent chosen."""
        return runs(self.agent_id) if self.agent_id is not None else [(_("all agents"), "muted")]

    @property
    def painted_styles(self) -> Mapping[str, Style]:
        """The styles of widgets that are painted line by line, in the theme of now."""
        wanted = (self.theme, self.no_color)
        if self._painted is None or self._painted[0] != wanted:
            theme = self.services.themes.by_name[self.theme]
            self._painted = wanted, painted_styles(theme, colour=not self.no_color)
        return self._painted[1]

    def dress(self, screen: Screen[Any]) -> None:
        """Give a screen the classes that stand for glyphs and theme."""
        theme = self.services.themes.by_name.get(self.theme)
        screen.set_class(self.glyphs.name == "plain", "-plain")
        screen.set_class(theme is not None and theme.cursor_text is not None, "-cursor-text")

    # -- saying -------------------------------------------------------------------------------------------------

    def say(self, parts: Sequence[Run]) -> None:
        """Say what just happened, in the message row of the room that is open."""
        self.message = list(parts)
        if (here := self.here) is not None:
            here.refresh_bars()

    def fail(self, error: MemstationError) -> None:
        """Show an error until it is dismissed."""
        self.push_screen(ErrorDialog(error))

    def blind(self, error: MemstationError) -> None:
        """The store cannot be looked at any more: what is shown may be old."""
        self.say([(_("Not up to date: "), "withdrawn"), (safe_line(str(error)), "")])

    def copy(self, text: str) -> None:
        """Send text to the terminal's clipboard, and say so; nobody acknowledges it."""
        if self.services.settings.clipboard == "off":
            self.say([(_("Copying is switched off in config.toml."), "warning")])
            return
        self.copy_to_clipboard(text)
        self.say([(_("Sent to the terminal: "), ""), *runs(text)])

    # -- rooms --------------------------------------------------------------------------------------------------

    @property
    def here(self) -> RoomScreen | None:
        """The room that is open, also under a dialog."""
        stack = self._screen_stacks.get(self.current_mode, [])
        return next((screen for screen in reversed(stack) if isinstance(screen, RoomScreen)), None)

    def _rooms_made(self) -> list[RoomScreen]:
        return [screen for stack in self._screen_stacks.values() for screen in stack if isinstance(screen, RoomScreen)]

    def open_room(self, name: str, *, trail: bool = True) -> RoomScreen | None:
        """Go to a room, and remember the way back. None where this version has no such room."""
        target = room(name)
        if target is None:
            self.say([(_("This version does not have that room yet."), "warning")])
            return None
        if name != self.current_mode:
            if trail:
                self.trail = [*[place for place in self.trail if place != name], self.current_mode][-9:]
            before, left = self.current_mode, self.here
            if left is not None and left.is_filtering:
                left.step_back()  # a field that was left by the mouse would have the keys on the way back
            self.message = () if left is None else list(left.left_for(_(target.title)))
            self.switch_mode(name)
            if (here := self.here) is not None and not here.is_kept(before, trail=trail):
                self._close_view()
        return self.here

    def _close_view(self) -> None:
        """Close what lies over the room that is open."""
        if (here := self.here) is not None and here.IS_VIEW and here is self.screen:
            self.pop_screen()

    def go_back(self) -> None:
        """Back along the way here; at its start, say so."""
        if self.trail:
            self.open_room(self.trail.pop(), trail=False)
        else:
            self.say([(say("This is where you came in.  {key} quits", key="ctrl+q"), "muted")])

    def open_timeline(self, agent_id: str, filter_text: str = "", focus_n: int | None = None) -> None:
        """Show an agent's facts, filtered, with the cursor on one of them. The Timeline has `show_agent` for it."""
        if self.open_room("timeline") is not None:
            self._close_view()
        if (screen := self.here) is not None:
            self.choose(agent_id)
            screen.show_agent(agent_id, filter_text, focus_n)

    def open_review(self, filter_text: str = "", *, agent_id: str | None = None, memory_id: str | None = None) -> None:
        """Show what is held, filtered; or all that is held of an agent, with the cursor on one memory."""
        if agent_id is not None and self.agent_id is not None and self.agent_id != agent_id:
            self.choose(agent_id)
        screen = self.open_room("review")
        if screen is not None:
            screen.show_held(filter_text, memory_id)

    def open_find(self, agent_id: str, query: str) -> None:
        """Show what an agent's memories say of something."""
        screen = self.open_room("find")
        if screen is not None:
            self.choose(agent_id)
            screen.show_found(agent_id, query)

    def open_sources(self, origin: str | None = None) -> None:
        """Show the sources, with the cursor on one."""
        screen = self.open_room("sources")
        if screen is not None:
            screen.show_source(origin)

    def open_names(self, agent_id: str) -> None:
        """Show the names of an agent."""
        screen = self.open_room("names")
        if screen is not None:
            self.choose(agent_id)
            screen.show_names(agent_id)

    def open_log(self, filter_text: str = "", seq: int | None = None) -> None:
        """Show the log, filtered, with the cursor on one decision."""
        screen = self.open_room("log")
        if screen is not None:
            screen.show_decision(seq, filter_text)

    # -- dialogs of every room ----------------------------------------------------------------------------------

    def open_palette(self, screen: RoomScreen) -> None:
        """All commands."""
        options = palette_options(screen.SCOPE, self.services.keymap, screen.why_not)
        self.push_screen(PaletteDialog(options), partial(self._run_chosen, screen))

    def _run_chosen(self, screen: RoomScreen, option: Option | None) -> None:
        if option is None:
            return
        step, command_id = option.value
        screen.run_command(BY_ID[command_id], step)

    def open_help(self, screen: RoomScreen) -> None:
        """The keys of a room."""
        self.push_screen(HelpDialog(screen.SCOPE, screen.called(), self.services.keymap, screen.why_not))

    def choose_agent(self) -> None:
        """Choose the agent whose facts are shown."""
        if self.engine is not None:
            self.read_to_open(self, "agents", self.engine.reader.agents, self._pick_agent)

    def _pick_agent(self, agents: Sequence[str]) -> None:
        every = Option(None, _("all agents"), (((_("all agents"), "muted"),),))
        options = [every, *(Option(agent_id, agent_id, (tuple(runs(agent_id)),)) for agent_id in agents)]
        self.push_screen(PickDialog(_("Choose the agent"), options, at=self.agent_id), self._agent_picked)

    def _agent_picked(self, option: Option | None) -> None:
        if option is not None and option.value != self.agent_id:
            self.choose(option.value)
            for screen in self._rooms_made():
                if screen is not self.here:
                    screen.tell_agent()
            self.say([])  # what a room says of it is for those who see that room
            if (here := self.here) is not None:
                here.tell_agent()

    def choose(self, agent_id: str | None) -> None:
        """Keep the agent for this store, also for the next visit. A room that is not told hears of it when opened."""
        self.agent_id = agent_id
        self.remember(agent_id=agent_id)

    def remember(self, **what: Any) -> None:
        """Keep something in the state file; say so when it cannot be kept."""
        if self.engine is None:
            return
        try:
            self.services.state.keep(self.engine.uuid, **what)
        except OSError as error:
            self.say([(_("The state file cannot be written: "), "warning"), (safe_line(str(error)), "")])

    def choose_theme(self) -> None:
        """Choose the colours, until the station closes."""
        options = [Option(name, name, ((((safe_line(name)), ""),),)) for name in sorted(self.services.themes.by_name)]
        self.push_screen(PickDialog(_("Choose the colours"), options, at=self.theme), self._theme_picked)

    def _theme_picked(self, option: Option | None) -> None:
        if option is not None:
            self.theme = option.value
            for screen in self._rooms_made():
                self.dress(screen)

    # -- what changed -------------------------------------------------------------------------------------------

    def stamp_call(self) -> Any:
        """The look at the store."""
        return self.engine.reader.stamp if self.engine is not None else None

    def wrote(self) -> None:
        """We wrote: look at once."""
        self.look()

    def on_store_changed(self, _message: StoreChanged) -> None:
        """Somebody wrote."""
        self.keep_head()
        self._changed()

    def on_minute_passed(self, _message: MinutePassed) -> None:
        """Times read differently now, and what waits may have run out."""
        self.let_lapse()
        self._changed()

    def show_waiting(self) -> None:
        """Other counts: the badge, and what a room says of them."""
        if (here := self.here) is not None:
            here.counts_changed()

    def _changed(self) -> None:
        self.changes += 1
        self.count_waiting()
        if (here := self.here) is not None:
            here.catch_up()
            here.refresh_bars()

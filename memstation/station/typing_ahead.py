"""Keys one by one: the next acts when all that the last one did has happened. It must not know what a key stands for.

The toolkit hands a key to what has the focus when the key comes in. Typed ahead of a field or a room that is still
being opened it would go to what was there before: the letters of a query would be verbs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from textual import events
from textual.dom import NoScreen
from textual.message import Message
from textual.widgets import Input

from memstation.domain.errors import MemstationError
from memstation.station.background import Background

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen
    from textual.widget import Widget

    _App = App[None]
else:
    _App = object

T = TypeVar("T")
LOST = 0.1
"""Seconds after which it is looked whether what a key went to is still there."""
LEAST = (60, 15)
"""Columns and rows below which nothing can be shown."""


class Followed(Message):
    """Sent behind a key, by the same way: when it comes in, what the key did has happened."""

    def __init__(self, screen: Screen[Any], focused: Widget | None) -> None:
        super().__init__()
        self.seen = (screen, focused)


class TypingAhead(Background, _App):
    """The part of the app that hands over the keys."""

    _acting: Widget | None = None
    """What the last key went to, as long as it may still do something."""
    _opening: tuple[Background, str] | None = None
    """Where, and under which name, something is being read for a dialog that is about to open."""
    _ahead: deque[events.Key | events.Paste] | None = None

    @property
    def is_too_small(self) -> bool:
        """Whether the terminal is too small for anything to be shown."""
        return self.size.width < LEAST[0] or self.size.height < LEAST[1]

    def works_unseen(self, key: str) -> bool:
        """Whether a key works though nothing is shown."""
        raise NotImplementedError

    def fail(self, error: MemstationError) -> None:
        """Show an error."""
        raise NotImplementedError

    async def on_event(self, event: events.Event) -> None:
        """A key in its turn; everything else at once."""
        if not isinstance(event, events.Key | events.Paste):
            await super().on_event(event)
        elif event.is_forwarded:
            # Nobody took it for text on its way up: here it does what it stands for.
            await super().on_event(event)
            self._follow()
        elif not self.is_too_small or (isinstance(event, events.Key) and self.works_unseen(event.key)):
            self._ahead = self._ahead or deque()
            self._ahead.append(event)
            if self._acting is None:
                await self._next_key()
            elif self._opening is not None:
                await self._give_up()
            else:
                self.set_timer(LOST, self._look_for_lost)

    async def _next_key(self) -> None:
        """Hand over the next key."""
        if not self._ahead:
            return
        event, target = self._ahead.popleft(), self.focused or self.screen
        self._acting = target
        await super().on_event(event)
        is_text = isinstance(event, events.Paste) or (isinstance(target, Input) and event.is_printable)
        if is_text or not event.is_forwarded:
            self._follow()

    def _follow(self) -> None:
        """Send somebody after the key."""
        self._acting = self.focused or self.screen
        if not self._acting.post_message(Followed(self.screen, self.focused)):
            self.call_later(self._key_done)

    async def on_followed(self, message: Followed) -> None:
        """All is done that was on the way; where the focus went elsewhere meanwhile, it is followed there."""
        if message.seen != (self.screen, self.focused):
            self._follow()
        elif self._opening is None:
            await self._key_done()
        else:
            await self._give_up()

    async def _key_done(self) -> None:
        self._acting = None
        await self._next_key()

    async def _look_for_lost(self) -> None:
        """What a key went to may have been closed with the key, or with who was sent after it."""
        if self._acting is None or not self._ahead:
            return
        if self._is_there(self._acting):
            self.set_timer(LOST, self._look_for_lost)
        else:
            self._follow()

    def _is_there(self, widget: Widget) -> bool:
        """Whether a widget is in a screen that was not closed."""
        try:
            screen = widget.screen
        except NoScreen:
            return False
        return any(screen in stack for stack in self._screen_stacks.values())

    # -- a dialog for which something is read first -------------------------------------------------------------

    def read_to_open(self, node: Background, group: str, call: Callable[[], T], opens: Callable[[T], None]) -> None:
        """Read in a thread, then open a dialog: keys that are typed meanwhile are for that dialog."""

        def read(value: T) -> None:
            opens(value)
            self._may_type()

        def failed(error: MemstationError) -> None:
            self.fail(error)
            self._may_type()

        self._opening = node, group
        node.in_thread(group, call, read, failed)

    def _may_type(self) -> None:
        self._opening = None
        self._follow()

    async def _give_up(self) -> None:
        """Open nothing where it was left meanwhile: what is read may take long, and nobody may have to wait for it."""
        left = next((key for key in self._ahead or () if isinstance(key, events.Key) and self._leaves(key)), None)
        if left is None or self._ahead is None or self._opening is None:
            return
        node, group = self._opening
        node.forget(group)
        self._opening = None
        while self._ahead and self._ahead[0] is not left:
            self._ahead.popleft()
        if left.key == "escape":
            self._ahead.popleft()
        await self._key_done()

    def _leaves(self, event: events.Key) -> bool:
        return event.key == "escape" or self.works_unseen(event.key)

"""Work in threads that answers by message. The thread must never touch a widget; a late answer is dropped."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual.message import Message
from textual.worker import get_current_worker

from memstation.domain.errors import MemstationError
from memstation.station.words import _

if TYPE_CHECKING:
    from textual.dom import DOMNode

T = TypeVar("T")
log = logging.getLogger("memstation.station")


def told(error: BaseException) -> MemstationError:
    """The error as the operator may see it. What is no error of ours goes to the log file in full."""
    if isinstance(error, MemstationError):
        return error
    log.error("unexpected in a background job", exc_info=error)
    return MemstationError(
        _("Something went wrong inside memstation"),
        f"{type(error).__name__}: {error}",
        _("the log file has the details; what you saw before is still right"),
    )


class Answer(Message, bubble=False):
    """What a thread found out. `error` is set when it could not."""

    def __init__(self, group: str, number: int, value: Any, error: MemstationError | None) -> None:
        super().__init__()
        self.group, self.number, self.value, self.error = group, number, value, error


@dataclass
class _Asked:
    number: int
    done: Callable[[Any], None]
    failed: Callable[[MemstationError], None]


# A mixin: as a DOMNode it would hide the default styles of the widget it is mixed into.
if TYPE_CHECKING:
    _Node = DOMNode
else:
    _Node = object


class Background(_Node):
    """A node that can ask questions in threads. One question a group is open at a time; a newer one replaces it."""

    _asked: dict[str, _Asked] | None = None

    def in_thread(
        self,
        group: str,
        call: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[MemstationError], None],
    ) -> None:
        """Run `call` in a thread, then `done` or `failed` here, unless the group was asked again meanwhile."""
        if self._asked is None:
            self._asked = {}
        before = self._asked.get(group)
        asked = _Asked((before.number if before else 0) + 1, done, failed)
        self._asked[group] = asked
        self.run_worker(
            partial(self._work, group, asked.number, call),
            name=group, group=group, thread=True, exclusive=True, exit_on_error=False,
        )  # fmt: skip

    def forget(self, group: str) -> None:
        """Drop the answer to the question that is open in this group."""
        if self._asked and group in self._asked:
            self._asked[group].number += 1

    def _work(self, group: str, number: int, call: Callable[[], Any]) -> None:
        value, error = None, None
        try:
            value = call()
        except Exception as caught:
            error = told(caught)
        if not get_current_worker().is_cancelled:
            self.post_message(Answer(group, number, value, error))

    def on_answer(self, answer: Answer) -> None:
        """Hand the answer to whoever asked, if the question still stands."""
        answer.stop()
        asked = (self._asked or {}).get(answer.group)
        if asked is None or asked.number != answer.number:
            return
        if answer.error is not None:
            asked.failed(answer.error)
        else:
            asked.done(answer.value)

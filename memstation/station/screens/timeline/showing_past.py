"""`t` in the Timeline: asks for a moment, then lays the past over the room. It must not read on the screen's thread."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from memstation.station.commands import Command
from memstation.station.dialogs.past import Asked, PastDialog
from memstation.station.moments import Question, first_decision, read_moment
from memstation.station.screens.timeline.detail import Detailed
from memstation.station.screens.timeline.past import PastScreen
from memstation.station.services import Reader
from memstation.station.words import _


class ShowingPast(Detailed):
    """The way into the past."""

    _past_kept: tuple[Question, str] = ("1", "")
    """The question and the day as they were left the last time."""

    def why_not(self, command: Command) -> str:
        """There must be somebody who believed something."""
        why = super().why_not(command)
        if not why and command.id == "past.show" and self.fact_agent is None:
            return _("there is no agent yet")
        return why

    def do_past_show(self) -> None:
        """Ask for a moment."""
        if self.engine is None or self.fact_agent is None:
            return
        read = partial(ask_past, self.engine.reader, self.fact_agent, self.station.now())
        dialog = PastDialog(self.fact_agent, read, self._past_kept)
        self.station.push_screen(dialog, partial(self._past_asked, dialog, self.fact_agent))

    def _past_asked(self, dialog: PastDialog, agent_id: str, asked: Asked | None) -> None:
        self._past_kept = dialog.kept
        if asked is not None:
            self.station.say([])
            self.station.push_screen(PastScreen(agent_id, asked))


def ask_past(reader: Reader, agent_id: str, now: datetime, question: Question, text: str) -> Asked:
    """Read what was typed, and find the point on both clocks. Called in a thread.

    Raises:
        InvalidInput: no moment of the past.
        MemstationError: the store cannot be read.
    """
    moment = read_moment(reader, question, text, now)
    return Asked(moment, reader.past_moment(moment.query(agent_id)), first_decision(reader))

"""Which moment of the past is asked for: one of three questions about one day. It must not read but through the reader.

The two clocks stay behind the questions: `Moment` turns them into the two moments of a `PastQuery`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from memstation.domain.errors import InvalidInput
from memstation.station.days import read_day
from memstation.station.render.when import full
from memstation.station.services import PastQuery, Reader
from memstation.station.words import N_, _

Question: TypeAlias = Literal["1", "2", "3"]
QUESTIONS: dict[Question, str] = {
    "1": N_("What was believed on a day, about that day"),
    "2": N_("What is known today about a day"),
    "3": N_("What was believed on a day, about now"),
}
HINT = N_("last tue, -7d, 2026-04-07 18:00, end of march, #408 (just before it)")
_NUMBER = re.compile(r"# ?(\d{1,12})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Moment:
    """What is asked: which question, about which instant, and how the operator wrote it."""

    question: Question
    day: datetime
    before: int | None = None
    """The decision that was not yet taken, where one was named; `day` is its time."""
    text: str = ""
    """What was typed."""

    def query(self, agent_id: str, filter_text: str = "", *, only_differences: bool = True) -> PastQuery:
        """The question on both clocks."""
        known: datetime | int = self.day if self.before is None else self.before - 1
        return PastQuery(
            agent_id,
            at=None if self.question == "3" else self.day,
            known_at=None if self.question == "2" else known,
            filter_text=filter_text,
            only_differences=only_differences,
        )

    def moved(self, days: int, now: datetime, first: datetime | None) -> Moment:
        """The same question some days on, or back where `days` is below 0.

        Raises:
            InvalidInput: nothing was believed on that day, or it is still to come.
        """
        try:
            day = self.day + timedelta(days=days)
        except OverflowError as error:
            raise InvalidInput(_("There is no such day")) from error
        moment = replace(self, day=day, before=None, text=f"{day:%Y-%m-%d %H:%M:%S}")
        moment.check(now, first)
        return moment

    def check(self, now: datetime, first: datetime | None) -> None:
        """Refuse a moment that is no past.

        Raises:
            InvalidInput: it is still to come, or lies before the first decision, the time of which is given.
        """
        if self.day > now:
            raise InvalidInput(N_("{day} is still to come"), N_("the past ends now"), HINT, day=full(self.day))
        if self.question == "2":
            return
        if first is None:
            raise InvalidInput(_("Nothing was believed yet"), _("this file has no decision"), "")
        if self.day < first or self.before == 1:
            raise InvalidInput(
                N_("{day} is before the first decision"), N_("#1 was taken on {first}"), N_("give a later day"),
                day=full(self.day), first=full(first),
            )  # fmt: skip


def first_decision(reader: Reader) -> datetime | None:
    """When the first decision was taken, None while there is none. A short read.

    Raises:
        MemstationError: the store cannot be read.
    """
    detail = reader.decision(1)
    return detail.row.at if detail is not None else None


def read_moment(reader: Reader, question: Question, text: str, now: datetime) -> Moment:
    """The moment that the text means: a day as `days.read_day` reads it, or ``#408``. It reads; call it in a thread.

    Raises:
        InvalidInput: it cannot be read, is still to come, or lies before the first decision.
        MemstationError: the store cannot be read.
    """
    number = _NUMBER.fullmatch(text.strip())
    if number is None:
        if text.strip().startswith("#"):
            raise InvalidInput(_("Give the number of a decision"), "", _(HINT))
        moment = Moment(question, read_day(text, now), text=text.strip())
    else:
        detail = reader.decision(int(number[1]))
        if detail is None:
            raise InvalidInput(N_("There is no decision #{n}"), "", N_("the Log has all of them"), n=int(number[1]))
        moment = Moment(question, detail.row.at, detail.row.seq, text.strip())
    moment.check(now, first_decision(reader))
    return moment

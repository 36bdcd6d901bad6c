"""The options by which a command is asked about another moment, and what is typed into them. It reads no store."""

from __future__ import annotations

from datetime import datetime

from memstation.commandline.verbs import option
from memstation.domain.days import read_day
from memstation.domain.errors import InvalidInput
from memstation.words import N_

at_option = option("--at", "at", metavar="DAY", help=N_("About that day or time; else about now."))
known_option = option(
    "--known-at", "known_at", metavar="DAY|#SEQ", help=N_("As it was believed then, or after that decision.")
)


def about(text: str | None, now: datetime) -> datetime | None:
    """The instant that ``--at`` names, as the station's day field reads it; None without it.

    Raises:
        InvalidInput: it cannot be read.
    """
    return None if text is None else read_day(text, now)


def known(text: str | None, now: datetime) -> datetime | int | None:
    """The moment of belief that ``--known-at`` names: an instant, or the number of a decision; None without it.

    Raises:
        InvalidInput: it cannot be read, or has not come yet.
    """
    if text is None:
        return None
    if text.strip().startswith("#"):
        return number(text.strip())
    moment = read_day(text, now)
    if moment > now:
        raise InvalidInput("That day has not come yet", "nothing was believed on {text}", text=text)
    return moment


def number(text: str) -> int:
    """The number of a decision, with or without its sign.

    Raises:
        InvalidInput: it is none.
    """
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 18):
        raise InvalidInput("This is not the number of a decision", "{text!r}", "memstation journal", text=text)
    return int(digits)

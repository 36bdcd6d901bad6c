"""Every word the operator reads comes from here. It must not import textual, and values go in through the safe door."""

from __future__ import annotations

from memstation.station.render.safe import Safe, safe_line
from memstation.words import N_, catalogue

__all__ = ["N_", "_", "counted", "fill", "ngettext", "say"]


def _(text: str) -> Safe:
    """The word in the operator's language; itself when there is no translation."""
    return Safe(catalogue().gettext(text) if text else "")


def ngettext(one: str, many: str, count: int) -> Safe:
    """The form of a word that goes with a count. The count itself is filled in by `say` or `counted`."""
    return Safe(catalogue().ngettext(one, many, count))


def say(template: str, **values: object) -> Safe:
    """A translated sentence with values filled in, each made safe for one line.

    >>> say("{n} from {origin}", n=3, origin="channel:telegram/42")
    '3 from channel:telegram/42'
    """
    return fill(_(template), **values)


def counted(one: str, many: str, count: int, **values: object) -> Safe:
    """Like `say`, in the form that goes with a count; ``{n}`` is the count with its thousands marked."""
    return fill(ngettext(one, many, count), n=f"{count:,}", **values)


def fill(template: str, **values: object) -> Safe:
    """Fill a template that is translated already. Numbers and safe text pass through `safe_line` unchanged."""
    return Safe(template.format(**{name: safe_line(str(value)) for name, value in values.items()}))

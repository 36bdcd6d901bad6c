"""The words that people read, by gettext. It knows no screen and no store; any room may use it."""

from __future__ import annotations

import gettext as _gettext
import os
from functools import cache
from pathlib import Path

LOCALE_DIR = Path(__file__).parent / "locale"
DOMAIN = "memstation"


@cache
def catalogue() -> _gettext.NullTranslations:
    """The translations in force: those of `MEMSTATION_LANG`, else of the locale, else none."""
    chosen = os.environ.get("MEMSTATION_LANG")
    return _gettext.translation(DOMAIN, LOCALE_DIR, [chosen] if chosen else None, fallback=True)


def N_(text: str) -> str:
    """Mark a word for translation where it is written; `translated` translates it where it is shown."""
    return text


def translated(template: str, values: dict[str, object] | None = None) -> str:
    """A template in the reader's language, with its values filled in. Without values braces are plain text."""
    text = catalogue().gettext(template) if template else ""
    return text.format(**values) if values else text


def told_of(one: str, many: str, count: int, **values: object) -> str:
    """A sentence in the form that goes with a count, which is ``{n}`` in it."""
    return catalogue().ngettext(one, many, count).format(n=count, **values)


def told(template: str, **values: object) -> str:
    """The same, with the values as keywords."""
    return translated(template, values)

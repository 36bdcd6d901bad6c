"""JSON text that is safe to show: what is hidden, or a terminal obeys, is escaped. It must not lose a character."""

from __future__ import annotations

import json
import re
from typing import Any

_HIDDEN = re.compile(
    "[\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
# Controls, format characters, separators, fillers, selectors, private use and lone surrogates. Written out, since the
# tables of another Python would make another file.

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def escaped(text: str) -> str:
    r"""JSON text with hidden characters as ``\uXXXX``; outside the basic plane as a pair of them."""
    return _HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f", text)


def one_line(value: Any) -> str:
    """A value as JSON on one line, without spaces. Equal values in equal order give equal text."""
    return escaped(_encode(value))


def indented(value: Any) -> str:
    """A value as JSON for a person to read: a field a line."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))

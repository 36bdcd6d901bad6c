"""Scripts whose words stand without a space between them, as overlapping pairs of signs. It folds nothing.

A sign is a character with the marks that belong to it: a vowel or a tone above, below or behind. Of scripts that have
none of these (Chinese, Japanese, Korean) it is a character.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u3130-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_BASES = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46"  # Thai
    "\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf"  # Lao
    "\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e"  # Burmese
    "\ua9e0-\ua9e4\ua9e6-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a\uaa7e\uaa7f"  # and its neighbours
    "\u1780-\u17b3\u17d7\u17dc"  # Khmer
    "\u1950-\u196d\u1970-\u1974\u1980-\u19ab\u19b0-\u19c9"  # Tai Le, New Tai Lue
    "\u1a20-\u1a54\u1aa7\uaa80-\uaaaf\uaab1\uaab5\uaab6\uaab9-\uaabd\uaac0\uaac2\uaadb-\uaadd"  # Tai Tham, Tai Viet
    "\u1b05-\u1b33\u1b45-\u1b4c\ua984-\ua9b2\ua9cf"  # Balinese, Javanese
    "\ua000-\ua48c"  # Yi
)
_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060"
    "\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd\u1a55-\u1a5e"
    "\u1a60-\u1a7c\u1a7f\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa7b-\uaa7d\uaab0"
    "\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf\uaac1"
)
UNSPACED = f"{CJK}{_BASES}{_MARKS}"
"""Their characters, as the inside of a class of a regular expression."""
MARKED = f"{_BASES}{_MARKS}"
"""Those of scripts that have marks, and Yi; written the same way."""

RUN = re.compile(f"[{UNSPACED}]+")
_MARK = re.compile(f"[{_MARKS}]")
_MARKED = re.compile(f"[{MARKED}]")
_MOST_MARKS = 15
_SIGN = re.compile(f".[{_MARKS}]{{0,{_MOST_MARKS}}}")


def signs(run: str) -> Sequence[str]:
    """The signs of a run, in order."""
    return run if _MARK.search(run) is None else _SIGN.findall(run)


def may_have_marks(run: str) -> bool:
    """Whether the last sign of a run is of a script that has marks: with more of them it begins alike."""
    return _MARKED.match(run[-1]) is not None


def pairs(run: str) -> list[str]:
    """Every two signs of a run that stand side by side, and the last one."""
    found = signs(run)
    return [*map(str.__add__, found, found[1:]), found[-1]]

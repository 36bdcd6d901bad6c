"""Text that was hidden in another coding, brought back where it decodes to text. Bounded in count and in size."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator
from itertools import islice
from urllib.parse import unquote_to_bytes

from memstation.guard.folding import Folded, plain
from memstation.guard.reasons import Reasons

RUNS = 64
"""Most runs of each coding that are decoded in one text."""
DEPTH = 2
"""How often what was decoded is decoded again."""
LONGEST = 100_000
"""Characters of one run that are decoded; what follows them is not looked at."""
LEAST = 8
"""Characters of decoded text below which it is not looked at."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]{16,})*={0,2}")
_HEX = re.compile(r"(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ :,]?){10,}")
_BINARY = re.compile(r"(?:[01]{8}[ ,]?){4,}")
_PERCENT = re.compile(r"(?:[!-$&-~]|%(?:[0-9A-Fa-f]{2})?)+")
_ENTITY = re.compile(r"(?:&#?[0-9A-Za-z]{1,8};[^&\n]{0,12}){3,}")
_UNICODE = re.compile(r"(?:\\u\{?[0-9A-Fa-f]{4,6}\}?[^\\\n]{0,12}){3,}")
_UNICODE_ONE = re.compile(r"\\u\{?([0-9A-Fa-f]{4,6})\}?")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{6,}")
_TURNED_WORDS = frozenset(
    [
        "gur",
        "naq",
        "lbh",
        "lbhe",
        "nyy",
        "sebz",
        "guvf",
        "jvgu",
        "vtaber",
        "sbetrg",
        "qvfertneq",
        "cerivbhf",
        "cevbe",
        "vafgehpgvbaf",
        "vafgehpgvba",
        "cebzcg",
        "flfgrz",
        "erirny",
        "ehyrf",
        "cnffjbeq",
        "frperg",
        "abj",
    ]
)
_MIRRORED_WORDS = frozenset(
    [
        "eht",
        "dna",
        "uoy",
        "ruoy",
        "morf",
        "siht",
        "htiw",
        "erongi",
        "tegrof",
        "dragersid",
        "suoiverp",
        "roirp",
        "snoitcurtsni",
        "noitcurtsni",
        "tpmorp",
        "metsys",
        "laever",
        "selur",
        "drowssap",
        "terces",
    ]
)
_WORD = re.compile(r"[a-z]+")
_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm"
)


def decoded(text: str, depth: int = DEPTH) -> Iterator[Folded]:
    """Each stretch that decodes to text, folded.

    Every character of the form leads back to the whole stretch as written, since a coding has no characters of its own.
    """
    for start, end, found in _stretches(text):
        if depth > 1:
            for inner in decoded(found, depth - 1):
                yield _at(inner.text, start, end)
        yield _at(plain(found).text, start, end)


def _at(text: str, start: int, end: int) -> Folded:
    return Folded(text, "decoded", [start] * len(text), [end] * len(text))


def _stretches(text: str) -> Iterator[tuple[int, int, str]]:
    reasons = _REASONS.of(text)
    for name in [name for name in _CODINGS if name in reasons]:
        pattern, decode = _CODINGS[name]
        for match in islice(pattern.finditer(text), RUNS):
            found = decode(match.group()[:LONGEST])
            if found is not None and len(found) >= LEAST:
                yield match.start(), match.end(), found
    turned = _turned(text, reasons)
    if turned is not None:
        yield 0, len(text), turned


def _turned(text: str, reasons: frozenset[str]) -> str | None:
    """The text with its letters turned by 13, or read from its end, where its words say that it is so written."""
    if reasons.isdisjoint(("turned", "mirrored")) or len(text) > LONGEST:
        return None
    words = set(_WORD.findall(text.lower()))
    if len(words & _TURNED_WORDS) >= 2:
        return text.translate(_ROT13)
    return text[::-1] if len(words & _MIRRORED_WORDS) >= 2 else None


def _text_of(data: bytes) -> str | None:
    """The bytes as text; None where they are not readable text."""
    if len(data) < LEAST:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        if data[1:2] != b"\0":
            return None
        try:
            text = data.decode("utf-16-le")
        except UnicodeDecodeError:
            return None
    readable = sum(char.isprintable() or char in "\n\t\r" for char in text)
    return text if readable >= 0.95 * len(text) else None


def _from_base64(run: str) -> str | None:
    letters = run.rstrip("=").replace("\r", "").replace("\n", "").replace("-", "+").replace("_", "/")
    if letters.islower() or letters.isupper() or letters.isdigit():
        return None
    try:
        return _text_of(base64.b64decode(letters[: len(letters) // 4 * 4] + _rest(letters)))
    except (binascii.Error, ValueError):
        return None


def _rest(letters: str) -> str:
    rest = letters[len(letters) // 4 * 4 :]
    return rest + "=" * (4 - len(rest)) if len(rest) > 1 else ""


def _from_hex(run: str) -> str | None:
    digits = re.sub(r"0x|\\x|[ :,]", "", run)
    return None if digits.isdigit() and " " not in run else _text_of(bytes.fromhex(digits))


def _from_binary(run: str) -> str | None:
    digits = re.sub(r"[ ,]", "", run)
    return _text_of(int(digits, 2).to_bytes(len(digits) // 8, "big")) if len(digits) <= 80_000 else None


def _from_percent(run: str) -> str | None:
    return _text_of(unquote_to_bytes(run.replace("+", " "))) if run.count("%") >= 2 else None


def _from_escapes(run: str) -> str | None:
    def one(match: re.Match[str]) -> str:
        code = int(match.group(1), 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"

    return _UNICODE_ONE.sub(one, run)


def _from_tags(run: str) -> str | None:
    return "".join(chr(ord(char) - 0xE0000) for char in run)


def _from_selectors(run: str) -> str | None:
    return _text_of(bytes(ord(char) - 0xFE00 if char < "\U000e0100" else ord(char) - 0xE0100 + 16 for char in run))


_CODINGS: dict[str, tuple[re.Pattern[str], Callable[[str], str | None]]] = {
    "base64": (_BASE64, _from_base64),
    "hex": (_HEX, _from_hex),
    "binary": (_BINARY, _from_binary),
    "percent": (_PERCENT, _from_percent),
    "entity": (_ENTITY, html.unescape),
    "unicode": (_UNICODE, _from_escapes),
    "tags": (_TAGS, _from_tags),
    "selectors": (_SELECTORS, _from_selectors),
}
_REASONS = Reasons(
    {
        "base64": r"[A-Za-z0-9+/_-]{16}",
        "hex": r"(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ :,]?){10}",
        "binary": r"[01]{8}[ ,]?[01]{8}[ ,]?[01]{8}",
        "percent": r"%[0-9A-Fa-f]{2}",
        "entity": r"&#?[0-9A-Za-z]{1,8};",
        "unicode": r"\\u\{?[0-9A-Fa-f]{4}",
        "tags": r"[\x{e0020}-\x{e007e}]{4}",
        "selectors": r"[\x{fe00}-\x{fe0f}\x{e0100}-\x{e01ef}]{6}",
        "turned": r"(?i:\b(?:" + "|".join(sorted(_TURNED_WORDS)) + r")\b)",
        "mirrored": r"(?i:\b(?:" + "|".join(sorted(_MIRRORED_WORDS)) + r")\b)",
    }
)

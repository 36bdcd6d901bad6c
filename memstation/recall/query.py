"""What a person or an agent typed, as words to look for. User text is never query syntax, and it asks nothing.

Words are divided by white space; any of them may match. What stands in double quotes must be there, just so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memstation.store.scripts import RUN, pairs, signs
from memstation.store.text_index import TEXT, fold_text, may_be_label, pieces, words_of

MOST_CHARS = 4_000
"""Of a longer query the beginning is read."""

MOST_WORDS = 32
"""Different words that are looked for."""

_QUOTED = re.compile('["\u201c\u201d]([^"\u201c\u201d]*)["\u201c\u201d]')
_OWNING = re.compile("(?<=[a-z0-9])['’]s(?![a-z0-9])")
"""The ``'s`` of ``Rosa's``, whose name is looked for."""


@dataclass(frozen=True, slots=True)
class Word:
    """One thing to look for: neighbouring words of the index."""

    tokens: tuple[str, ...]
    is_begun: bool = False
    """Whether the last token may go on: one sign of a run without spaces begins the pairs with it."""

    @property
    def match(self) -> str:
        """The same as an FTS5 query over the text."""
        star = "*" if self.is_begun else ""
        # The index answers sooner where it need not look at the columns; the labels stand in one of their own.
        where = f"{TEXT} : " if any(map(may_be_label, self.tokens)) else ""
        return f'{where}"{" ".join(self.tokens)}"{star}'

    @property
    def text(self) -> str:
        """For people: the pairs of a run joined again."""
        said = self.tokens[0]
        for before, token in zip(self.tokens, self.tokens[1:], strict=False):
            sign = signs(token)[0] if RUN.fullmatch(before) and RUN.fullmatch(token) else ""
            said += token[len(sign) :] if sign and signs(before)[-1] == sign else f" {token}"
        return said


@dataclass(frozen=True, slots=True)
class Query:
    """A query that was read."""

    text: str
    """What was read of it."""
    words: tuple[Word, ...] = ()
    """In order, each once, those of the phrases among them."""
    phrases: tuple[Word, ...] = ()
    """All of these must be there."""
    unread: int = 0
    """Words beyond those that are looked for; characters that were cut count as one."""


def read_query(text: str) -> Query:
    """Read a query. Nothing that can be typed is an error; what holds no word looks for nothing."""
    cut = text[:MOST_CHARS]
    phrases = [_exactly(part) for part in _QUOTED.findall(cut)]
    wanted = [phrase for phrase in phrases if phrase is not None]
    rest = _QUOTED.sub(" ", cut)
    words = list(dict.fromkeys([*wanted, *(word for part in rest.split() for word in _words(part))]))
    unread = max(0, len(words) - MOST_WORDS) + (len(text) > MOST_CHARS)
    return Query(cut, tuple(words[:MOST_WORDS]), tuple(dict.fromkeys(wanted[:MOST_WORDS])), unread)


def as_typed(query: str, words: Sequence[str]) -> tuple[str, ...]:
    """Words that were looked for (`Word.text`), spelled as in the query, in its order; neighbouring pairs are joined.

    Where folding moved letters about, they are as they were looked for.
    """
    folded = fold_text(query)
    if len(folded) != len(query):
        return tuple(words)
    spans = sorted((at.start(), at.end()) for word in words for at in re.finditer(re.escape(word), folded))
    if any(word not in folded for word in words):
        return tuple(words)
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(dict.fromkeys(query[start:end] for start, end in joined))


def _exactly(text: str) -> Word | None:
    """All of a text as one phrase; None where there is no word in it."""
    tokens: list[str] = []
    found = [piece for piece in pieces(fold_text(text)) if piece.strip()]
    is_begun = False
    for place, piece in enumerate(found):
        if not RUN.fullmatch(piece):
            tokens += words_of(piece).split()
            continue
        is_last = place == len(found) - 1
        found_pairs = pairs(piece)
        is_begun = is_last and len(found_pairs) == 1
        # The last sign of a run stands alone in the index; what follows it there is part of the phrase.
        tokens += found_pairs[:-1] if is_last and len(found_pairs) > 1 else found_pairs
    return Word(tuple(tokens), is_begun) if tokens else None


def _words(part: str) -> list[Word]:
    """What is looked for of a part without white space: a word, or every pair of a run without spaces."""
    found = []
    for piece in pieces(_OWNING.sub("", fold_text(part))):
        if not RUN.fullmatch(piece):
            tokens = tuple(words_of(piece).split())
            found += [Word(tokens)] if tokens else []
        elif len(signs(piece)) == 1:
            found.append(Word((piece,), is_begun=True))
        else:
            found += [Word((pair,)) for pair in pairs(piece)[:-1]]
    return found

"""The names of a graph that a query mentions: whole words, as far as its script has them. It asks nothing.

Traditional and simplified spellings enter alike here; in the graph they stay the names that they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memstation.domain.mentions import names_in
from memstation.domain.names import fold_name
from memstation.recall.graph import Graph
from memstation.recall.query import Word, read_query
from memstation.store.han import simplified

MOST_READ = 1_000
"""Of a longer query the beginning is looked through."""

LONGEST = 80
"""Characters of a name that can be found in a query."""


class Surfaces:
    """How the names of a graph are written, each with the places that it stands for."""

    def __init__(self, graph: Graph, joined: Iterable[tuple[str, str]] = ()) -> None:
        """Take a graph's names, and (name, title) of what was joined."""
        self._joined = tuple(joined)
        self._titles: dict[str, list[str]] = {}
        self._read = self._longest = 0
        for name, title in self._joined:
            self._add(name, title)
        self.grown(graph)

    def grown(self, graph: Graph) -> Surfaces:
        """The same, with the names that have come to the graph; it only grows, as the graph's names do."""
        for title in graph.names[self._read :]:
            self._add(title, title)
        self._read = len(graph.names)
        return self

    def _add(self, name: str, title: str) -> None:
        written = simplified(name)
        if len(written) <= LONGEST and any(char.isalnum() for char in written):
            self._longest = max(self._longest, len(written))
            titles = self._titles.setdefault(written, [])
            if title not in titles:
                titles.append(title)

    def found_in(self, query: str, graph: Graph) -> list[str]:
        """The titles in some triple of the graph that a query mentions, each once, in order."""
        return list(self.mentions(query, graph))

    def mentions(self, query: str, graph: Graph) -> dict[str, list[str]]:
        """The same titles, each with the names by which the query has it."""
        said = simplified(fold_name(query[:MOST_READ]))
        names: dict[str, list[str]] = {}
        for name in names_in(said, self._titles, self._longest):
            for title in self._titles[name]:
                names.setdefault(title, []).append(name)
        return {title: names[title] for title in sorted(names) if graph.has(title) is not None}


def weight_of(names: Iterable[str], rarities: Mapping[Word, float]) -> float:
    """How much the rarest of these names says: the rarities of its words together.

    A word that was not looked for, or that no memory holds, is as rare as the rarest: only an alias has such.
    """
    most = max(rarities.values(), default=1.0)
    return max(sum(rarities.get(word, most) for word in read_query(name).words) or most for name in names)


def places_of(graph: Graph, titles: Sequence[str]) -> list[int]:
    """The places of titles in a graph; those that are in no triple are left out."""
    return [place for title in titles if (place := graph.has(title)) is not None]

"""The names of a graph that a query mentions: whole words, as far as its script has them. It asks nothing.

Traditional and simplified spellings enter alike here; in the graph they stay the names that they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memstation.domain.mentions import names_in
from memstation.domain.names import fold_name
from memstation.recall.graph import Graph
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
        said = simplified(fold_name(query[:MOST_READ]))
        written = names_in(said, self._titles, self._longest)
        titles = {title for name in written for title in self._titles[name]}
        return sorted(title for title in titles if graph.has(title) is not None)


def places_of(graph: Graph, titles: Sequence[str]) -> list[int]:
    """The places of titles in a graph; those that are in no triple are left out."""
    return [place for title in titles if (place := graph.has(title)) is not None]

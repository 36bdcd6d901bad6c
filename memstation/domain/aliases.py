"""Names that stand for one another, as the links told between them make them. Pure; it reads no store.

A link says that a name (the alias) is also known under another (the canonical one). Links are kept as they were told,
so that each can be taken back alone; what they come to together is computed here, flat: every name of a group stands
under one title.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memstation.domain.names import fold_name


@dataclass(frozen=True, slots=True)
class Link:
    """One standing join, as told."""

    alias: str
    canonical: str
    seq: int = 0
    """The decision that told it."""


class Aliases:
    """The groups of names of one agent. Every name that goes in or comes out is folded, but for spellings."""

    def __init__(self, links: Iterable[Link]) -> None:
        self._to: dict[str, Link] = {}
        self._spelled: dict[str, str] = {}
        for link in sorted(links, key=lambda link: link.seq):
            alias, canonical = fold_name(link.alias), fold_name(link.canonical)
            if alias == canonical:
                continue
            self._to[alias] = link
            self._spelled.setdefault(canonical, link.canonical)
            self._spelled[alias] = link.alias
        self._titles: dict[str, str] = {}
        self._members: defaultdict[str, list[str]] = defaultdict(list)
        for name in self._spelled:
            self._members[self._find(name)].append(name)

    def __bool__(self) -> bool:
        return bool(self._to)

    def _find(self, name: str) -> str:
        """The end of a name's links; in a circle (which an undo can close) the canonical name that was told last."""
        path: list[str] = []
        on_path: dict[str, int] = {}
        while name not in self._titles and name in self._to and name not in on_path:
            on_path[name] = len(path)
            path.append(name)
            name = fold_name(self._to[name].canonical)
        if name in on_path:
            circle = path[on_path[name] :]
            newest = max(circle, key=lambda member: (self._to[member].seq, member))
            name = fold_name(self._to[newest].canonical)
        title = self._titles.get(name, name)
        self._titles.update(dict.fromkeys([*path, title], title))
        return title

    def title(self, name: str) -> str:
        """The folded name under which a name stands; itself, folded, where it is joined to none."""
        folded = fold_name(name)
        return self._titles.get(folded, folded)

    def together(self, name: str) -> tuple[str, ...]:
        """Every folded name that is one with a name, its title first, then in order; at least itself."""
        title = self.title(name)
        return (title, *sorted(member for member in self._members.get(title, ()) if member != title))

    def are_one(self, first: str, second: str) -> bool:
        """Whether two names stand under one title."""
        return self.title(first) == self.title(second)

    def link_of(self, name: str) -> Link | None:
        """The join by which a name stands under another; None for a title and for a name that is joined to none."""
        return self._to.get(fold_name(name))

    def path(self, name: str) -> tuple[str, ...]:
        """The names from one to its title, spelled, itself included."""
        folded, seen = fold_name(name), []
        while folded not in seen:
            seen.append(folded)
            if folded in self._to:
                folded = fold_name(self._to[folded].canonical)
        return tuple(self.spelled(step) for step in seen)

    def spelled(self, name: str) -> str:
        """A name as it was written when it was joined; as given where it was not."""
        return self._spelled.get(fold_name(name), name)

    def groups(self) -> Iterator[tuple[str, ...]]:
        """Every group of folded names, its title first, in the order of the titles."""
        for title in sorted(self._members):
            yield self.together(title)

    def flat(self) -> list[tuple[str, str]]:
        """(alias, title), spelled, for every joined name: chains are gone through to their end."""
        return [(self.spelled(name), self.spelled(title)) for title, *members in self.groups() for name in members]

    def only(self, names: Iterable[str]) -> Aliases:
        """The groups that the joins of these folded names alone make."""
        return Aliases(link for name in names if (link := self._to.get(name)) is not None)

    def joined(self, alias: str, canonical: str) -> Aliases:
        """The groups as they would be with one more join, which goes before an earlier one of the same name."""
        folded = fold_name(alias)
        newest = max((link.seq for link in self._to.values()), default=0) + 1
        kept = [link for name, link in self._to.items() if name != folded]
        return Aliases([*kept, Link(alias, canonical, newest)])


BETWEEN = " / "


def spread(names: Sequence[str]) -> str:
    """Names in one line, as a standing order about a conflict keeps them."""
    return BETWEEN.join(names)

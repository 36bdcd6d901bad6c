"""An agent's graph for other programs and for people: nodes and edges, components, a name's neighbourhood.

It never writes. What is held is in it only with its mark; what has been closed or withdrawn is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstation.domain.aliases import Aliases
from memstation.read.querying import Columns, quick
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

if TYPE_CHECKING:
    import networkx as nx

_EDGES = f"""SELECT n, id, subject, predicate, object, origin_trust, role FROM memories INDEXED BY memories_learned
    WHERE agent_id = ? AND {SHOWN_ROLES} AND subject IS NOT NULL AND (
        role = 'held' AND ? OR role = 'fact' AND valid_from <= ? AND (valid_until IS NULL OR ? < valid_until))
    ORDER BY n DESC LIMIT ?"""


@dataclass(frozen=True, slots=True)
class Node:
    """A name, as it is written first."""

    name: str
    entity: str
    """Folded, and the title of its group where it is joined."""
    degree: int
    """Ends of edges at it."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A memory that joins two names; `object` is None where it says something of its subject alone."""

    subject: str
    """A node's `entity`."""
    predicate: str | None
    object: str | None
    memory_id: str
    trust: float
    held: bool
    n: int
    """The memory's number in the store."""


@dataclass(frozen=True, slots=True)
class ExportedGraph:
    """Nodes by degree, then by name; edges newest first."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    truncated: bool
    """Whether there are more edges than were asked for."""


@dataclass(frozen=True, slots=True)
class Near:
    """A name in a neighbourhood, with what leads on from it."""

    name: str
    links: tuple[Link, ...] = ()
    more: int = 0
    """Links of it that are left out, being too many: the least trusted."""
    more_held: int = 0
    """How many of those are held."""


@dataclass(frozen=True, slots=True)
class Link:
    """One step in a neighbourhood."""

    edge: Edge
    to_object: bool
    """Whether it leads from the subject to the object; else the other way round."""
    to: Near | None
    """None where the memory names nothing else, or its other name stands further up already."""


EVERY = 2**62
"""A limit that leaves nothing out."""


def exported(
    conn: Snapshot, agent_id: str, now: str, aliases: Aliases, limit: int, *, with_held: bool = True
) -> ExportedGraph:
    """The newest edges of an agent's graph, with the names at their ends."""
    rows = quick(conn, _EDGES, (agent_id, with_held, now, now, limit + 1))
    spelled: dict[str, str] = {}
    edges = [_edge(row, aliases, spelled) for row in rows[:limit]]
    degrees = Counter(end for edge in edges for end in (edge.subject, edge.object) if end is not None)
    nodes = [Node(spelled[entity], entity, degree) for entity, degree in degrees.items()]
    nodes.sort(key=lambda node: (-node.degree, node.entity))
    return ExportedGraph(tuple(nodes), tuple(edges), len(rows) > limit)


def _edge(row: Columns, aliases: Aliases, spelled: dict[str, str]) -> Edge:
    n, id_, subject, predicate, object_, trust, role = row
    ends = []
    for name in (subject, object_):
        entity = None if name is None else aliases.title(name) or None
        if entity is not None and name is not None:
            # Edges come newest first: the spelling told first is the one that stays.
            spelled[entity] = aliases.spelled(entity) if aliases.link_of(name) is not None else name
        ends.append(entity)
    return Edge(ends[0] or "", predicate, ends[1], id_, trust, role == "held", n)


class Neighbours:
    """The links of a graph by name: what lies around any of them."""

    def __init__(self, graph: ExportedGraph) -> None:
        self._at: dict[str, list[tuple[Edge, bool, str | None]]] = {}
        for edge in graph.edges:
            self._at.setdefault(edge.subject, []).append((edge, True, edge.object))
            if edge.object is not None and edge.object != edge.subject:
                self._at.setdefault(edge.object, []).append((edge, False, edge.subject))
        self._names = {node.entity: node.name for node in graph.nodes}

    def __contains__(self, entity: str) -> bool:
        return entity in self._names

    def near(self, entity: str, depth: int, width: int) -> Near:
        """What lies around a name, as a tree: each name once, where it is met first; the most trusted links first."""
        seen, told = {entity}, set[str]()

        def near(name: str, left: int) -> Near:
            links: list[tuple[Edge, bool, str | None]] = []
            cut: list[tuple[Edge, bool, str | None]] = []
            if left:
                fresh = [link for link in self._at.get(name, ()) if link[0].memory_id not in told]
                fresh.sort(key=lambda link: (link[0].held, -link[0].trust))
                links, cut = fresh[:width], fresh[width:]
            told.update(edge.memory_id for edge, _, _ in links)
            firsts: list[bool] = []
            for _, _, other in links:
                firsts.append(other is not None and other not in seen)
                seen.update(() if other is None else (other,))
            return Near(
                self._name(name),
                tuple(
                    Link(edge, to_object, near(other, left - 1) if is_first and other is not None else self._end(other))
                    for (edge, to_object, other), is_first in zip(links, firsts, strict=True)
                ),
                len(cut),
                sum(edge.held for edge, _, _ in cut),
            )

        return near(entity, depth)

    def _name(self, entity: str) -> str:
        return self._names.get(entity, entity)

    def _end(self, other: str | None) -> Near | None:
        return None if other is None else Near(self._name(other))


def components(graph: ExportedGraph) -> list[list[str]]:
    """The names that hang together, the largest group first, by entity; what is held joins nothing."""
    import networkx as nx

    joined: nx.Graph = nx.Graph()
    joined.add_nodes_from(node.entity for node in graph.nodes)
    joined.add_edges_from((edge.subject, edge.object) for edge in graph.edges if edge.object and not edge.held)
    return sorted((sorted(part) for part in nx.connected_components(joined)), key=lambda part: (-len(part), part))


def as_graphml(graph: ExportedGraph) -> str:
    """The graph in GraphML; characters that XML cannot hold are U+FFFD."""
    import networkx as nx

    told: nx.MultiDiGraph = nx.MultiDiGraph()
    for node in graph.nodes:
        told.add_node(_xml(node.entity), name=_xml(node.name), degree=node.degree)
    for edge in graph.edges:
        more = {"predicate": _xml(edge.predicate or ""), "trust": edge.trust, "held": edge.held}
        told.add_edge(_xml(edge.subject), _xml(edge.object or ""), id=_xml(edge.memory_id), **more)
    return "\n".join(nx.generate_graphml(told)) + "\n"


def as_dot(graph: ExportedGraph) -> str:
    """The graph in Graphviz' language; held memories are dashed. Each edge has its memory's id, trust and mark."""
    lines = ["digraph memory {"]
    lines += [f"  {_dot(node.entity)} [label={_dot(node.name)}];" for node in graph.nodes]
    for edge in graph.edges:
        style = ", style=dashed" if edge.held else ""
        ends = f"{_dot(edge.subject)} -> {_dot(edge.object or '')}"
        facts = f"id={_dot(edge.memory_id)}, trust={edge.trust:g}, held={str(edge.held).lower()}"
        lines.append(f"  {ends} [label={_dot(edge.predicate or '')}, {facts}, weight={edge.trust:g}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


_FORMATS = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
"""What cannot be seen and turns or hides what stands beside it; joiners are part of a spelling and stay."""


def _xml(text: str) -> str:
    return "".join(_printable(text, "\t"))


def _dot(text: str) -> str:
    plain = _FORMATS.sub(lambda found: f"[U+{ord(found[0]):04X}]", "".join(_printable(text, "")))
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _printable(text: Sequence[str], kept: str) -> Iterable[str]:
    for char in text:
        odd = (char < " " and char not in kept) or "\x7f" <= char <= "\x9f" or char in "\ufffe\uffff"
        yield "\ufffd" if odd or "\ud800" <= char <= "\udfff" else char

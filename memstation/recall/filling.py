"""What has no vector of a model yet: texts of memories, and names in the graph. It never writes."""

from __future__ import annotations

from collections.abc import Iterable

from memstation.read.querying import IN_LIST, in_list, quick, quick_one
from memstation.recall.embedding import Model
from memstation.recall.triples import aliases_of
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

_LACKS = """NOT EXISTS (SELECT 1 FROM memory_embedding AS e
    WHERE e.model = ? AND e.agent_id = m.agent_id AND e.n = m.n AND e.dim = ?)"""
_FACTS = f"memories AS m INDEXED BY memories_learned WHERE m.agent_id = ? AND m.{SHOWN_ROLES} AND m.role = 'fact'"
_COUNT = f"SELECT count(*) FROM {_FACTS} AND {_LACKS}"
_MISSING = f"""SELECT n, content, subject, object FROM {_FACTS} AND m.n < ? AND {_LACKS}
    ORDER BY m.n DESC LIMIT ?"""
_NEWEST = f"""SELECT n, content, subject, object FROM memories AS m WHERE m.n IN (
        SELECT m.n FROM {_FACTS} ORDER BY m.n DESC LIMIT ?) AND {_LACKS}
    ORDER BY m.n DESC"""
_NAMES = f"SELECT DISTINCT subject, object FROM {_FACTS}"
_KNOWN = f"SELECT entity FROM entity_embedding WHERE model = ? AND agent_id = ? AND dim = ? AND entity IN {IN_LIST}"

Texts = list[tuple[int, str]]


def meant_by(content: str, *names: str | None) -> str:
    """A memory's text as it is embedded: after the names that are not in it."""
    said = content.casefold()
    return "\n".join([*(name for name in names if name and name.casefold() not in said), content])


def count_missing(conn: Snapshot, agent_id: str, model: Model) -> int:
    """How many facts of an agent have no vector of the model, closed ones too."""
    found = quick_one(conn, _COUNT, (agent_id, model.name, model.dim))
    assert found is not None
    return int(found[0])


def missing(conn: Snapshot, agent_id: str, model: Model, before: int, count: int) -> Texts:
    """Facts without a vector, told before a number, the newest first."""
    rows = quick(conn, _MISSING, (agent_id, before, model.name, model.dim, count))
    return [(n, meant_by(content, subject, object_)) for n, content, subject, object_ in rows]


def just_told(conn: Snapshot, agent_id: str, model: Model, count: int) -> tuple[Texts, list[str]]:
    """The same among the newest so many facts, with the names in those that lack a vector."""
    rows = quick(conn, _NEWEST, (agent_id, count, model.name, model.dim))
    names = _without(conn, agent_id, model, [row[2:] for row in rows]) if rows else []
    return [(n, meant_by(content, subject, object_)) for n, content, subject, object_ in rows], names


def missing_names(conn: Snapshot, agent_id: str, model: Model) -> list[str]:
    """The names in facts of an agent that have no vector: folded, under the titles that they stand under."""
    return _without(conn, agent_id, model, quick(conn, _NAMES, (agent_id,)))


def _without(conn: Snapshot, agent_id: str, model: Model, pairs: Iterable[Iterable[str | None]]) -> list[str]:
    aliases = aliases_of(conn, agent_id)
    titles = {aliases.title(name) for names in pairs for name in names if name}
    known = {name for (name,) in quick(conn, _KNOWN, (model.name, agent_id, model.dim, in_list(titles)))}
    return sorted(title for title in titles - known if title)

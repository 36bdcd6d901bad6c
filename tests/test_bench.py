"""The bench runs from one end to the other on stores of any size, and says of every bar whether it is kept."""

from __future__ import annotations

import json

import pytest
from memstation.bench import profile, purge, report, store


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
    for measure in found:
        assert measure["value"] >= 0 and (measure["kept"] is None) == (not measure["bar"])
    shares = [
        measure["value"] for measure in found if measure["size"] == 40 and measure["what"].startswith("of a write")
    ]
    assert sum(shares) == pytest.approx(100) and all(share > 0 for share in shares)
    assert code == (0 if all(measure["kept"] is not False for measure in found) else 1)

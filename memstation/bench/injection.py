"""How many attacks of a labelled file the scan catches, and what else it takes for one. It prints no text of it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from memstation.bench.measures import Measure, bar, machine, percentile
from memstation.domain.errors import InvalidInput
from memstation.guard.scanning import scan

FIRST_CHARS = 300
"""Characters of a text that are timed."""


@dataclass(slots=True)
class Tally:
    """Counts of one group of texts."""

    source: str
    lang: str
    """Empty for all languages of the source."""
    attacks: int = 0
    attacks_dropped: int = 0
    attacks_touched: int = 0
    benign: int = 0
    benign_dropped: int = 0
    benign_touched: int = 0

    def count(self, label: int, verdict: str) -> None:
        """Count one text. `label` is 1 for an attack."""
        dropped, touched = verdict == "block", verdict != "pass"
        if label:
            self.attacks += 1
            self.attacks_dropped += dropped
            self.attacks_touched += touched
        else:
            self.benign += 1
            self.benign_dropped += dropped
            self.benign_touched += touched


@dataclass(slots=True)
class Result:
    """All groups, and how long the scan of one text took, in seconds."""

    tallies: list[Tally] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def labelled(path: Path) -> Iterator[tuple[str, int, str, str]]:
    """(text, label, source, language) of every line of a JSON Lines file.

    Raises:
        InvalidInput: a line is not such an object.
    """
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            yield str(row["text"]), int(row["label"]), str(row.get("source", "")), str(row.get("lang", ""))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(
                "A line cannot be read", "line {line}: {why}", "each line is a JSON object with text and label",
                line=number, why=str(error)[:80],
            ) from error  # fmt: skip


def measure(rows: Iterable[tuple[str, int, str, str]]) -> Result:
    """Scan every text as the content of a memory."""
    groups: dict[tuple[str, str], Tally] = {}
    result = Result()
    for text, label, source, lang in rows:
        source = source.split("/")[0]
        verdict = scan(text).verdict
        for key in (("", ""), (source, ""), (source, lang)):
            groups.setdefault(key, Tally(*key)).count(label, verdict)
        part = text[:FIRST_CHARS]
        start = time.perf_counter()
        scan(part)
        result.seconds.append(time.perf_counter() - start)
    result.tallies = [groups[key] for key in sorted(groups)]
    return result


def main(path: Path, *, as_json: bool = False) -> int:
    """Print recall and false alarms by source and language.

    Returns:
        0 when at most 0.5 % of the harmless texts are dropped and at most 1.5 % dropped or held, 1 otherwise.
    """
    result = measure(labelled(path))
    bars = list(_bars(result))
    if as_json:
        tallies = [asdict(tally) for tally in result.tallies]
        print(json.dumps({"groups": tallies, "measures": [asdict(one) for one in bars]}, indent=1))
    else:
        print(f"{'source':<24} {'language':<18} {'attacks':>8} {'dropped':>8} {'touched':>8} {'harmless':>9} "
              f"{'dropped':>8} {'touched':>8}")  # fmt: skip
        for tally in result.tallies:
            print(_line(tally))
        for one in bars:
            verdict = {None: "", True: "kept", False: "NOT KEPT"}[one.kept]
            print(f"{one.size:>9,}  {one.what:<52} {one.value:>10,.3f} {one.unit:<6} {one.bar:<18} {verdict}".rstrip())
    return 0 if all(one.kept is not False for one in bars) else 1


def _bars(result: Result) -> Iterator[Measure]:
    whole = next((tally for tally in result.tallies if not tally.source and not tally.lang), Tally("", ""))
    size = whole.attacks + whole.benign
    yield machine(size)
    if result.seconds:
        yield Measure(f"scan of {FIRST_CHARS} characters, p50", size, percentile(result.seconds, 0.5) * 1000, "ms")
    if whole.benign:
        yield bar("harmless texts dropped", size, 100 * whole.benign_dropped / whole.benign, "%", 0.5)
        yield bar("harmless texts dropped or held", size, 100 * whole.benign_touched / whole.benign, "%", 1.5)


def _line(tally: Tally) -> str:
    return (
        f"{tally.source or 'all':<24} {tally.lang or 'all':<18} {tally.attacks:>8,} "
        f"{_share(tally.attacks_dropped, tally.attacks):>8} {_share(tally.attacks_touched, tally.attacks):>8} "
        f"{tally.benign:>9,} {_share(tally.benign_dropped, tally.benign):>8} "
        f"{_share(tally.benign_touched, tally.benign):>8}"
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"

"""Whether what stands, and which order rules, is what the undos and the orders say. It knows no line of facts."""

from __future__ import annotations

import heapq
from collections import defaultdict

from memstation.store.checks.findings import A_FEW, Findings
from memstation.words import N_

Span = tuple[int, int, int | None]
"""(decision, the undo since which it does not stand, the undo since which it stands again)."""


def check_standing(findings: Findings) -> set[int]:
    """Check the spans, what follows them, and the rulings. Returns the decisions that do not stand."""
    lifted: set[int] = set()
    with findings.part("undoes"):
        spans = spans_of(findings)
        lifted = {seq for seq, _, until in spans if until is None}
        stored = set(findings.rows("SELECT seq, from_seq, to_seq FROM lifted"))
        for seq in sorted({span[0] for span in spans ^ stored}, key=str)[:A_FEW]:
            findings.say(N_("#{seq}: whether it stands is not what the undos say"), seq=seq)
    for table in ("marks", "orders"):
        with findings.part(table):
            _flags(findings, table, lifted)
    with findings.part("orders"):
        _rulings(findings)
    return lifted


def _flags(findings: Findings, table: str, lifted: set[int]) -> None:
    for seq, stands in findings.rows(f"SELECT DISTINCT seq, stands FROM {table} ORDER BY seq"):
        if stands != int(seq not in lifted):
            findings.say(N_("{table} of #{seq} do not follow their decision"), table=table, seq=seq)


def spans_of(findings: Findings) -> set[Span]:
    """Take the undos one by one, and note when each decision ceases to stand and when it stands again."""
    targets: dict[int, list[int]] = defaultdict(list)
    for seq, target in findings.rows("SELECT seq, target FROM undoes ORDER BY seq, target"):
        if 0 < target < seq:
            targets[seq].append(target)
        else:
            findings.say(N_("#{seq} takes back #{target}, which is no earlier decision"), seq=seq, target=target)
    named: dict[int, int] = defaultdict(int)
    """By how many standing undos."""
    since: dict[int, int] = {}
    spans: set[Span] = set()
    for undo in sorted(targets):
        queue: list[int] = []
        for target in targets[undo]:
            named[target] += 1
            heapq.heappush(queue, -target)
        while queue:
            # Highest first: only later decisions name this one, and they have been settled.
            seq = -heapq.heappop(queue)
            if bool(named[seq]) == (seq in since):
                continue
            if named[seq]:
                since[seq] = undo
            else:
                spans.add((seq, since.pop(seq), undo))
            for target in targets.get(seq, ()):
                named[target] += -1 if seq in since else 1
                heapq.heappush(queue, -target)
    return spans | {(seq, start, None) for seq, start in since.items()}


def _rulings(findings: Findings) -> None:
    """Of the orders under one key, the latest that stands must rule."""
    latest: dict[bytes, tuple[int, int]] = {}
    ruling: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
    for seq, k, key, stands, rules in findings.rows("SELECT seq, k, key, stands, rules FROM orders ORDER BY seq, k"):
        if stands:
            latest[key] = (seq, k)
        if rules == 1:
            ruling[key].append((seq, k))
        elif rules != 0:
            findings.say(N_("#{seq}: whether its order rules is neither yes nor no"), seq=seq)
    for key in latest.keys() | ruling.keys():
        if ruling.get(key, []) != ([latest[key]] if key in latest else []):
            seqs = sorted({seq for seq, _ in [*ruling.get(key, []), *([latest[key]] if key in latest else [])]})
            findings.say(
                N_("orders of {seqs}: not the latest that stands rules"), seqs=", ".join(f"#{seq}" for seq in seqs)
            )

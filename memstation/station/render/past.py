"""The past in words: the banner, and one belief of then beside that of now. It must not import textual."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memstation.domain.memory import FactRecord
from memstation.read.rows import FactRow, LogRow, PastDetail, PastMoment, PastRow
from memstation.station.moments import Moment
from memstation.station.render.cells import Run, runs, width
from memstation.station.render.log_words import did, reason_runs, summary_runs, who
from memstation.station.render.provenance import joined, moment, trust
from memstation.station.render.reasons import reason_runs as stamp_runs
from memstation.station.render.reasons import teller
from memstation.station.render.safe import Safe
from memstation.station.render.when import full, spoken_day, window
from memstation.station.render.wrapping import labelled
from memstation.station.words import N_, _, counted, fill, say

HANG = 7
"""Cells of the labels."""
SHOWN = 240
"""Characters of a value in the pane; all of them stand below."""
Rows = list[list[Run]]

_BANNERS = {
    "1": (N_("What {agent} believed on {day} about that same moment."), N_("Believed on {day} about that moment.")),
    "2": (N_("What is known today of {agent} about {day}."), N_("Known today about {day}.")),
    "3": (N_("What {agent} believed on {day} about now."), N_("Believed on {day} about now.")),
}
_BEFORE = {
    "1": (N_("What {agent} believed just before {day} about that same moment."), N_("Believed just before {day}.")),
    "2": _BANNERS["2"],
    "3": (N_("What {agent} believed just before {day} about now."), N_("Believed before {day}, about now.")),
}


# -- the banner --------------------------------------------------------------------------------------------------


def banner(asked: Moment, known: PastMoment | None, agent_id: str, now: datetime, cells: int) -> list[Run]:
    """``What dudu believed on Tue 7 Apr 2026 00:00 UTC about that same moment.  Read only.``, as much as fits."""
    long, short = (_BANNERS if asked.before is None else _BEFORE)[asked.question]
    day = numbered = full(asked.day)
    if asked.question == "2":
        pass  # the decisions of then do not matter
    elif asked.before is not None:
        day = numbered = say("#{n} ({day} UTC)", day=moment(asked.day, now), n=asked.before)
    elif known is not None:
        numbered = say("{day}, decision #{n},", day=day, n=known.seq)
    agent = "".join(text for text, _role in joined(runs(agent_id), 24)).rstrip()
    tail = _("  Read only.")
    for template, of_day, end in ((long, numbered, tail), (long, day, tail), (short, day, tail), (short, day, "")):
        words = Safe(fill(_(template), agent=agent, day=of_day) + end)
        if width(words) <= cells:
            break
    return [(words, "past")]


def showing(asked: Moment, now: datetime, *, only_differences: bool) -> Safe:
    """``showing: 7 Apr, differences``; the hour where the day does not begin there."""
    if asked.before is not None:
        day = say("before #{n}", n=asked.before)
    else:
        day = spoken_day(asked.day, now) if f"{asked.day:%H%M%S}" == "000000" else moment(asked.day, now)
    return say("showing: {day}, {what}", day=day, what=_("differences") if only_differences else _("all"))


# -- one belief --------------------------------------------------------------------------------------------------


def past_rows(row: PastRow, detail: PastDetail | None, now: datetime, cells: int) -> Rows:
    """Then, now, why; below that everything in full."""
    rows = [
        *labelled(_("then"), _side(row, row.then, detail.then if detail else None, now), cells, HANG),
        *labelled(_("now"), _side(row, row.now, detail.now if detail else None, now, detail), cells, HANG),
        *labelled(_("why"), why_runs(row, now), cells, HANG),
    ]
    return [*rows, *_in_full(detail, now, cells)] if detail is not None else rows


def _side(
    row: PastRow, fact: FactRow | None, record: FactRecord | None, now: datetime, detail: PastDetail | None = None
) -> list[Run]:
    if fact is None:
        if detail is None:
            return [(_("it did not hold yet") if row.cause is None else _("it was not known"), "muted")]
        return _gone(row, detail)
    said = runs(fact.value[:SHOWN], "strong")
    told: list[Run] = [(_("   told by "), "muted"), *teller(fact.origin)]
    if record is not None:
        told.append((Safe(f" {moment(record.ingested_at, now)}"), ""))
    told.append((say(", trust {t}", t=trust(fact.trust)), ""))
    if fact.valid_until is None:
        span = say(", since {day}", day=spoken_day(fact.valid_from, now))
    else:
        span = say(", {span}", span=window(fact.valid_from, fact.valid_until, now))
    return [*said, *told, (span, "muted")]


def _gone(row: PastRow, detail: PastDetail) -> list[Run]:
    """Why nothing is believed now."""
    if row.cause is None:
        return [(_("nothing: it ended by its own date"), "muted")]
    if detail.withdrawn:
        return [(_("nothing: withdrawn, "), "withdrawn"), *stamp_runs(detail.withdrawn)]
    return [(_("nothing is believed"), "muted")]


def why_runs(row: PastRow, now: datetime) -> list[Run]:
    """The decision that made the difference, or that time passed."""
    if row.kind == "same":
        return [(_("nothing changed it"), "muted")]
    if row.cause is not None:
        return decision_runs(row.cause, now)
    when = Safe("") if row.since is None else say(", {when}", when=moment(row.since, now))
    words = {
        "gone": N_("time passed: it ended by its own date"), "new": N_("time passed: its own date came"),
        "changed": N_("time passed: one ended and another began"),
    }  # fmt: skip
    return [(_(words[row.kind]), ""), (when, "muted")]


def decision_runs(cause: LogRow, now: datetime) -> list[Run]:
    """``#410 agents, 14 Apr 07:31: stored user standup_time 09:30 (reason)``."""
    parts: list[Run] = [
        (Safe(f"#{cause.seq}"), "key"), (Safe(f" {who(cause.actor)}, {moment(cause.at, now)}: "), ""),
        (did(cause), "strong"), (Safe(" "), ""), *joined(summary_runs(cause), 60),
    ]  # fmt: skip
    if cause.reason:
        parts += [(Safe(" ("), "muted"), *reason_runs(cause.reason, "muted"), (Safe(")"), "muted")]
    return parts


def _in_full(detail: PastDetail, now: datetime, cells: int) -> Rows:
    """Values that are longer than the pane shows, the sentences, ids, and every decision in between."""
    rows: Rows = []
    for label, record in ((_("then"), detail.then), (_("now"), detail.now)):
        if record is None:
            continue
        value = record.object or record.content
        if len(value) > SHOWN:
            rows += labelled(label, runs(value, lines=True), cells, HANG)
        if record.object and record.content != record.object:
            quoted: Sequence[Run] = [(Safe('"'), "muted"), *runs(record.content), (Safe('"'), "muted")]
            rows += labelled(label, quoted, cells, HANG)
        rows += labelled(label, [(_("id "), "muted"), *runs(record.id)], cells, HANG)
    if detail.decisions:
        count = counted("{n} decision in between", "{n} decisions in between", len(detail.decisions))
        rows += [[], [(count, "muted")]]
        for decision in reversed(detail.decisions):
            rows += labelled(Safe(""), decision_runs(decision, now), cells, 2)
    return [[], *rows] if rows else rows


def past_note(row: PastRow, detail: PastDetail | None, key: str) -> Safe:
    """How many decisions touched it in between, and which one `key` opens: the note beside the title."""
    count = 0 if detail is None else len(detail.decisions)
    said = counted("{n} decision in between", "{n} decisions in between", count) if count else Safe("")
    if row.cause is None:
        return said
    opens = say("{key} opens #{n}", key=key, n=row.cause.seq)
    return say("{said}, {opens}", said=said, opens=opens) if said else opens

"""What adopting a file would do, in lines; for the station and the command line. It must not open the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, counted, say

SHOWN = 5
"""Changed answers that a preview names."""


class Answer(Protocol):
    """A stretch of time for which a key has another answer."""

    @property
    def agent_id(self) -> str:
        """Whose."""

    @property
    def subject(self) -> str:
        """About whom."""

    @property
    def predicate(self) -> str:
        """What of it."""

    @property
    def since(self) -> str:
        """The first instant, as stored, or ``now``."""

    @property
    def old(self) -> str | None:
        """What the file answers."""

    @property
    def new(self) -> str | None:
        """What the store answers."""

    @property
    def why(self) -> str:
        """The reason, to be translated."""


class Preview(Protocol):
    """What a file is, and what its adoption would do."""

    @property
    def path(self) -> str:
        """The file."""

    @property
    def columns(self) -> int:
        """Columns of its memories."""

    @property
    def memories(self) -> int:
        """How many."""

    @property
    def agents(self) -> int:
        """How many."""

    @property
    def names(self) -> int:
        """Names joined."""

    @property
    def held(self) -> int:
        """Memories quarantined."""

    @property
    def taken_out(self) -> int:
        """Memories purged or denied."""

    @property
    def ownerless(self) -> int:
        """Memories without an agent."""

    @property
    def left_out(self) -> tuple[tuple[str, int], ...]:
        """What is only in the copy."""

    @property
    def changed_keys(self) -> int:
        """Keys with another answer."""

    @property
    def changed(self) -> Sequence[Answer]:
        """The first of the changed answers."""

    @property
    def copy(self) -> str:
        """Where the original goes."""


def what_it_is(preview: Preview) -> Safe:
    """``DuDuClaw, 29 columns: 20 memories of 2 agents``."""
    memories = counted("{n} memory", "{n} memories", preview.memories)
    agents = counted("{n} agent", "{n} agents", preview.agents)
    return say("DuDuClaw, {columns} columns: {memories} of {agents}", columns=preview.columns, memories=memories,
               agents=agents)  # fmt: skip


def adoption_rows(preview: Preview, shown: int = SHOWN) -> list[list[Run]]:
    """Everything to know before the answer, a row a fact."""
    rows: list[list[Run]] = [
        [(_("Stop the other program first: it cannot use the file any more."), "warning")],
        [(_("This cannot be undone, but the copy stays."), "warning")],
    ]
    for text, count in (
        (counted("{n} name joined", "{n} names joined", preview.names), preview.names),
        (counted("{n} held for review", "{n} held for review", preview.held), preview.held),
        (counted("{n} purged or denied", "{n} purged or denied", preview.taken_out), preview.taken_out),
        (counted("{n} without an owner", "{n} without an owner", preview.ownerless), preview.ownerless),
    ):
        if count:
            rows.append([(text, "")])
    rows.append([(say("The original is copied to {file}", file=safe_line(preview.copy)), "")])
    for word, count in preview.left_out:
        rows.append([(say("only in the copy: {word} ({n})", word=safe_line(word), n=f"{count:,}"), "warning")])
    rows += _changed_rows(preview, shown)
    rows += [
        [(say("Instead, into a new store: memstation restore duduclaw {file} --store NEW.db",
              file=safe_line(preview.path)), "muted")],
    ]  # fmt: skip
    return rows


def _changed_rows(preview: Preview, shown: int) -> list[list[Run]]:
    if not preview.changed_keys:
        return [[(_("Every key keeps its answer."), "")]]
    head = counted("{n} key changes its answer:", "{n} keys change their answer:", preview.changed_keys)
    return [[(head, "strong")], *([(answer_line(answer), "")] for answer in preview.changed[:shown])]


def answer_line(answer: Answer) -> Safe:
    """``  agnes user city, from 2026-03-05: Oslo, now Bern (windows overlapped ..)``."""
    key = Safe(" ".join(safe_line(part) for part in (answer.agent_id, answer.subject, answer.predicate)))
    since = _("at present") if answer.since == "now" else say("from {start}", start=answer.since[:16].replace("T", " "))
    old = _("none") if answer.old is None else safe_line(answer.old)
    new = _("none") if answer.new is None else safe_line(answer.new)
    return say("  {key}, {since}: was {old}, will be {new}; {why}", key=key, since=since, old=old, new=new,
               why=_(answer.why))  # fmt: skip

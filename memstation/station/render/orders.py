"""A standing order that begins or ceases to rule, in words. It must not import textual."""

from __future__ import annotations

from memstation.domain.decisions import EVERY_AGENT, OrderChange
from memstation.station.render.cells import Run, runs
from memstation.station.render.safe import Safe
from memstation.station.words import N_, _, say

# (about, verdict): what rules from now on, with {subject} {predicate} {value} {number} {agent}.
_RULES = {
    ("alias", "joined"): N_("{subject} is one name with {value}, for {agent}"),
    ("alias", "parted"): N_("{subject} is a name of its own, for {agent}"),
    ("suggestion", "suggested"): N_("{subject} may be one name with {value}, for {agent}"),
    ("suggestion", "accepted"): N_("it was suggested that {subject} is {value}, for {agent}: accepted"),
    ("suggestion", "dismissed"): N_("{subject} and {value} are two names, for {agent}"),
    ("conflict", "dismissed"): N_("{subject} {predicate}: no conflict, for {agent}"),
    ("conflict", "reopened"): N_("{subject} {predicate}: looked at again, for {agent}"),
    ("predicate", "many"): N_("{predicate} holds many values, for {agent}"),
    ("predicate", "one"): N_("{predicate} holds one value at a time, for {agent}"),
    ("rejected", "rejected"): N_("{value} stays rejected for {subject} {predicate}, from any source, for {agent}"),
    ("rejected", "lifted"): N_("{value} is no longer rejected for {subject} {predicate}, for {agent}"),
    ("origin", "blocked"): N_("source {value} is blocked, for {agent}"),
    ("origin", "unblocked"): N_("source {value} is not blocked, for {agent}"),
    ("origin_trust", "set"): N_("trust of source {value} is {number}, for {agent}"),
    ("origin_trust", "unset"): N_("trust of source {value} is that of its class, for {agent}"),
}


def order_line(order: OrderChange) -> list[Run]:
    """``~ speaks holds many values, for dudu``, or the same with ``no longer:`` before it."""
    template = _RULES.get((order.about, order.verdict))
    agent = _("all agents") if order.agent_id == EVERY_AGENT else Safe(order.agent_id)
    line: list[Run] = [(Safe("~ "), "changed")]
    if not order.rules:
        line.append((_("no longer: "), "changed"))
    if template is None:
        return [*line, *runs(f"{order.about} {order.verdict}")]
    text = say(
        template, subject=order.subject or "", predicate=order.predicate or "", value=order.value or "",
        number="" if order.number is None else f"{order.number:.2f}".removesuffix("0"), agent=agent,
    )  # fmt: skip
    return [*line, (text, "")]

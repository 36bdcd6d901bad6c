"""An erasure in words: what it would reach, what it did, and what it cannot reach. It must not import textual."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstation.station.render.safe import safe_line
from memstation.station.words import N_, _, counted, say

if TYPE_CHECKING:
    from memstation.ops.forget import Forgetting, Forgotten

OUT_OF_REACH = (
    N_("backups and exports"),
    N_("files of other programs"),
    N_("what agents have read already, and what was shown on a terminal"),
    N_("a head of the log that was kept elsewhere, which says nothing of it"),
)
"""Where no erasure of this store reaches."""

SHOWN = 10
"""Ids named; the rest is counted."""

_ROLES = {
    "fact": N_("facts in use or closed"),
    "confirms": N_("confirmations"),
    "silent": N_("memories that hold at no instant"),
    "end": N_("ends"),
    "held": N_("held for review"),
    "withdrawn": N_("withdrawn"),
}


def forgetting_lines(found: Forgetting, *, is_station: bool = False) -> list[str]:
    """What would go and what stays; off the station the phrase to type, too (the station asks for it afterwards)."""
    reach = found.found
    lines: list[str] = [
        say("All that {agent} was told about {names} goes, for good:",
            agent=found.agent_id, names=", ".join(reach.names)),
    ]  # fmt: skip
    lines += [f"{reach.roles[role]:>7,}  {_(word)}" for role, word in _ROLES.items() if reach.roles.get(role)]
    lines.append(f"{reach.texts:>7,}  {_('different values')}")
    lines.append(f"{reach.indexed:>7,}  {_('entries of the text index')}")
    if reach.orders:
        lines.append(f"{len(reach.orders):>7,}  {_('names joined and values rejected')}")
    if reach.reasons or reach.marks:
        lines.append(f"{len(reach.reasons) + len(reach.marks):>7,}  {_('reasons in the log and on memories')}")
    if found.copy is not None:
        lines.append(say("the copy set aside at adoption: {path}", path=found.copy))
    if reach.mentions:
        lines += _staying(reach.mentions, is_station)
    if is_station:
        return [*lines, *_beyond()]
    return [*lines, *_beyond(), _("It cannot be taken back. To do it, the phrase is:"), safe_line(found.phrase)]


def _staying(mentions: tuple[str, ...], is_station: bool) -> list[str]:
    lines: list[str] = [
        counted("{n} memory about something else names it and stays:",
                "{n} memories about something else name it and stay:", len(mentions))
    ]  # fmt: skip
    more = " .." if len(mentions) > SHOWN else ""
    lines.append("  " + ", ".join(safe_line(memory_id) for memory_id in mentions[:SHOWN]) + more)
    return lines if is_station else [*lines, _("  --mentions takes them too")]


def forgotten_lines(done: Forgotten) -> list[str]:
    """What was done, and what is left to do."""
    memories = len(done.forgetting.found.ids)
    lines: list[str] = [
        counted(
            "#{seq} erased {n} memory of {agent}",
            "#{seq} erased {n} memories of {agent}",
            memories,
            seq=done.seq,
            agent=done.forgetting.agent_id,
        )
    ]
    if done.copy == "cleaned":
        lines.append(say("the copy set aside was cleaned: {path}", path=done.forgetting.copy))
    if done.copy == "missing":
        lines.append(say("the copy set aside is not there any more: {path}", path=done.forgetting.copy))
    if done.is_scrubbed:
        lines.append(_("the text is in no byte of the file any more"))
    else:
        lines.append(
            _("the text is blanked, but traces stay in the file until nobody reads it; the next opening finishes it")
        )
    return [*lines, *_beyond()]


def _beyond() -> list[str]:
    return [_("Out of reach:"), *(f"  {_(place)}" for place in OUT_OF_REACH)]

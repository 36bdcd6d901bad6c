"""A report of what was believed, as Markdown. It reads no store, and no stored text in it is markup or unseen.

Equal stores and moments give equal bytes: nothing in it depends on when it is made, but the moments themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import memstation
from memstation.commandline.showing import instant
from memstation.domain.names import fold_name
from memstation.read.believing import Believing, Head, Stated
from memstation.station.render.safe import safe_line
from memstation.station.words import _, counted, say

Write = Callable[[str], object]

_MARKUP = re.compile(
    r"[\\`*_\[\]<>|~&@$]"  # anywhere
    r"|^[#+=-]|(?<=^[#+=-])[#+=-]"  # at the start of a text
    r"|(?<=www)\.|:(?=//)|:(?=[a-z_+-]+:)|(?<=mailto):|(?<=xmpp):",  # bare links and pictograms
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(\d+)([.)])")
_NAMES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def plain(text: str | None) -> str:
    """Stored text that Markdown shows as it is, on one line: no markup, no HTML, no link; complete."""
    shown = _MARKUP.sub(_escaped, safe_line(text or "").lstrip())
    return _NUMBERED.sub(lambda found: f"{found[1]}&#{ord(found[2])};", shown)


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in "@|.:":
        # Some readers of Markdown make links and cells of these through a backslash.
        return f"&#{ord(sign)};"
    return _NAMES.get(sign, f"\\{sign}")


def write_report(believing: Believing, agent_id: str, uuid: str, write: Write, *, everything: bool) -> int:
    """Write the report; gives the number of beliefs in it.

    Args:
        believing: the beliefs at one moment, on an open snapshot.
        agent_id: whose.
        uuid: the store's own name.
        write: takes the text, in pieces.
        everything: list what was held and withdrawn, too.
    """
    aside = list(believing.aside())
    held = [stated for stated in aside if stated.stamp == "held"]
    withdrawn = [stated for stated in aside if stated.stamp != "held"]
    for line in _top(believing, agent_id, uuid, len(held), len(withdrawn)):
        write(line + "\n")
    about: str | None = None
    for stated in believing.beliefs():
        subject = fold_name(stated.subject or "")
        if subject != about:
            about = subject
            write(f"\n## {plain(stated.subject) if subject else _('Notes')}\n")
        write("\n" + "".join(f"{line}\n" for line in _belief(stated)))
    if not believing.count:
        write(f"\n{_('Nothing was believed.')}\n")
    if everything:
        for title, found in ((_("Held for review"), held), (_("Withdrawn"), withdrawn)):
            write(f"\n## {title}\n")
            for stated in found:
                write("\n" + "".join(f"{line}\n" for line in _belief(stated)))
            if not found:
                write(f"\n{_('Nothing.')}\n")
    return believing.count


def _top(believing: Believing, agent_id: str, uuid: str, held: int, withdrawn: int) -> Iterator[str]:
    moment = believing.moment
    yield f"# {_('What was believed')}: {plain(agent_id)}"
    yield ""
    yield f"- {say('What was believed about {at}.', at=_when(moment.at))}"
    known = believing.head(moment.seq) if moment.seq else None
    if known is None:
        yield f"- {say('As it was known at {at}, before the first decision.', at=_when(moment.known))}"
    else:
        told = say(
            "As it was known at {at}, after decision #{seq} of {taken}.",
            at=_when(moment.known), seq=moment.seq, taken=_when(known.row.at),
        )  # fmt: skip
        yield f"- {told}"
    yield f"- {counted('{n} belief', '{n} beliefs', believing.count)}"
    yield f"- {counted('{n} held for review', '{n} held for review', held)}"
    yield f"- {counted('{n} withdrawn', '{n} withdrawn', withdrawn)}"
    yield f"- {_('Store')}: `{uuid}`"
    yield f"- {_('Head of the log')}: {_head(believing.head())}"
    yield f"- memstation {memstation.__version__}"


def _head(head: Head | None) -> str:
    if head is None:
        return _("nothing was decided yet")
    return f"#{head.row.seq}, {_when(head.row.at)}, `{head.hash.hex()}`"


def _belief(stated: Stated) -> Iterator[str]:
    """A list item with one line for each thing that is known of a memory."""
    value = stated.object if stated.object else stated.content
    name = f"**{plain(stated.predicate)}**: " if stated.predicate else ""
    yield f"- {name}{plain(value)}"
    if stated.object and fold_name(stated.content) != fold_name(stated.object):
        yield f"  - {_('text')}: {plain(stated.content)}"
    yield f"  - {_window(stated)}"
    source = plain(stated.origin) if stated.origin else _("no source")
    yield f"  - {_('source')}: {source}, {say('trust {n}', n=f'{stated.trust:.2f}')}"
    learned = say("learned {at} by decision #{seq}", at=_when(stated.learned), seq=stated.seq)
    confirmed = counted("confirmed {n} time", "confirmed {n} times", stated.confirmations)
    yield f"  - {learned}, {confirmed}"
    yield f"  - {_('id')}: {plain(stated.id)}"
    if stated.stamp not in ("", "held"):
        yield f"  - {_('withdrawn')}: {plain(stated.stamp)}"


def _window(stated: Stated) -> str:
    if stated.valid_until is None:
        return say("from {start}, no end", start=instant(stated.valid_from))
    if stated.valid_until <= stated.valid_from:
        return say("{start}, at no time", start=instant(stated.valid_from))
    return say("from {start} to {until}", start=instant(stated.valid_from), until=instant(stated.valid_until))


def _when(moment: datetime) -> str:
    """``2026-03-31 10:00:00 UTC``."""
    return f"{moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat(' ')} UTC"

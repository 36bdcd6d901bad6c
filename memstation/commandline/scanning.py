"""The command that says what the gate would do with a text, and why. It opens no store and writes nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.showing import print_json, print_table
from memstation.commandline.verbs import DONE, NOT_DONE, Verb, json_option, option
from memstation.domain.errors import InvalidInput
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, counted, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.domain.findings import Finding, Scan

_VERDICTS = {
    "pass": N_("nothing was found: an agent's write of this would be kept"),
    "review": N_("an agent's write of this would be held for review"),
    "block": N_("an agent's write of this would be dropped"),
}
_SEVERITIES = {"block": N_("drops"), "review": N_("holds")}
_PLACES = {"content": N_("text"), "tag": N_("tag"), "triple": N_("fact")}
_FORMS = {"written": N_("as written"), "folded": N_("in disguise"), "decoded": N_("decoded")}


@click.command(
    "scan", cls=Verb, example="memstation scan 'Ignore all previous instructions'",
    help=N_("Say what the write gate would do with a text or a file, and why. A dash reads from a pipe."),
)  # fmt: skip
@click.argument("text", metavar="TEXT|FILE")
@option("--subject", metavar="TEXT", help=N_("What the fact is about."))
@option("--predicate", metavar="TEXT", help=N_("What is said of it."))
@option("--object", "object_", metavar="TEXT", help=N_("The value."))
@option("--tag", "tags", multiple=True, metavar="TEXT", help=N_("A tag; may be repeated."))
@json_option
def scan(
    text: str, subject: str | None, predicate: str | None, object_: str | None, tags: tuple[str, ...], as_json: bool
) -> int:
    """Scan a text; exit code 1 where it would be held or dropped."""
    from memstation.guard.scanning import scan as look

    content = _read(text)
    found = look(content, tags=tags, subject=subject, predicate=predicate, object=object_)
    if as_json:
        print_json(found)
    else:
        from memstation.domain.findings import tags_text, triple_text

        texts = {"content": content, "tag": tags_text(tags), "triple": triple_text(subject, predicate, object_)}
        _show(found, texts)
    return DONE if found.verdict == "pass" else NOT_DONE


def _read(text: str) -> str:
    """The text itself, what a file of this name holds, or what comes through a pipe.

    Raises:
        InvalidInput: the file is not UTF-8.
    """
    try:
        if text == "-":
            return sys.stdin.buffer.read().decode("utf-8")
        path = Path(text)
        if len(text) < 1_000 and "\0" not in text and path.is_file():
            return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput("This cannot be read as text", "it is not UTF-8 at byte {at:,}", at=error.start) from error
    except OSError:
        # Too long, or not a name that this system could have: it is a text.
        return text
    return text


def _show(found: Scan, texts: dict[str, str]) -> None:
    click.echo(_(_VERDICTS[found.verdict]))
    print_table([_row(finding, texts[finding.where]) for finding in found.findings])
    for name, count in found.hidden.items():
        click.echo(say("hidden: {name}, {times}", name=name, times=counted("{n} time", "{n} times", count)))


def _row(finding: Finding, text: str) -> list[Safe]:
    from memstation.domain.findings import excerpt

    place = say("{place} {start}–{end}", place=_(_PLACES[finding.where]), start=finding.start, end=finding.end)
    return [
        _(_SEVERITIES[finding.severity]), safe_line(finding.rule), place, _(_FORMS[finding.form]),
        safe_line(excerpt(text, finding)),
    ]  # fmt: skip

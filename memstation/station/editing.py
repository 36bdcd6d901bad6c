"""A text in the operator's own editor. It must not keep the file, nor take anything of an editor that failed."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memstation.domain.errors import MemstationError
from memstation.station.words import N_

if TYPE_CHECKING:
    from textual.app import App

FALLBACK = "vi"


def editor_of(environment: Mapping[str, str]) -> list[str]:
    """The command of the operator's editor: VISUAL, EDITOR, or vi.

    Raises:
        MemstationError: what is set cannot be read as a command.
    """
    said = environment.get("VISUAL", "").strip() or environment.get("EDITOR", "").strip() or FALLBACK
    try:
        return shlex.split(said)
    except ValueError as error:
        raise MemstationError(
            N_("The editor cannot be started"), "{said!r}: {error}", N_("set VISUAL or EDITOR"), said=said, error=error
        ) from error


def edited(app: App[None], text: str) -> str:
    """The text as the operator left it; the station stands still meanwhile. The file is readable by nobody else.

    Raises:
        MemstationError: the editor could not be started, or failed.
    """
    command = editor_of(os.environ)
    handle, name = tempfile.mkstemp(prefix="memstation-", suffix=".txt")
    file = Path(name)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        with app.suspend():
            code = subprocess.run([*command, str(file)], check=False).returncode
        if code:
            raise MemstationError(
                N_("The editor failed"), N_("{editor} ended with {code}; nothing was taken of it"),
                editor=command[0], code=code,
            )  # fmt: skip
        return file.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise MemstationError(
            N_("The editor cannot be started"), "{editor}: {error}", N_("set VISUAL or EDITOR"),
            editor=command[0], error=error,
        ) from error  # fmt: skip
    finally:
        file.unlink(missing_ok=True)


def as_text(value: str, words: str) -> str:
    """A value and its sentence in one text: the value, an empty line, the sentence."""
    return f"{value}\n\n{words}\n" if words else f"{value}\n"


def from_text(text: str, *, has_words: bool) -> tuple[str, str]:
    """Value and sentence of such a text; all of it is the value where there is no sentence."""
    text = text.removesuffix("\n")
    if not has_words:
        return text, ""
    value, _line, words = text.partition("\n")
    return value.strip(), words.strip("\n")

"""What was wrong in a file of the operator's, in words. It must not raise: a bad setting never stops the station."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing in a file that was not taken. Text as it stands in the file: show it through the safe door."""

    where: str
    """The file, and the setting in it."""
    what: str
    """What is wrong and what would be right."""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def read_toml(path: Path) -> tuple[dict[str, Any], list[Problem]]:
    """The file's table, empty where there is no file; problems where it cannot be read or is not TOML."""
    try:
        with path.open("rb") as file:
            return tomllib.load(file), []
    except FileNotFoundError:
        return {}, []
    except tomllib.TOMLDecodeError as error:
        return {}, [Problem(str(path), f"not TOML: {error}")]
    except UnicodeDecodeError:
        return {}, [Problem(str(path), "not UTF-8 text")]
    except OSError as error:
        return {}, [Problem(str(path), f"cannot be read: {error.strerror or error}")]

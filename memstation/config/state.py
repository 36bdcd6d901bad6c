"""What the station remembers of an operator between visits, by store. It must not hold anything of the store itself."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memstation.config.problems import Problem


@dataclass(frozen=True, slots=True)
class Visit:
    """What is remembered about one store."""

    seen: datetime | None = None
    """Until when the operator has seen what changed."""
    agent_id: str | None = None
    """The agent chosen last."""
    checked: datetime | None = None
    """When the log was last checked from here."""
    head: str | None = None
    """Hash of the newest entry at that check: if it is gone, an older file was put in place."""
    whole: bool = True
    """Whether that check found it unbroken."""
    queries: tuple[str, ...] = ()
    """What was searched for, the newest last."""


class StationState:
    """The state file. Reading never fails; a file that cannot be written is told by `keep`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self._table = self._read()

    def _read(self) -> dict[str, Any]:
        try:
            table = json.loads(self.path.read_text(encoding="utf-8"))
            if isinstance(table, dict):
                return table
            raise ValueError("not a table")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            self.problems.append(Problem(str(self.path), f"cannot be read, so last visits are unknown: {error}"))
            return {}

    def visit(self, uuid: str) -> Visit:
        """What is remembered about the store with this uuid."""
        entry = self._table.get(uuid)
        if not isinstance(entry, dict):
            return Visit()
        agent_id, head = entry.get("agent_id"), entry.get("head")
        return Visit(
            seen=_instant(entry.get("seen")),
            agent_id=agent_id if isinstance(agent_id, str) else None,
            checked=_instant(entry.get("checked")),
            head=head if isinstance(head, str) else None,
            whole=entry.get("whole") is not False,
            queries=_texts(entry.get("queries")),
        )

    def keep(self, uuid: str, **changes: Any) -> Visit:
        """Remember these fields of `Visit` about a store.

        Raises:
            OSError: the file cannot be written. What is remembered stays right until the station closes.
        """
        visit = replace(self.visit(uuid), **changes)
        entry = {name: value.isoformat() if isinstance(value, datetime) else value
                 for name, value in asdict(visit).items() if value is not None}  # fmt: skip
        self._table[uuid] = entry
        self._write()
        return visit

    def _write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(self._table, file, ensure_ascii=True, indent=1, sort_keys=True)
            os.replace(name, self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list | tuple) else ()


def _instant(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None

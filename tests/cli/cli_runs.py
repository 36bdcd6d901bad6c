"""Running the program: inside the test, and as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from memstation.cli import cli


@dataclass
class Ran:
    """What a run said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@dataclass
class Program:
    """The program with folders of its own."""

    home: Path

    @property
    def store(self) -> Path:
        return self.home / "data" / "memory.db"

    @property
    def env(self) -> dict[str, str]:
        return {"MEMSTATION_HOME": str(self.home), "MEMSTATION_LANG": "C", "COLUMNS": "", "MEMSTATION_STORE": ""}

    def __call__(self, *args: str, columns: int | None = None) -> Ran:
        env: dict[str, str | None] = {**self.env, "COLUMNS": None if columns is None else str(columns)}
        result = CliRunner().invoke(cli, list(args), env=env, prog_name="memstation")
        assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit), result.exception
        assert "Traceback" not in result.stderr
        return Ran(result.exit_code, result.stdout, result.stderr)

    def process(self, *args: str | bytes, **more: Any) -> subprocess.Popen[bytes]:
        env = {**os.environ, **self.env, **more.pop("env", {})}
        env.pop("COLUMNS")
        return subprocess.Popen(
            [sys.executable, "-m", "memstation", *args],
            env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more,
        )  # fmt: skip

    def alone(self, *args: str | bytes, **more: Any) -> tuple[int, bytes, bytes]:
        process = self.process(*args, **more)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def add(self, content: str = "Lives in Taipei", *more: str, agent: str = "dudu") -> str:
        """Tell a fact; returns its id."""
        ran = self("add", agent, content, *more, "--json")
        assert ran.code == 0, ran.err
        return str(ran.json["id"])

    def add_city(self, city: str, since: str, agent: str = "dudu") -> str:
        return self.add(
            f"Lives in {city}", "--subject", "user", "--predicate", "city", "--object", city, "--from", since,
            agent=agent,
        )  # fmt: skip

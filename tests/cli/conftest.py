"""The program with folders of its own, for every test of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")

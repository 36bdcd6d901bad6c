"""One store for each test of this room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from read_stores import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new store with a clock that stands still."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened

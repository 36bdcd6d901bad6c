"""What every test needs: one time zone, no colour switch, folders of its own, a clock that stands still."""

from __future__ import annotations

import os
import tempfile
import time

os.environ["TZ"] = "UTC"
os.environ.pop("NO_COLOR", None)
for _folder in ("CONFIG", "DATA", "STATE", "CACHE"):
    os.environ[f"XDG_{_folder}_HOME"] = os.path.join(tempfile.gettempdir(), f"memstation-tests-{os.getpid()}")
time.tzset()

from collections.abc import Callable, Iterator  # noqa: E402
from contextlib import ExitStack  # noqa: E402
from datetime import UTC, datetime, timedelta  # noqa: E402
from pathlib import Path  # noqa: E402

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
settings.register_profile(
    "default", deadline=None, derandomize=True, max_examples=40, suppress_health_check=_SLOW_IS_FINE
)
settings.register_profile(
    "deep", deadline=None, max_examples=2_000, suppress_health_check=_SLOW_IS_FINE, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


class FixedClock:
    """A clock that shows `now` until somebody moves it."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> datetime:
        """Move on by a `timedelta`'s arguments, and return the new present."""
        self.now += timedelta(**span)
        return self.now


class CountedIds:
    """Makes m_0001, m_0002, and so on, whatever it is given."""

    def __init__(self, prefix: str = "m_") -> None:
        self.prefix = prefix
        self.made = 0

    def __call__(self, *_: object) -> str:
        self.made += 1
        return f"{self.prefix}{self.made:04d}"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(datetime(2026, 9, 1, tzinfo=UTC))


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "memories.db"


@pytest.fixture
def make_engine(tmp_path: Path, clock: FixedClock) -> Iterator[Callable[..., object]]:
    """Opens engines on files of this test by name; all are closed at its end."""
    from memstation import open_engine

    with ExitStack() as stack:

        def make(name: str = "memories", **options: object) -> object:
            options = {"clock": clock, "make_id": CountedIds(), **options}
            return stack.enter_context(open_engine(tmp_path / f"{name}.db", **options))

        yield make


@pytest.fixture
def engine(make_engine: Callable[..., object]) -> object:
    """A new store with the fixed clock and counted ids."""
    return make_engine()

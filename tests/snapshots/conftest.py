"""The station of `tests/station`, for pictures."""

from __future__ import annotations

from station.conftest import make_services, make_station, no_color

__all__ = ["make_services", "make_station", "no_color"]

"""Measurements as ratios in one run: the store against raw SQLite, the station against bars. No test waits for them."""

from __future__ import annotations

from memstation.bench.report import main

__all__ = ["main"]

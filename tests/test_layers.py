"""The arrows between packages: nothing imports upwards, and the rules stay pure."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import millebornes

PACKAGE = Path(millebornes.__file__).parent

# What each package may import besides itself; what those may import is allowed, too.
ARROWS: dict[str, set[str]] = {
    "rules": set(),
    "words": {"rules"},
    "records": {"rules", "words"},
    "fair": set(),
    "fast": {"rules", "words"},
    "bots": {"rules", "words", "fast"},
    "table": {"records", "fair", "rules", "words"},
    "plugins": {"bots", "fast", "records", "rules", "table", "words"},
    "arena": {"bots", "fast", "plugins"},
    "training": {"arena", "bots", "fast", "rules"},
    "server": {"table", "bots", "plugins", "records", "fair", "rules", "words"},
    "client": {"table", "records", "fair", "rules", "words"},
    "cli": {
        *("rules", "words", "records", "fair", "fast", "bots"),
        *("plugins", "arena", "training", "table", "server", "client"),
    },
}
PURE = ("rules", "words", "records", "fair")
SANS_IO = (*PURE, "table", "bots")
"""Layers that never wait, read or write: their callers bring time, secrets and messages."""
IMPURE_MODULES = {"random", "secrets", "time", "datetime"}
CALENDAR = "millebornes.table.dates"
"""The one module of a table that may use `datetime`: for the calendar, not for a clock."""
INPUT_AND_OUTPUT = {
    *("os", "io", "pathlib", "shutil", "tempfile", "socket", "subprocess", "logging", "sys"),
    *("threading", "multiprocessing", "asyncio", "concurrent", "sqlite3", "urllib", "http"),
}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def packages() -> list[str]:
    return sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


def name_of(path: Path) -> str:
    """The dotted name of a module, as in `millebornes.rules.cards`."""
    parts = [PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """The dotted names that a module imports, wherever in it."""
    package = name_of(path.parent / "__init__.py").split(".")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            if start == PACKAGE.name:  # from millebornes import rules
                yield from (f"{start}.{alias.name}" for alias in node.names)
            else:
                yield start


def layer_of(dotted: str) -> str | None:
    """The package of ours that a dotted name lies in; None for its top and for others' code."""
    parts = dotted.split(".")
    if parts[0] != PACKAGE.name or len(parts) == 1:
        return None
    return parts[1] if parts[1] in ARROWS else None


def reachable(layer: str) -> set[str]:
    found = {layer}
    for below in ARROWS[layer]:
        found |= reachable(below)
    return found


def of_package(*names: str) -> list[Path]:
    return [path for name in names for path in sorted((PACKAGE / name).rglob("*.py"))]


def test_every_package_has_its_place() -> None:
    assert set(packages()) <= set(ARROWS)


def test_the_arrows_have_no_ring() -> None:
    for layer, below in ARROWS.items():
        assert all(layer not in reachable(other) for other in below)


@pytest.mark.parametrize("layer", packages())
def test_nothing_imports_upwards(layer: str) -> None:
    for path in of_package(layer):
        used = {found for name in imports(path) if (found := layer_of(name))}
        assert used <= reachable(layer), f"{name_of(path)} imports {used - reachable(layer)}"


@pytest.mark.parametrize("layer", [name for name in packages() if name in (*PURE, "bots")])
def test_the_lower_layers_need_the_standard_library_only(layer: str) -> None:
    for path in of_package(layer):
        tops = {name.split(".")[0] for name in imports(path)} - {PACKAGE.name}
        assert tops <= sys.stdlib_module_names, name_of(path)


def test_the_rules_import_neither_clock_nor_chance_nor_input_nor_output() -> None:
    for path in of_package("rules"):
        tops = {name.split(".")[0] for name in imports(path)}
        assert not tops & (IMPURE_MODULES | INPUT_AND_OUTPUT), name_of(path)


def test_the_rules_call_nothing_that_reads_or_writes() -> None:
    for path in of_package("rules"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                said = f"{name_of(path)}, line {node.lineno}"
                assert node.func.id not in {"open", "print", "input", "exec", "eval"}, said


@pytest.mark.parametrize("layer", [*PURE, "table"])
def test_chance_and_clocks_come_from_outside(layer: str) -> None:
    for path in of_package(layer):
        tops = {name.split(".")[0] for name in imports(path)}
        allowed = {"datetime"} if name_of(path) == CALENDAR else set()
        assert tops & IMPURE_MODULES <= allowed, name_of(path)


def test_the_calendar_reads_no_clock() -> None:
    (path,) = (path for path in of_package("table") if name_of(path) == CALENDAR)
    code = path.read_text(encoding="utf-8")
    assert not re.search(r"\b(now|utcnow|today)\(", code)


@pytest.mark.parametrize("layer", SANS_IO)
def test_a_table_and_what_it_stands_on_use_no_network_thread_or_process(layer: str) -> None:
    for path in of_package(layer):
        tops = {name.split(".")[0] for name in imports(path)}
        assert not tops & (INPUT_AND_OUTPUT - {"sys"}), name_of(path)


def test_the_table_knows_no_bots() -> None:
    assert "bots" not in reachable("table")


def test_the_client_knows_neither_server_nor_bots() -> None:
    assert not {"server", "bots"} & reachable("client")


def test_the_commands_load_the_server_and_the_client_only_when_used() -> None:
    code = "import sys, millebornes.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "millebornes.table" in loaded
    assert not loaded & {"uvicorn", "starlette", "apsw", "httpx", "websockets"}


def test_the_top_of_the_package_imports_none_of_its_layers() -> None:
    assert [name for name in imports(PACKAGE / "__init__.py") if layer_of(name)] == []


def test_only_the_stores_know_a_database() -> None:
    for path in modules():
        tops = {name.split(".")[0] for name in imports(path)}
        if not path.is_relative_to(PACKAGE / "server" / "store"):
            assert not tops & {"apsw", "sqlite3"}, name_of(path)


def test_the_server_draws_its_secrets_in_one_place() -> None:
    for path in of_package("server"):
        tops = {name.split(".")[0] for name in imports(path)}
        if name_of(path) != "millebornes.server.entropy":
            assert not tops & {"secrets", "random", "uuid"}, name_of(path)


def test_the_api_takes_what_it_needs_and_never_the_server() -> None:
    for path in of_package("server/api"):
        used = set(imports(path))
        assert not used & {"millebornes.server.server", "millebornes.server.app"}, name_of(path)

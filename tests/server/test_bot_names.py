"""Nothing that a guest sends makes the server import a module or start a program.

Outside bots are found by `find_bot`, which does both. Only the start of a server may call it, with
names from its settings.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from millebornes import plugins
from millebornes.bots import SundayDriver
from millebornes.plugins import entrant
from tests.plugins.test_entrant import install
from tests.test_layers import PACKAGE, name_of, of_package

from .local_app import local_app, open_table

MODULE = "tests.plugins.class_bots"
NAMES = (
    "os:system",
    f"{MODULE}:First",
    f"{SundayDriver.__module__}:SundayDriver",
    "cmd:touch touched",
    "cmd:sh -c 'touch touched'",
    "installed",  # an entry point
    "../learner",
    "Learner",
    "greedy",
)
STARTUP = {"millebornes.server.run", "millebornes.server.server"}
"""The modules that may find outside bots: they see settings, and no message."""


@pytest.fixture(autouse=True)
def _traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if a program is started, a bot is looked up, or the module is imported."""

    def trapped(*args: Any, **_: Any) -> NoReturn:
        raise AssertionError(f"a guest has started {args}")

    install(tmp_path, "installed", f"{MODULE}:First")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(subprocess, "Popen", trapped)
    monkeypatch.setattr(entrant, "find_bot", trapped)
    monkeypatch.setattr(plugins, "find_bot", trapped)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    yield
    assert MODULE not in sys.modules
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize("practice", [False, True])
async def test_a_bot_that_is_no_level_is_refused_over_the_socket(practice: bool) -> None:
    async with local_app(messages_per_second=1000) as app:
        token, client = await app.guest()
        async with client:
            table = await open_table(client, practice=practice)
        async with app.socket(table, token) as wire:
            await wire.next()
            for name in NAMES:
                wire.say({"type": "add_bot", "seat": 1, "level": name})
                assert (await wire.next("rejected"))["code"] == "no_such_level", name
            wire.say({"type": "add_bot", "seat": 1, "level": "sunday-driver"})
            frame = await wire.next()
            assert frame["table"]["seats"][1]["level"] == "sunday-driver"


async def test_no_field_of_a_request_finds_a_bot() -> None:
    async with local_app(requests_per_second=1000, tables_per_minute=1000) as app:
        _, client = await app.guest()
        async with client:
            for name in NAMES:
                for field in ("bot", "level", "levels", "bots"):
                    body = {"name": "Ada", field: name}
                    answer = await client.post("/api/tables", json=body)
                    assert answer.status_code == 400, field
                body = {"name": "Ada", "edition": name}
                assert (await client.post("/api/tables", json=body)).status_code == 400
                assert (await client.get("/api/bots", params={"level": name})).status_code == 200
                rules = {"toml": f'parent = "{name}"\n'}
                assert (await client.post("/api/house-rules", json=rules)).status_code == 400


def uses(path: Path, name: str) -> bool:
    """Whether a module names this function, in whatever way."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        named = (
            getattr(node, "id", None),
            getattr(node, "attr", None),
            *(alias.name for alias in getattr(node, "names", ()) if isinstance(alias, ast.alias)),
        )
        if name in named:
            return True
    return False


def callers(path: Path, name: str) -> set[str]:
    """The functions of a module that name this one."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(getattr(part, "id", getattr(part, "attr", None)) == name for part in ast.walk(node))
    }


def test_only_the_start_of_a_server_finds_bots() -> None:
    modules = of_package("server", "table", "client")
    finders = {path for path in modules if uses(path, "find_bot")}
    assert len(finders) <= 1, "one module finds bots for the server"
    for finder in finders:
        for function in callers(finder, "find_bot"):
            others = {name_of(path) for path in modules if uses(path, function)}
            assert others - {name_of(finder)} <= STARTUP, function


def test_what_looks_for_uses_finds_them() -> None:
    options = PACKAGE / "cli" / "options.py"
    assert uses(options, "find_bot")
    assert callers(options, "find_bot") == {"bot_named"}
    assert uses(PACKAGE / "cli" / "bot.py", "bot_named")


def test_nothing_that_handles_messages_can_import_or_execute_by_name() -> None:
    for path in of_package("table", "server/api", "records"):
        for name in ("import_module", "__import__", "subprocess", "exec", "eval", "runpy"):
            assert not uses(path, name), name_of(path)

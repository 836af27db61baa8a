"""Real browsers against a real server process with a real database."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.server_process import GENEROUS, ServerProcess, server_process

from . import chromium
from .visitor import Visitor

PATIENCE = 60_000  # only how long a broken page is waited for


class Visit(Protocol):
    """Makes a visitor: `visit(device="phone", language="fr", theme="dark")`."""

    def __call__(self, **how: Any) -> Visitor: ...


# Not for the whole session: while a browser is up, no test in the same process may have an
# event loop of its own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser of this machine."""
    expect.set_options(timeout=PATIENCE)
    program = chromium.find()
    assert program is not None, chromium.ASK
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"] if is_root else []
        )
        yield browser
        browser.close()


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ServerProcess]:
    """`millebornes serve` with its own port and database; it can be killed and restarted.

    A test may add settings: `@pytest.mark.parametrize("server", [settings], indirect=True)`.
    """
    settings: dict[str, Any] = getattr(request, "param", {})
    with server_process(tmp_path, **GENEROUS, **settings) as server:
        yield server


@pytest.fixture
def visit(browser: Browser, server: ServerProcess) -> Iterator[Visit]:
    """Makes visitors. At the end none of them may have seen an error."""
    visitors: list[Visitor] = []

    def come(**how: Any) -> Visitor:
        visitor = Visitor(browser, server, **how)
        visitor.context.set_default_timeout(PATIENCE)
        visitors.append(visitor)
        return visitor

    yield come
    troubles = [trouble for visitor in visitors for trouble in visitor.troubles]
    for visitor in visitors:
        visitor.context.close()
    assert troubles == []

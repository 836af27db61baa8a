"""Hypothesis profiles (in CI every run draws the same examples), and tests that are coroutines.

Every `async def test_…` runs on a new event loop. It is asyncio's, unless the test has a mark
`loop`: see `on_virtual_time` in tests/virtual_time.py and the loops in
tests/server/uvicorn_server.py.
"""

import asyncio
import inspect
import os

import pytest
import uvloop
from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    mark = pyfuncitem.get_closest_marker("loop")
    factory = asyncio.new_event_loop if mark is None else mark.kwargs["factory"]
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(test)
    return True


@pytest.fixture(
    params=[
        pytest.param("asyncio", marks=pytest.mark.loop(factory=asyncio.new_event_loop)),
        pytest.param("uvloop", marks=pytest.mark.loop(factory=uvloop.new_event_loop)),
    ]
)
def each_loop() -> None:
    """A coroutine that uses this fixture is run on both loops."""

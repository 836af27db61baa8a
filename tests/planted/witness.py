"""A pytest plugin that writes down how each test ended: one JSON object a line.

An exit code cannot distinguish a bug that was caught from a test that could not be imported.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import millebornes

FILE = "PLANTED_WITNESS"
"""The variable that names the file to write to."""


def _write(line: dict[str, Any]) -> None:
    with Path(os.environ[FILE]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def pytest_sessionstart() -> None:
    """Which code is tested? It must not be that of the working tree."""
    _write({"package": millebornes.__file__})


def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[Any]") -> None:
    """One part of a test has ended: setup, call or teardown."""
    line: dict[str, Any] = {"test": item.nodeid, "when": call.when, "error": None}
    if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
        error: BaseException = call.excinfo.value
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        line["error"] = type(error).__name__
        line["asserts"] = isinstance(error, AssertionError)
        trace = error.__traceback__
        while trace is not None:
            line["file"], line["line"] = trace.tb_frame.f_code.co_filename, trace.tb_lineno
            trace = trace.tb_next
    _write(line)

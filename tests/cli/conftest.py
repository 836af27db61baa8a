"""What every test of the commands needs."""

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are saved after every move: in the test process the disk need not keep up.

    Processes started by a test still wait for the disk, as a person's game does.
    """
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder: one for each test, never the user's own."""
    monkeypatch.setenv("MILLEBORNES_DATA", str(tmp_path / "data"))
    return tmp_path / "data"

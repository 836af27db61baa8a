"""What every test of the commands needs."""

import os

import pytest


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are saved after every move: in the test process the disk need not keep up.

    Processes of their own still wait for it, as a person's game does.
    """
    monkeypatch.setattr(os, "fsync", lambda _: None)

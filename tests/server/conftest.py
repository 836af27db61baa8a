"""Fixtures of the server's tests."""

from pathlib import Path

import pytest

from millebornes.server.driver import TableDriver


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a database may be."""
    return tmp_path / "tables.sqlite"


@pytest.fixture
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest without a connection counts as gone at once."""
    monkeypatch.setattr(TableDriver, "gone_after", 0)

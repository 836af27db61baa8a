"""Saved games: a file holds the old text or the new one, never part of either."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from millebornes.cli.game import storage
from millebornes.records import Game, game
from millebornes.rules import DEFAULT_EDITION

RECORD = Game(edition=DEFAULT_EDITION, players=2, seats=("Zoé", "Léa"), seed="1")
NOON = datetime.fromisoformat("1954-06-01T12:00:00+00:00")


def test_a_saved_record_reads_back_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "game.txt"
    storage.save(path, RECORD)
    assert game.from_text(path.read_text(encoding="utf-8")) == RECORD
    assert [entry.name for entry in path.parent.iterdir()] == ["game.txt"]


def test_a_failed_save_leaves_the_old_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.txt"
    storage.save(path, RECORD)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        storage.save(path, replace(RECORD, seed="2"))
    assert game.from_text(path.read_text(encoding="utf-8")) == RECORD
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.txt"]


def test_each_new_game_gets_an_unused_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(storage.FOLDER_VARIABLE, str(tmp_path))
    paths = []
    for _ in range(3):
        paths.append(storage.new_path(NOON, "../../etc/passwd é"))
        storage.save(paths[-1], RECORD)
    assert [path.name for path in paths] == [
        "1954-06-01-120000-etc-passwd.txt",
        "1954-06-01-120000-etc-passwd-2.txt",
        "1954-06-01-120000-etc-passwd-3.txt",
    ]
    assert {path.parent for path in paths} == {tmp_path / "games"}


def test_games_are_kept_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(storage.FOLDER_VARIABLE, raising=False)
    assert storage.games_folder().parts[-2:] == ("millebornes", "games")


def test_a_missing_folder_has_no_games(tmp_path: Path) -> None:
    assert list(storage.unfinished(tmp_path / "nowhere")) == []

"""Which store a name means."""

from pathlib import Path

import pytest

from millebornes.server.store import StoreError
from millebornes.server.store.opening import store_at
from millebornes.server.store.sqlite import SqliteStore


def test_without_a_name_it_lies_in_the_folder_that_the_environment_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MILLEBORNES_DATA", "/somewhere/else")
    assert store_at("").place == "/somewhere/else/tables.sqlite"


async def test_a_path_at_home_is_found_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    store = store_at("~/games/tables.sqlite")
    assert store.place == str(tmp_path / "games" / "tables.sqlite")
    await store.open()
    await store.close()
    assert Path(store.place).is_file()
    with pytest.raises(StoreError, match="cannot resolve the path ~nobody-of-that-name/x"):
        store_at("~nobody-of-that-name/x")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("tables.sqlite", "tables.sqlite"),
        (":memory:", ":memory:"),
        ("sqlite:///tables.sqlite", "tables.sqlite"),
        ("sqlite:////var/lib/a%20b.sqlite", "/var/lib/a b.sqlite"),
        ("SQLITE:///:memory:", ":memory:"),
    ],
)
def test_a_path_a_url_or_memory_name_an_sqlite_store(name: str, place: str) -> None:
    store = store_at(name)
    assert isinstance(store, SqliteStore)
    assert store.place == place


def test_a_url_that_no_store_knows_is_refused_and_its_password_not_told() -> None:
    with pytest.raises(StoreError, match="mysql:// databases are not supported") as refused:
        store_at("mysql://ada:secret@db.example/games")
    assert "sqlite:///PATH" in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["sqlite://tables.sqlite", "sqlite://", "sqlite:///", "sqlite:///a.db?mode=ro"]
)
def test_a_url_that_names_no_file_is_refused_and_no_other_file_taken(url: str) -> None:
    with pytest.raises(StoreError, match="names no file; a database must be"):
        store_at(url)

"""The lobby: open tables that wait, the newest first, a page at a time, made once a second."""

from typing import Any

import httpx
import pytest

from millebornes.server.api import lobby
from millebornes.server.hub import Hub
from millebornes.server.room import Room
from millebornes.words import Words
from tests.virtual_time import ManualClock

from .local_app import LocalApp, error_code, local_app, open_table


async def listed(client: httpx.AsyncClient, query: str = "") -> list[Any]:
    answer = await client.get(f"/api/lobby{query}")
    assert answer.status_code == 200, answer.text
    return list(answer.json())


async def several(app: LocalApp, count: int) -> list[str]:
    """Open tables in the order in which they were opened."""
    _, client = await app.guest()
    async with client:
        return [await open_table(client, is_open=True) for _ in range(count)]


async def test_only_open_tables_that_wait_are_in_the_lobby() -> None:
    clock = ManualClock()
    async with local_app(clock=clock) as app:
        _, client = await app.guest()
        async with client:
            await open_table(client)
            assert await listed(client) == []
            clock.advance(1)
            table = await open_table(client, is_open=True, players=3, clock=60_000)
            (found,) = await listed(client)
            assert found["table"] == table
            assert found["names"] == ["Ada"]
            assert (found["players"], found["free"], found["clock"]) == (3, 2, 60_000)


async def test_the_newest_tables_come_first_also_after_a_restart(tmp_path: Any) -> None:
    database = str(tmp_path / "tables.sqlite")
    clock = ManualClock()
    async with local_app(clock=clock, database=database) as app, app.http() as client:
        tables = []
        for _ in range(3):
            clock.advance(1)
            tables += await several(app, 1)
        clock.advance(1)
        assert [one["table"] for one in await listed(client)] == tables[::-1]
    async with local_app(clock=clock, database=database) as app, app.http() as client:
        assert [one["table"] for one in await listed(client)] == tables[::-1]


async def test_a_long_lobby_comes_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "PAGE", 2)
    async with local_app(clock=ManualClock()) as app, app.http() as client:
        tables = (await several(app, 5))[::-1]
        for query, expected in (
            ("", tables[:2]),
            ("?page=1", tables[:2]),
            ("?page=2", tables[2:4]),
            ("?page=3&lang=fr", tables[4:]),
            ("?page=4", []),
            ("?page=999999", []),
        ):
            assert [one["table"] for one in await listed(client, query)] == expected, query


@pytest.mark.parametrize("page", ["0", "-1", "one", "", "1.0", "1000000", "٣", "²", "9" * 500])
async def test_a_page_that_cannot_be_is_refused_with_what_is_allowed(page: str) -> None:
    async with local_app() as app, app.http() as client:
        answer = await client.get("/api/lobby", params={"page": page})
        assert (answer.status_code, error_code(answer)) == (400, "bad_page")
        assert "999999" in answer.json()["sentence"]


async def test_the_tables_are_looked_through_once_a_second_and_told_as_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[int] = []
    told: list[Room] = []
    open_tables, open_table_ = Hub.open_tables, lobby._open_table

    def counted(hub: Hub) -> list[Room]:
        looks.append(1)
        return open_tables(hub)

    def tell(room: Room, spoken: Words) -> Any:
        told.append(room)
        return open_table_(room, spoken)

    monkeypatch.setattr(Hub, "open_tables", counted)
    monkeypatch.setattr(lobby, "_open_table", tell)
    clock = ManualClock()
    async with local_app(clock=clock) as app, app.http() as client:
        tables = await several(app, 2)
        for query in ("", "?page=1", "?page=2", "?page=77", ""):
            await listed(client, query)
        tables += await several(app, 1)
        clock.advance(0.999)
        assert len(await listed(client)) == 2
        assert (len(looks), len(told)) == (1, 2)
        clock.advance(0.001)
        assert [one["table"] for one in await listed(client)] == tables[::-1]
        assert (len(looks), len(told)) == (2, 5)


async def test_tables_are_listed_with_the_names_of_their_rules_in_your_language() -> None:
    clock = ManualClock()
    async with local_app(clock=clock) as app:
        _, client = await app.guest()
        async with client:
            rules = 'parent = "article"\nmax_200s = 1\n'
            await open_table(client, is_open=True, edition="family")
            await open_table(client, is_open=True, house_rules=rules)
            await open_table(client, is_open=True, house_rules=f'name = "Lake"\n{rules}')
            names = [table["edition_name"] for table in await listed(client)]
            assert names == ["Lake", None, "Family"]
            names = [table["edition_name"] for table in await listed(client, "?lang=fr")]
            assert names == ["Lake", None, "Famille"]

"""Headers and queries of a request cannot cause slow work either."""

import httpx
import pytest

from millebornes.server.admission import COOKIE
from millebornes.server.api import games, openapi
from millebornes.server.api.rules import _editions
from tests.virtual_time import ManualClock

from .local_app import ORIGIN, local_app, open_table


async def test_a_token_is_found_among_other_cookies_whatever_they_are() -> None:
    async with local_app() as app:
        token, client = await app.guest()
        await client.aclose()

        async def status(cookie: str) -> int:
            async with app.http(Origin=ORIGIN, Cookie=cookie) as browser:
                return (await browser.get("/api/games")).status_code

        assert await status(f"{COOKIE}={token}") == 200
        assert await status(f'a="1;2"; {COOKIE} = {token} ;b') == 200
        assert await status(f"{COOKIE}=other; {COOKIE}={token}") == 200
        assert await status(f"x{COOKIE}={token}") == 401
        assert await status(f"{COOKIE}=") == 401
        assert await status("") == 401
        # Python's own parser takes minutes for this, in some versions.
        assert await status(f'{COOKIE}="' + '\\"' * 30_000) == 401


async def test_a_query_that_is_too_long_is_not_read() -> None:
    async with local_app(clock=ManualClock()) as app, app.http() as client:
        for more, french in (("", True), ("&a=" + "b" * 900, True), ("&a=1" * 300, False)):
            answer = await client.get(f"/api/nowhere?lang=fr{more}")
            assert ("Il n'y a rien" in answer.json()["sentence"]) is french
        assert (await client.get("/api/lobby?page=0")).status_code == 400
        assert (await client.get("/api/lobby?page=0" + "&a=1" * 300)).json() == []


async def test_the_openapi_document_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    document = openapi.document

    def counted(operations: list[openapi.Operation]) -> dict[str, object]:
        made.append(1)
        return document(operations)

    monkeypatch.setattr(openapi, "document", counted)
    async with local_app() as app, app.http() as client:
        answers = [await client.get("/api/openapi.json") for _ in range(3)]
        assert len({answer.content for answer in answers}) == 1
        assert answers[0].headers["content-type"] == "application/json"
    assert made == [1]


async def test_editions_are_made_once_for_each_language_and_encoding() -> None:
    async def ask(client: httpx.AsyncClient, language: str, encoding: str) -> bytes:
        headers = {"Accept-Language": language, "Accept-Encoding": encoding}
        return (await client.get("/api/editions", headers=headers)).content

    _editions.cache_clear()
    async with local_app() as app, app.http() as client:
        told = {
            language: {await ask(client, language, encoding) for encoding in ("gzip", "br", "")}
            for language in ("fr", "en", "fr-CA,en;q=0.1")
        }
        assert all(len(same) == 1 for same in told.values())
        assert told["fr"] == told["fr-CA,en;q=0.1"] != told["en"]
    assert _editions.cache_info().misses == 4


async def test_a_list_of_running_games_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_RUNNING", 2)
    clock = ManualClock()
    async with local_app(clock=clock) as app:
        _, client = await app.guest()
        async with client:
            tables = []
            for _ in range(4):
                clock.advance(1)
                tables.append(await open_table(client))
            running = (await client.get("/api/games")).json()["running"]
            assert [one["table"] for one in running] == tables[:1:-1]

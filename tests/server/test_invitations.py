"""The page of a table: what a messenger shows beside its link, and what it never tells."""

from html import unescape
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from millebornes.server.headers import HEADERS
from millebornes.server.pages import Body, Page, Pages, read_pages
from millebornes.table import inputs
from millebornes.words import languages, words

from .local_app import LocalApp, join, local_app, open_table, room_of

INDEX = """<!doctype html>
<html lang="en">
  <head>
    <title>Mille Bornes</title>
    <meta name="description" content="A card game." />
  </head>
  <body><script src="/assets/index.js"></script></body>
</html>
"""
PAGES = Pages(
    {"index.html": Page("text/html; charset=utf-8", "no-cache", {"": Body(INDEX.encode(), '"1"')})}
)
UNKNOWN = "AAAAAAAAAAAAAAAAAAAAAA"
HOUSE_RULES = 'parent = "winning-moves"\nname = "<Zoé\'s>"\nhands = 1\n'


class Head(HTMLParser):
    """What a messenger reads: the title, the language, and the metadata by name."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.title = ""
        self.said: dict[str, str] = {}
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        if tag == "html":
            self.said["lang"] = str(given["lang"])
        # Each colour of the theme has a condition.
        if tag == "meta" and "content" in given and "media" not in given:
            name = str(given.get("property") or given.get("name"))
            assert name not in self.said, f"{name} twice"
            self.said[name] = str(given["content"])

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] == ["title"] and not self.title:
            self.title = data


async def table_of(app: LocalApp, name: str = "Zoé", **settings: Any) -> str:
    """A new table of this host."""
    _, host = await app.guest()
    async with host:
        return await open_table(host, name=name, **settings)


async def page_of(app: LocalApp, table: str, query: str = "", **headers: str) -> httpx.Response:
    async with app.http(**headers) as stranger:
        return await stranger.get(f"/t/{table}{query}")


async def test_a_link_says_who_invites_and_to_what() -> None:
    async with local_app(pages=PAGES) as app:
        table = await table_of(app, players=3)
        english, french = [
            Head((await page_of(app, table, f"?lang={language}")).text) for language in ("en", "fr")
        ]
        assert english.title == english.said["og:title"] == "Mille Bornes: Zoé invites you"
        assert english.said["og:description"].startswith("For 3 players, 2 free seats.")
        assert english.said["description"] == english.said["og:description"]
        assert french.said["og:title"] == "Mille Bornes\u00a0: Zoé vous invite"
        assert french.said["og:description"].startswith("À 3 joueurs, 2 places libres.")
        assert [head.said["lang"] for head in (english, french)] == ["en", "fr"]
        assert [head.said["og:locale"] for head in (english, french)] == ["en_US", "fr_FR"]
        assert english.said["robots"] == "noindex"


async def test_without_a_language_the_link_speaks_that_of_the_browser() -> None:
    async with local_app(pages=PAGES) as app:
        table = await table_of(app)
        answer = await page_of(app, table, **{"Accept-Language": "fr-CA, en;q=0.5"})
        assert Head(answer.text).said["lang"] == "fr"
        assert answer.headers["vary"] == "Accept-Language"
        assert Head((await page_of(app, table)).text).said["lang"] == "en"
        assert Head((await page_of(app, table, "?lang=xx")).text).said["lang"] == "en"


async def test_names_are_escaped() -> None:
    name = '"><b>&Zoé</b>'
    async with local_app(pages=PAGES) as app:
        for settings in ({}, {"house_rules": HOUSE_RULES, "edition": None}):
            page = (await page_of(app, await table_of(app, name, **settings))).text
            head = Head(page)
            assert head.said["og:title"] == f"Mille Bornes: {name} invites you"
            assert "b" not in head.tags
            assert "<b>" not in page
            assert "<Zo" not in page
        assert "<Zoé's>" in head.said["og:description"]
        # Nothing else of the page has changed.
        assert page.endswith('<script src="/assets/index.js"></script></body>\n</html>\n')
        assert unescape(page).count("<title>") == 1


async def test_it_follows_the_table() -> None:
    async with local_app(pages=PAGES) as app:
        token, host = await app.guest()
        _, guest = await app.guest()
        async with host, guest:
            table = await open_table(host, name="Inès", players=2)

            async def shown(language: str) -> tuple[str, str]:
                said = Head((await page_of(app, table, f"?lang={language}")).text).said
                return said["og:title"], said["og:description"]

            assert "1 free seat." in (await shown("en"))[1]
            await join(guest, table, "Max")
            assert (await shown("en"))[0] == "Mille Bornes: Inès's table"
            assert (await shown("fr"))[0] == "Mille Bornes\u00a0: La table d'Inès"
            assert (await shown("en"))[1].endswith("Every seat is taken: you can watch.")
            async with app.socket(table, token) as wire:
                wire.say({"type": "start"})
                while (await wire.next())["table"]["phase"] == "lobby":
                    pass
            assert (await shown("en"))[1].endswith("A match is being played: you can watch.")


async def test_it_tells_only_what_strangers_may_see() -> None:
    async with local_app(pages=PAGES) as app:
        table = await table_of(app, seed="hush", practice=True)
        _, watcher = await app.guest()
        async with watcher:
            await watcher.post(f"/api/tables/{table}/join", json={"name": "Spy", "watch": True})
        page = (await page_of(app, table)).text
        assert "Zoé" in page
        assert "practice" in page
        assert not [secret for secret in ("hush", "Spy", table) if secret in page]


@pytest.mark.parametrize("language", languages())
async def test_a_closed_table_is_like_one_that_never_was(language: str) -> None:
    async with local_app(pages=PAGES) as app:
        table = await table_of(app)
        room = room_of(app, table)
        query = f"?lang={language}"
        before = await page_of(app, table, query)
        await room.put(None, inputs.Shut("idle"))
        assert room.table.phase == "closed"
        closed = await page_of(app, table, query)
        unknown = await page_of(app, UNKNOWN, query)
        nonsense = await page_of(app, "x", query)
        assert closed.status_code == unknown.status_code == nonsense.status_code == 200
        assert closed.content == unknown.content == nonsense.content != before.content
        assert dict(closed.headers) == dict(unknown.headers) == dict(nonsense.headers)
        assert Head(closed.text).said["og:title"] == "Mille Bornes"
        assert Head(closed.text).said["description"] == words(language).invitation("general")


async def test_a_copy_is_current_until_the_table_changes() -> None:
    async with local_app(pages=PAGES) as app:
        table = await table_of(app, players=3)
        first = await page_of(app, table)
        assert first.headers["cache-control"] == "no-cache"
        assert first.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]
        tag = first.headers["etag"]
        again = await page_of(app, table, **{"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        french = await page_of(app, table, "?lang=fr", **{"If-None-Match": tag})
        assert french.status_code == 200
        _, guest = await app.guest()
        async with guest:
            await join(guest, table, "Max")
        changed = await page_of(app, table, **{"If-None-Match": tag})
        assert changed.status_code == 200
        assert changed.headers["etag"] != tag


async def test_the_built_client_has_a_place_for_the_title() -> None:
    assert read_pages().are_built, "run: make test"
    async with local_app() as app:
        head = Head((await page_of(app, await table_of(app), "?lang=fr")).text)
    assert head.title == "Mille Bornes\u00a0: Zoé vous invite"
    assert head.said["lang"] == "fr"
    assert head.said["viewport"]

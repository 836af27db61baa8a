"""The web client's files: found, cached, compressed, and nothing else."""

import contextlib
import gzip
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from millebornes.server.headers import HEADERS
from millebornes.server.pages import Pages, read_pages

from .local_app import local_app

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Encoding": "gzip, br"}
INDEX = "<!doctype html><title>Mille Bornes</title>"
SCRIPT = "console.log('road');" * 100
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture
def built(tmp_path: Path) -> Pages:
    """A client as the build leaves it, with something secret beside it."""
    (tmp_path / "secret.txt").write_text("the operator's own")
    web = tmp_path / "web"
    (web / "assets").mkdir(parents=True)
    (web / ".built").write_text("a hash of the sources")
    (web / "index.html").write_text(INDEX)
    (web / "index.html.gz").write_bytes(gzip.compress(INDEX.encode()))
    (web / "favicon.svg").write_text("<svg/>")
    (web / "manifest.webmanifest").write_text("{}")
    (web / "robots.txt").write_text("User-agent: *")
    (web / "assets" / "index-abc.js").write_text(SCRIPT)
    (web / "assets" / "index-abc.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (web / "assets" / "index-abc.js.br").write_bytes(b"as brotli wrote it")
    (web / "assets" / "sign.woff2").write_bytes(b"wOF2")
    return read_pages(web)


@contextlib.asynccontextmanager
async def asking(pages: Pages | None, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server with these pages."""
    async with local_app(pages=pages, **settings) as up, up.http() as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/new", "/score", "/judge"])
async def test_every_address_of_the_client_is_the_same_page(built: Pages, path: str) -> None:
    async with asking(built) as client:
        answer = await client.get(path, headers=BROWSER)
        assert (answer.status_code, answer.text) == (200, INDEX)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache"
        for name, value in HEADERS.items():
            assert answer.headers[name] == value


async def test_assets_are_kept_for_ever_and_the_rest_is_asked_for_again(built: Pages) -> None:
    async with asking(built) as client:
        for path, kind, kept in (
            ("/assets/index-abc.js", "text/javascript; charset=utf-8", True),
            ("/assets/sign.woff2", "font/woff2", True),
            ("/favicon.svg", "image/svg+xml", False),
            ("/manifest.webmanifest", "application/manifest+json", False),
            ("/robots.txt", "text/plain; charset=utf-8", False),
        ):
            answer = await client.get(path, headers=PLAIN)
            assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
            assert ("immutable" in answer.headers["cache-control"]) is kept
            assert answer.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0.000, gzip;q=0", None),
        ("identity", None),
        ("", None),
    ],
)
async def test_a_browser_gets_the_best_encoding_it_reads(
    built: Pages, accepted: str, encoding: str | None
) -> None:
    async with asking(built) as client:
        request = client.build_request(
            "GET", "/assets/index-abc.js", headers={"Accept-Encoding": accepted}
        )
        answer = await client.send(request, stream=True)
        raw = b"".join([part async for part in answer.aiter_raw()])
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["vary"] == "Accept-Encoding"
        assert int(answer.headers["content-length"]) == len(raw)
        if encoding == "br":
            assert raw == b"as brotli wrote it"
        else:
            shown = gzip.decompress(raw) if encoding == "gzip" else raw
            assert shown == SCRIPT.encode()


async def test_what_a_browser_has_is_not_sent_again(built: Pages) -> None:
    async with asking(built) as client:
        tags = set()
        for accepted in ("gzip", "identity"):
            headers = {"Accept-Encoding": accepted}
            tag = (await client.get("/", headers=headers)).headers["etag"]
            tags.add(tag)
            for known in (tag, f"W/{tag}", f'"older", {tag}', "*"):
                again = await client.get("/", headers={**headers, "If-None-Match": known})
                assert (again.status_code, again.content) == (304, b"")
                assert again.headers["etag"] == tag
                assert again.headers["cache-control"] == "no-cache"
            other = await client.get("/", headers={**headers, "If-None-Match": '"older"'})
            assert other.status_code == 200
        assert len(tags) == 2  # the same text in another encoding is another body


async def test_head_says_what_get_would_send(built: Pages) -> None:
    async with asking(built) as client:
        for path in ("/", "/t/x", "/assets/index-abc.js"):
            got = await client.get(path, headers=PLAIN)
            told = await client.head(path, headers=PLAIN)
            assert (told.status_code, told.content) == (200, b"")
            assert dict(told.headers) == dict(got.headers)


@pytest.mark.parametrize(
    "path",
    [
        *("/secret.txt", "/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt"),
        *("/assets/..%2f..%2fsecret.txt", "/assets/%5c..%5csecret.txt", "//secret.txt"),
        *("/.built", "/index.html", "/index.html.gz", "/assets/index-abc.js.br", "/assets/"),
        *("/assets", "/assets/index-abc.js%00", "/t/", "/t/x/y", "/New", "/api", "/nowhere"),
    ],
)
async def test_nothing_else_is_served(built: Pages, path: str) -> None:
    async with asking(built) as client:
        # A whole address: the client must not tidy the path up.
        url = httpx.URL("http://table.test").copy_with(raw_path=path.encode())
        program = await client.get(url)
        assert program.status_code == 404
        assert program.json()["code"] == "not_found"
        person = await client.get(url, headers=BROWSER)
        assert (person.status_code, person.text) == (404, INDEX)


async def test_a_person_who_asks_the_interface_gets_its_own_answer(built: Pages) -> None:
    async with asking(built) as client:
        answer = await client.get("/api/nope", headers=BROWSER)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
        posted = await client.post("/", headers=BROWSER)
        assert (posted.status_code, posted.json()["code"]) == (405, "not_here")


async def test_a_page_and_its_files_are_not_counted_as_requests(built: Pages) -> None:
    async with asking(built, requests_per_second=1) as client:
        for _ in range(20):
            assert (await client.get("/")).status_code == 200
            assert (await client.get("/assets/index-abc.js", headers=PLAIN)).status_code == 200
        assert (await client.get("/api/health")).status_code == 200


@pytest.mark.parametrize(("language", "said"), [("en", "not built"), ("fr", "pas construites")])
async def test_a_checkout_without_the_built_client_says_what_to_do(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, language: str, said: str
) -> None:
    with caplog.at_level(logging.WARNING):
        async with asking(read_pages(tmp_path / "web")) as client:
            headers = {**BROWSER, "Accept-Language": language}
            for path in ("/", "/t/x", "/nowhere"):
                answer = await client.get(path, headers=headers)
                assert answer.status_code == 503
                assert said in answer.text
                assert "npm run build" in answer.text
            assert (await client.get("/api/health")).status_code == 200
    assert "npm run build" in caplog.text


async def test_the_client_that_is_installed_here_is_whole() -> None:
    pages = read_pages()
    assert pages.are_built, "run: make test"

    async with asking(None) as client:
        page = (await client.get("/", headers={**BROWSER, **PLAIN})).text
        for name in pages.files:
            plain = await client.get(f"/{name}", headers=PLAIN)
            packed = await client.get(f"/{name}", headers={"Accept-Encoding": "gzip"})
            assert plain.status_code == packed.status_code == 200
            assert plain.content == packed.content
            if name.endswith((".js", ".css")) and len(plain.content) > 1024:
                assert packed.headers["content-encoding"] == "gzip"
                best = await client.head(f"/{name}", headers={"Accept-Encoding": "gzip, br"})
                assert best.headers["content-encoding"] == "br"
        scripts = [name for name in pages.files if name.endswith(".js")]
        assert any(f"/{name}" in page for name in scripts)

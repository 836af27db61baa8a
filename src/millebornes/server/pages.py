"""The web client's files: compressed at build time, read once, served from memory."""

import hashlib
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from millebornes.table import Refused

from .requests import accepted, words_of

__all__ = ["BUILT", "SCREENS", "Pages", "read_pages"]

BUILT = resources.files("millebornes") / "web"
"""The folder of the built client."""

SCREENS = {
    "home": "/",
    "new": "/new",
    "table": "/t/{table}",
    "score": "/score",
    "judge": "/judge",
}
"""The client's screens and their addresses. `make regenerate` passes them on to the client."""

_INDEX = "index.html"
_ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""Best first."""
_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"


class Body(NamedTuple):
    """A file in one encoding."""

    content: bytes
    etag: str


class Page(NamedTuple):
    """A file in all its encodings; "" is the uncompressed file."""

    media_type: str
    cache: str
    bodies: dict[str, Body]


class Pages:
    """Every file that is served, by path. No other files are served."""

    def __init__(self, pages: dict[str, Page]) -> None:
        self._pages = pages

    @property
    def are_built(self) -> bool:
        """Has the client been built?"""
        return _INDEX in self._pages

    @property
    def files(self) -> list[str]:
        """The files with a path of their own; the index has many."""
        return [name for name in self._pages if name != _INDEX]

    @property
    def index_text(self) -> str:
        """The index page; empty if the client has not been built."""
        return self._pages[_INDEX].bodies[""].content.decode() if self.are_built else ""

    async def get_index(self, request: Request, status: int = 200) -> Response:
        """The index page, which shows a view according to its address."""
        if not self.are_built:
            return PlainTextResponse(words_of(request).sentence(Refused("no_pages")), 503)
        return self._file(request, _INDEX, status)

    async def get_file(self, request: Request) -> Response:
        """A file of the client. All names are known at startup."""
        return self._file(request, request.url.path[1:])

    def made(self, request: Request, text: str) -> Response:
        """An index page that was made for this request. It is small, so it is not compressed."""
        page = Page(_TYPES["html"], _REVALIDATE, {"": _body(text.encode())})
        return _answer(request, page, "Accept-Language")

    def _file(self, request: Request, name: str, status: int = 200) -> Response:
        """One file in the best encoding that the browser accepts; 304 if its copy is current."""
        return _answer(request, self._pages[name], "Accept-Encoding", status)


def read_pages(folder: Traversable = BUILT) -> Pages:
    """Read the built client; empty if it has not been built."""
    found = dict(_files(folder)) if folder.is_dir() else {}
    pages = {}
    for name, content in found.items():
        if name.endswith(tuple(_ENCODINGS.values())):
            continue
        bodies = {"": _body(content)}
        for encoding, suffix in _ENCODINGS.items():
            if name + suffix in found:
                bodies[encoding] = _body(found[name + suffix])
        media_type = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
        # The names of assets contain a hash of their content.
        cache = _IMMUTABLE if name.startswith("assets/") else _REVALIDATE
        pages[name] = Page(media_type, cache, bodies)
    return Pages(pages)


def _files(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name.startswith("."):  # notes of the build
            continue
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_bytes()


def _body(content: bytes) -> Body:
    return Body(content, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def _answer(request: Request, page: Page, vary: str, status: int = 200) -> Response:
    """A page in the best encoding that the browser accepts; 304 if its copy is current."""
    readable = accepted(request.headers.get("accept-encoding", ""))
    encoding = next((e for e in _ENCODINGS if e in readable and e in page.bodies), "")
    content, etag = page.bodies[encoding]
    headers = {"Cache-Control": page.cache, "ETag": etag, "Vary": vary}
    if status == 200 and _is_known(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    if encoding:
        headers["Content-Encoding"] = encoding
    headers["Content-Length"] = str(len(content))
    shown = b"" if request.method == "HEAD" else content
    return Response(shown, status, headers, page.media_type)


def _is_known(header: str, etag: str) -> bool:
    """Does an If-None-Match header name this version?"""
    known = {part.strip().removeprefix("W/") for part in header.split(",")}
    return etag in known or header.strip() == "*"

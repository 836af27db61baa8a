"""Helpers for every request: language, body, JSON responses, errors."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from millebornes.rules import Reason
from millebornes.table import Refused
from millebornes.table.rest import ErrorBody
from millebornes.words import Words, languages, words

__all__ = [
    "ApiError",
    "accepted",
    "as_json",
    "body",
    "preferred_language",
    "query",
    "words_of",
]

_BODY = 16 * 1024
"""Maximum bytes of a request body."""
_QUERY = 1000
"""Maximum bytes of a query string."""
_LANGUAGES = languages()
_T = TypeVar("_T")


class ApiError(Exception):
    """An error response: its status and code, and the parameters of its sentence."""

    def __init__(
        self,
        status: int,
        code: str,
        params: Mapping[str, str | int] | None = None,
        reason: Reason | None = None,
        rule: str | None = None,
    ) -> None:
        super().__init__(code)
        self.status = status
        self._code = code
        self._params = params or {}
        self._reason = reason
        self._rule = rule

    def sentence(self, connection: HTTPConnection) -> str:
        """The sentence for people, in the language of the request."""
        said = self._reason or Refused(self._code, self._params)
        return words_of(connection).sentence(said)

    def answer(self, connection: HTTPConnection) -> Response:
        """The response, with that sentence."""
        said = ErrorBody(self._code, self.sentence(connection), self._rule)
        return as_json(said, self.status)


def query(connection: HTTPConnection, name: str) -> str | None:
    """A query parameter of the request.

    A query string that is longer than any of ours is not parsed: 60 KiB take 25 ms.
    """
    if len(connection.scope["query_string"]) > _QUERY:
        return None
    return connection.query_params.get(name)


def words_of(connection: HTTPConnection) -> Words:
    """The words in the language of the request."""
    asked = query(connection, "lang")
    if asked in _LANGUAGES:
        return words(asked)
    header = connection.headers.get("accept-language", "")
    return words(preferred_language(header, _LANGUAGES) or _LANGUAGES[0])


def preferred_language(header: str, known: Sequence[str]) -> str | None:
    """The known language that an Accept-Language header prefers."""
    best: tuple[float, str] | None = None
    for part in header[:1000].split(","):
        tag, _, rest = part.partition(";")
        language = tag.strip().lower().partition("-")[0]
        weight = 1.0
        if rest.strip().startswith("q="):
            try:
                weight = float(rest.strip()[2:])
            except ValueError:
                weight = 0.0
        if language in known and weight > 0 and (best is None or weight > best[0]):
            best = (weight, language)
    return None if best is None else best[1]


async def body(request: Request, type_: type[_T], most: int = _BODY) -> _T:
    """The request body, decoded and validated; it may have `most` bytes."""
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > most:
            raise ApiError(413, "message_too_long", {"most": most})
    try:
        return msgspec.json.decode(data or b"{}", type=type_)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ApiError(400, "bad_message", {"detail": str(error)[:200]}) from None


def as_json(value: object, status: int = 200) -> Response:
    """A JSON response."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def accepted(header: str) -> set[str]:
    """The encodings that an Accept-Encoding header names and accepts."""
    found = set()
    for part in header[:1000].split(","):
        name, _, weight = part.partition(";")
        if weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            found.add(name.strip().lower())
    return found

"""uvicorn's HTTP protocol with limits on requests.

uvicorn limits neither headers nor trailers nor pipelined requests, and its timeout starts only
after a response. All code that depends on internals of its HTTP protocol is here; `protocols`
imports it, and does without it if an internal is missing.
"""

import asyncio
from typing import NoReturn

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .wire import Guarded, Place, answer

__all__ = ["PARTS", "PlainRequests", "Requests"]

_STEP = 4096
"""Bytes passed to the parser at a time; the count of a request's bytes is off by at most this."""


class PlainRequests(Guarded, HttpToolsProtocol):
    """The limits that do not depend on internals of uvicorn's class."""


class _TurnedAway(Exception):  # noqa: N818 (it ends the parser's work, and that is no error)
    """Raised in a callback of the parser to stop it in the middle of a packet."""


class Requests(PlainRequests):
    """Limits the size, time and number of requests on one connection."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._fed = 0
        """Bytes of the current request."""
        self._headers = 0
        """Number of headers of the current request."""
        self._is_in_head = True
        self._waiting = 0
        """Number of requests that the application has not answered yet."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timeout for the first request."""
        super().connection_made(transport)
        if self._place is not None:
            self._place.late = self._be_late
            self._expect_request(self._place)

    def data_received(self, data: bytes) -> None:
        """Pass bytes to the parser in small parts, checking the limits after each."""
        place = self._place
        for at in range(0, len(data), _STEP):
            if place is None or place.is_over or place.transport.get_protocol() is not self:
                return  # refused, or a WebSocket now
            part = data[at : at + _STEP]
            self._expect_request(place)
            self._fed += len(part)
            super().data_received(part)
            self._check_size(place)

    def _expect_request(self, place: Place) -> None:
        if place.due is None:
            place.due = asyncio.get_running_loop().time() + self.wire.limits.in_time

    def _check_size(self, place: Place) -> None:
        limits = self.wire.limits
        if place.is_over:
            return
        if self._is_in_head and self._fed > limits.head:
            self._refuse(place, 431, "head_too_long", limits.head)
        elif self._fed > limits.request:
            self._refuse(place, 413, "message_too_long", limits.request)

    def _be_late(self) -> None:
        """Close: no complete request has arrived in time."""
        assert self._place is not None
        if self._fed:
            self._refuse(self._place, 408, "request_too_late", round(self.wire.limits.in_time))
        else:  # browsers preconnect: a response without a request would confuse them
            self._turn_away(self._place)

    def _refuse(self, place: Place, status: int, code: str, most: int) -> None:
        # Do not write into the response to an earlier request.
        words = b"" if self._waiting else answer(status, code, most)
        self._turn_away(place, words, ends=True)

    def _stop(self, status: int, code: str, most: int) -> NoReturn:
        """The same from a callback, in the middle of a packet."""
        assert self._place is not None
        self._refuse(self._place, status, code, most)
        raise _TurnedAway

    # Callbacks of the parser

    def on_message_begin(self) -> None:
        """A request begins."""
        place, limits = self._place, self.wire.limits
        assert place is not None
        if self._waiting >= limits.pipelined or not self.wire.allows_request(place):
            self.wire.count_limited()
            self._stop(429, "too_many", limits.pipelined)
        self._is_in_head = True
        self._headers = 0
        self._fed = self._fed or 1  # it may begin in the packet that ended the previous one
        self._expect_request(place)
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header is complete. Trailers are dropped: nothing reads them."""
        if not self._is_in_head:
            return
        limits = self.wire.limits
        self._headers += 1
        if self._headers > limits.headers:
            self._stop(431, "too_many_headers", limits.headers)
        if name.lower() == b"content-length" and _number(value) > limits.request:
            self._stop(413, "message_too_long", limits.request)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The headers are complete: run the application, or upgrade to a WebSocket."""
        self._is_in_head = False
        self._waiting += 1
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._is_in_head = True
        self._fed = 0
        if self._place is not None:
            self._place.due = None
        super().on_message_complete()

    # Callbacks of uvicorn

    def on_response_complete(self) -> None:
        """A response is complete."""
        self._waiting -= 1
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer invalid HTTP, unless the connection was already refused."""
        if self._place is None or not self._place.is_over:
            super().send_400_response(msg)

    def _pauses_reading(self) -> bool:
        return self.flow is not None and self.flow.read_paused


def _number(text: bytes) -> int:
    """The value of a Content-Length header; a huge number if it is invalid."""
    digits = text.strip()
    return int(digits) if digits.isdigit() and len(digits) < 16 else 10**16


PARTS = (
    *("flow", "on_message_begin", "on_header", "on_headers_complete", "on_message_complete"),
    *("on_response_complete", "send_400_response"),
)
"""The undocumented attributes of its base class that `Requests` uses."""

"""HTTP of uvicorn with limits on what comes in.

uvicorn bounds neither headers nor trailers nor the requests that wait on one connection, and its
timer runs only after an answer. Everything that leans on its own parts is here; `protocols`
imports it, and goes without where a part is missing.
"""

import asyncio
from typing import NoReturn

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .wire import Guarded, Place, answer

__all__ = ["PARTS", "PlainRequests", "Requests"]

_STEP = 4096
"""Bytes that the parser gets at once: by so much the bytes of a request can be counted wrong."""


class PlainRequests(Guarded, HttpToolsProtocol):
    """What can be guarded whatever uvicorn's class looks like inside."""


class _TurnedAway(Exception):  # noqa: N818 (it ends the parser's work, and that is no error)
    """Raised in a callback of the parser: it stops there, in the middle of a packet."""


class Requests(PlainRequests):
    """Bytes, time and number of the requests on one connection are bounded."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._fed = 0
        """Bytes of the request that is coming."""
        self._headers = 0
        """And how many headers it has so far."""
        self._is_in_head = True
        self._waiting = 0
        """Requests that the application has not answered yet."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection has come: a request must follow."""
        super().connection_made(transport)
        if self._place is not None:
            self._place.late = self._be_late
            self._expect_request(self._place)

    def data_received(self, data: bytes) -> None:
        """Bytes have come: no more than a few of them go to the parser at once."""
        place = self._place
        for at in range(0, len(data), _STEP):
            if place is None or place.is_over or place.transport.get_protocol() is not self:
                return  # turned away, or a WebSocket now
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
        """No whole request has come in time."""
        assert self._place is not None
        if self._fed:
            self._refuse(self._place, 408, "request_too_late", round(self.wire.limits.in_time))
        else:  # browsers open connections ahead of time: an answer there would be misunderstood
            self._turn_away(self._place)

    def _refuse(self, place: Place, status: int, code: str, most: int) -> None:
        # While another request is being answered, nothing may come in between.
        words = b"" if self._waiting else answer(status, code, most)
        self._turn_away(place, words, ends=True)

    def _stop(self, status: int, code: str, most: int) -> NoReturn:
        """The same in the middle of a packet."""
        assert self._place is not None
        self._refuse(self._place, status, code, most)
        raise _TurnedAway

    # What the parser calls.

    def on_message_begin(self) -> None:
        """A request begins."""
        place, limits = self._place, self.wire.limits
        assert place is not None
        if self._waiting >= limits.pipelined or not self.wire.may_ask(place):
            self.wire.count_limited()
            self._stop(429, "too_many", limits.pipelined)
        self._is_in_head = True
        self._headers = 0
        self._fed = self._fed or 1  # it may begin in the packet that ended the one before
        self._expect_request(place)
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header is whole. Trailers are left out: nobody reads them."""
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
        """The head is whole: the application begins, or this becomes a WebSocket."""
        self._is_in_head = False
        self._waiting += 1
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._is_in_head = True
        self._fed = 0
        if self._place is not None:
            self._place.due = None
        super().on_message_complete()

    # What uvicorn calls.

    def on_response_complete(self) -> None:
        """A request is answered."""
        self._waiting -= 1
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Say that it is no HTTP, unless another answer was given already."""
        if self._place is None or not self._place.is_over:
            super().send_400_response(msg)

    def _pauses_reading(self) -> bool:
        return self.flow is not None and self.flow.read_paused


def _number(text: bytes) -> int:
    """A length as a header tells it; one that is absurd is only large."""
    digits = text.strip()
    return int(digits) if digits.isdigit() and len(digits) < 16 else 10**16


PARTS = (
    *("flow", "on_message_begin", "on_header", "on_headers_complete", "on_message_complete"),
    *("on_response_complete", "send_400_response"),
)
"""What `Requests` uses of the class it is made from, and nobody has promised to keep."""

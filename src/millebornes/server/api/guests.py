"""Guests: becoming one, and being the same one on another device."""

from starlette.requests import Request
from starlette.responses import Response

from millebornes.server.admission import COOKIE, Admission, hash_token
from millebornes.server.clock import Clock
from millebornes.server.entropy import Entropy
from millebornes.server.requests import ApiError, as_json, body
from millebornes.server.store import Store
from millebornes.table.rest import GuestInfo, LinkCode, NewGuest

from .openapi import Operation

__all__ = ["Guests"]

_COOKIE_AGE = 400 * 24 * 3600
_LINK_LIFE = 10 * 60 * 1000
_TOKEN_SIZE = 32
"""Bytes of a guest's token."""


class Guests:
    """`/api/guests`."""

    def __init__(self, store: Store, clock: Clock, entropy: Entropy, admission: Admission) -> None:
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._admission = admission
        self._links: dict[str, tuple[str, int]] = {}
        """The guest that a code stands for, and until when."""

    def operations(self) -> list[Operation]:
        """What can be asked for."""
        return [
            Operation("POST", "/api/guests", self.post_guest, GuestInfo, NewGuest, 201, also=200),
            Operation("POST", "/api/guests/link", self.post_link, LinkCode, status=201),
            Operation("POST", "/api/guests/claim", self.post_claim, GuestInfo, LinkCode, 201),
        ]

    async def post_guest(self, request: Request) -> Response:
        """Become a guest: a token for programs, a cookie for browsers."""
        await body(request, NewGuest)
        if await self._admission.guest_of(request) is not None:
            return as_json(GuestInfo(None))
        self._admission.count_guest(request)
        token = self._entropy.urlsafe(_TOKEN_SIZE)
        guest = self._entropy.hex(16)
        await self._store.add_guest(guest, hash_token(token), self._clock.now())
        return _with_cookie(request, as_json(GuestInfo(token), 201), token)

    async def post_link(self, request: Request) -> Response:
        """A code that lets another device be the same guest."""
        guest = await self._admission.need_guest(request)
        now = self._clock.now()
        # One code for each guest, so that nobody can fill the memory with them.
        self._links = {
            code: link for code, link in self._links.items() if link[1] > now and link[0] != guest
        }
        code = self._entropy.urlsafe(16)
        self._links[code] = (guest, now + _LINK_LIFE)
        return as_json(LinkCode(code), 201)

    async def post_claim(self, request: Request) -> Response:
        """Use such a code."""
        code = (await body(request, LinkCode)).code
        guest, until = self._links.pop(code, ("", 0))
        if until <= self._clock.now():
            raise ApiError(404, "not_found")
        token = self._entropy.urlsafe(_TOKEN_SIZE)
        await self._store.add_token(guest, hash_token(token), self._clock.now())
        return _with_cookie(request, as_json(GuestInfo(token), 201), token)


def _with_cookie(request: Request, response: Response, token: str) -> Response:
    """Let a browser keep the token where no script can read it."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=_COOKIE_AGE,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return response

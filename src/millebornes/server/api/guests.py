"""Guests: sign up, sign in on another device, sign out a device."""

import asyncio
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from millebornes.server.admission import COOKIE, Admission, cookie_of, hash_token, token_hash
from millebornes.server.clock import Clock
from millebornes.server.connections import Connections
from millebornes.server.devices import device_id, is_browser, label_of
from millebornes.server.entropy import Entropy
from millebornes.server.requests import ApiError, as_json, body
from millebornes.server.store import Device, Store
from millebornes.table.rest import DeviceInfo, GuestInfo, LinkCode, NewGuest

from .openapi import Operation

__all__ = ["Guests"]

_COOKIE_AGE = 400 * 24 * 3600
_LINK_LIFE = 10 * 60 * 1000
_TOKEN_SIZE = 32
"""Random bytes in a guest's token."""
_DEVICES = 20
"""Maximum number of devices of one guest."""


class _Link(NamedTuple):
    """What a link code stands for."""

    guest: str
    until: int
    made_by: str | None
    """Hash of the token of the device that created it."""


class Guests:
    """`/api/guests`."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        admission: Admission,
        connections: Connections,
    ) -> None:
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._admission = admission
        self._connections = connections
        self._links: dict[str, _Link] = {}
        """Links by code."""
        self._claiming = asyncio.Lock()
        """Only one claim at a time: counting devices and adding one must be atomic."""

    def operations(self) -> list[Operation]:
        """The operations of these paths."""
        return [
            Operation("POST", "/api/guests", self.post_guest, GuestInfo, NewGuest, 201, also=200),
            Operation("POST", "/api/guests/link", self.post_link, LinkCode, status=201),
            Operation(
                "POST", "/api/guests/claim", self.post_claim, GuestInfo, LinkCode, 201, also=200
            ),
            Operation("GET", "/api/guests/devices", self.get_devices, list[DeviceInfo]),
            Operation("DELETE", "/api/guests/devices/{device}", self.delete_device, DeviceInfo),
        ]

    async def post_guest(self, request: Request) -> Response:
        """Become a guest: programs get a token, browsers a cookie."""
        await body(request, NewGuest)
        if await self._admission.guest_of(request) is not None:
            return as_json(GuestInfo(None))
        self._admission.count_guest(request)
        token = self._entropy.urlsafe(_TOKEN_SIZE)
        guest, label = self._entropy.hex(16), label_of(request.headers)
        await self._store.add_guest(guest, hash_token(token), self._clock.now(), label)
        return _given(request, token)

    async def post_link(self, request: Request) -> Response:
        """Create a code that signs in another device as the same guest."""
        guest = await self._admission.need_guest(request)
        now = self._clock.now()
        # One code per guest, so that nobody can fill the memory with codes.
        self._links = {
            code: link
            for code, link in self._links.items()
            if link.until > now and link.guest != guest
        }
        code = self._entropy.urlsafe(16)
        self._links[code] = _Link(guest, now + _LINK_LIFE, token_hash(request))
        return as_json(LinkCode(code), 201)

    async def post_claim(self, request: Request) -> Response:
        """Sign in with such a code."""
        code = (await body(request, LinkCode)).code
        async with self._claiming:
            link = self._links.get(code)
            if link is None or link.until <= self._clock.now():
                raise ApiError(404, "not_found")
            guest = link.guest
            if await self._admission.guest_of(request) == guest:
                return as_json(GuestInfo(None))
            if len(await self._store.devices_of(guest)) >= _DEVICES:
                raise ApiError(409, "too_many_devices", {"most": _DEVICES})
            if self._links.pop(code, None) is None:  # revoked in the meantime
                raise ApiError(404, "not_found")
            token, label = self._entropy.urlsafe(_TOKEN_SIZE), label_of(request.headers)
            await self._store.add_token(guest, hash_token(token), self._clock.now(), label)
        return _given(request, token)

    async def get_devices(self, request: Request) -> Response:
        """List the devices where you are signed in, newest first."""
        guest = await self._admission.need_guest(request)
        devices = await self._store.devices_of(guest)
        return as_json([_info(request, device) for device in devices])

    async def delete_device(self, request: Request) -> Response:
        """Sign out one of your devices: its token is revoked, its sockets are closed with 4401."""
        guest = await self._admission.need_guest(request)
        for device in await self._store.devices_of(guest):
            if device_id(device.token_hash) == request.path_params["device"]:
                return await self._sign_out(request, device)
        raise ApiError(404, "not_found")

    async def _sign_out(self, request: Request, device: Device) -> Response:
        await self._store.remove_token(device.token_hash)
        self._connections.sign_out(device.token_hash)
        # A code created on that device must not let it back in.
        self._links = {
            code: link for code, link in self._links.items() if link.made_by != device.token_hash
        }
        response = as_json(_info(request, device))
        cookie = cookie_of(request)
        if cookie is not None and hash_token(cookie) == device.token_hash:
            _put_cookie(request, response, "", 0)
        return response


def _info(request: Request, device: Device) -> DeviceInfo:
    return DeviceInfo(
        device_id(device.token_hash),
        device.label or None,
        device.created,
        device.seen,
        device.token_hash == token_hash(request),
    )


def _given(request: Request, token: str) -> Response:
    """Return the token: in the body to a program, as an HttpOnly cookie to a browser."""
    if not is_browser(request.headers):
        return as_json(GuestInfo(token), 201)
    response = as_json(GuestInfo(None), 201)
    _put_cookie(request, response, token, _COOKIE_AGE)
    return response


def _put_cookie(request: Request, response: Response, token: str, age: int) -> None:
    response.set_cookie(
        COOKIE,
        token,
        max_age=age,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )

"""The security headers, and errors that reveal nothing."""

import json
from collections.abc import Mapping

import pytest

from millebornes.server.store import StoreError
from tests.virtual_time import ManualClock

from .local_app import PROGRAM, error_code, local_app
from .memory_store import MemoryStore


def check_headers(headers: Mapping[str, str]) -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'self'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "permissions-policy" in headers
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/health"),
        ("GET", "/api/tables/nope"),
        ("GET", "/nowhere"),
        ("POST", "/api/tables"),
        ("DELETE", "/api/tables"),
        ("GET", "/metrics"),
    ],
)
async def test_every_response_carries_the_security_headers(method: str, path: str) -> None:
    async with local_app() as app, app.http() as client:
        headers = (await client.request(method, path)).headers
    check_headers(headers)


class BrokenStore(MemoryStore):
    error: type[Exception] = ZeroDivisionError

    async def guest_of(self, token_hash: str) -> str | None:
        raise self.error(f"the token {token_hash}")


async def test_a_fault_of_the_server_is_told_like_any_error_and_says_nothing_else() -> None:
    async with local_app(store=BrokenStore()) as app:
        app.raises = False
        async with app.http(**PROGRAM) as client:
            answer = await client.get("/api/games")
    assert (answer.status_code, error_code(answer)) == (500, "server_failed")
    assert "token" not in answer.text
    check_headers(answer.headers)


async def test_whoever_asks_too_much_gets_the_security_headers_too() -> None:
    async with local_app(clock=ManualClock(), requests_per_second=1) as app, app.http() as client:
        answers = [await client.get("/api/health") for _ in range(4)]
        assert answers[-1].status_code == 429
        check_headers(answers[-1].headers)


async def test_a_denied_socket_carries_the_security_headers() -> None:
    async with local_app() as app, app.socket("nope", "nope") as wire:
        assert wire.denied == 404
        check_headers(wire.denial_headers)


async def test_a_socket_is_denied_while_the_store_cannot_be_read() -> None:
    store = BrokenStore()
    store.error = StoreError
    async with local_app(store=store) as app, app.socket("nope", "nope") as wire:
        assert (wire.accepted, wire.denied) == (False, 503)
        assert json.loads(wire.denial)["code"] == "cannot_write"
        check_headers(wire.denial_headers)

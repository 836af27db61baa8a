"""Tokens and the devices that hold them: who gets one, the list of them, signing one out."""

import asyncio
import json

import httpx
import pytest
from starlette.datastructures import Headers

from millebornes.server.admission import COOKIE, hash_token
from millebornes.server.devices import label_of
from millebornes.server.store import SEEN_EVERY, StoreError
from tests.virtual_time import ManualClock

from .local_app import ORIGIN, PROGRAM, LocalApp, error_code, local_app, open_table
from .memory_store import MemoryStore, SlowStore

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
DEVICES = "/api/guests/devices"
MOST = 20


async def devices(client: httpx.AsyncClient) -> list[dict[str, object]]:
    answer = await client.get(DEVICES)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, object]] = answer.json()
    return found


async def claim(app: LocalApp, owner: httpx.AsyncClient) -> httpx.Response:
    """Another device, a program, becomes the same guest."""
    code = (await owner.post("/api/guests/link")).json()
    async with app.http() as other:
        return await other.post("/api/guests/claim", json=code, headers=PROGRAM)


async def second(app: LocalApp, owner: httpx.AsyncClient) -> tuple[str, httpx.AsyncClient]:
    answer = await claim(app, owner)
    assert answer.status_code == 201, answer.text
    token = answer.json()["token"]
    return token, app.http(Authorization=f"Bearer {token}")


@pytest.mark.parametrize("mark", [{"Origin": ORIGIN}, {"Sec-Fetch-Site": "same-origin"}])
async def test_a_browser_gets_its_token_where_no_script_can_read_it(mark: dict[str, str]) -> None:
    async with local_app() as app, app.http(**PROGRAM, **mark) as browser:
        _, owner = await app.guest()
        async with owner:
            code = (await owner.post("/api/guests/link")).json()
        for path, sent in (("/api/guests", {}), ("/api/guests/claim", code)):
            answer = await browser.post(path, json=sent)
            assert (answer.status_code, answer.json()) == (201, {"token": None})
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=strict" in cookie
            assert browser.cookies[COOKIE] not in answer.text


async def test_a_program_gets_its_token_and_no_cookie() -> None:
    async with local_app() as app, app.http(**PROGRAM) as program:
        answer = await program.post("/api/guests", json={})
        claimed = await claim(app, app.http(**bearer(answer)))
        for given in (answer, claimed):
            assert given.status_code == 201
            assert len(given.json()["token"]) == 43
            assert "set-cookie" not in given.headers


def bearer(answer: httpx.Response) -> dict[str, str]:
    return {"Authorization": f"Bearer {answer.json()['token']}"}


async def test_devices_are_listed_with_what_people_call_them_and_nothing_of_the_token() -> None:
    clock = ManualClock()
    start = clock.now()
    headers = {"User-Agent": FIREFOX}
    async with local_app(clock=clock) as app, app.browser(**headers) as laptop:
        await laptop.post("/api/guests", json={})
        clock.advance(60)
        token, program = await second(app, laptop)
        async with program:
            mine, other = await devices(program)
            assert mine["is_this"]
            assert not other["is_this"]
            assert [one["is_this"] for one in await devices(laptop)] == [False, True]
        assert (mine["label"], other["label"]) == (None, "Firefox, Linux")
        assert (mine["created"], other["created"]) == (start + 60_000, start)
        assert mine["device"] != other["device"]
        told = json.dumps([mine, other])
        for secret in (token, laptop.cookies[COOKIE]):
            assert hash_token(secret)[:8] not in told
            assert secret[:8] not in told


@pytest.mark.parametrize("by", ["the list", "a socket"])
async def test_a_device_was_last_seen_when_it_was_used_to_within_a_day(by: str) -> None:
    clock = ManualClock()
    async with local_app(clock=clock) as app:
        token, owner = await app.guest()
        async with owner:
            table = await open_table(owner)
            _, other = await second(app, owner)
            await other.aclose()
            clock.advance(SEEN_EVERY / 1000)
            if by == "a socket":
                async with app.socket(table, token) as wire:
                    assert wire.accepted
            seen = [(one["is_this"], one["seen"]) for one in await devices(owner)]
            before = clock.now() - SEEN_EVERY
            assert sorted(seen) == [(False, before), (True, clock.now())]


class FullDisk(MemoryStore):
    async def note_seen(self, _token_hash: str, _now: int) -> None:
        raise StoreError("the disk is full")


async def test_a_full_disk_keeps_nobody_from_looking() -> None:
    async with local_app(store=FullDisk()) as app:
        _, owner = await app.guest()
        async with owner:
            assert len(await devices(owner)) == 1


async def test_a_device_that_is_signed_out_is_out_at_once() -> None:
    async with local_app() as app:
        token, owner = await app.guest()
        async with owner:
            table = await open_table(owner, players=2)
            other_table = await open_table(owner, players=2)
            lost, thief = await second(app, owner)
            async with (
                thief,
                app.socket(table, lost) as wire,
                app.socket(other_table, token) as own,
            ):
                await wire.next()
                await own.next()
                (device,) = [one for one in await devices(owner) if not one["is_this"]]
                answer = await owner.delete(f"{DEVICES}/{device['device']}")
                assert (answer.status_code, answer.json()) == (200, device)
                wire.say({"type": "chat", "text": "still here?"})
                assert await wire.end() == (4401, "signed out")
                for path in (DEVICES, "/api/games"):
                    denied = await thief.get(path)
                    assert (denied.status_code, error_code(denied)) == (401, "no_guest")
                async with app.socket(table, lost) as again:
                    assert again.denied == 404
                own.say({"type": "chat", "text": "I am"})
                said = await own.next()
                assert said["events"][0]["text"] == "I am"
            log = await app.server.store.log(table)
            assert not any(b"still here" in row.data for row in log)
            assert [one["is_this"] for one in await devices(owner)] == [True]


async def test_a_code_made_on_a_device_does_not_outlive_it() -> None:
    async with local_app() as app:
        _, owner = await app.guest()
        async with owner:
            _, thief = await second(app, owner)
            async with thief:
                code = (await thief.post("/api/guests/link")).json()
                (device,) = [one for one in await devices(owner) if not one["is_this"]]
                await owner.delete(f"{DEVICES}/{device['device']}")
                answer = await thief.post("/api/guests/claim", json=code)
                assert (answer.status_code, error_code(answer)) == (404, "not_found")
            assert len(await devices(owner)) == 1


async def test_signing_out_the_device_one_is_on_takes_its_cookie() -> None:
    async with local_app() as app, app.browser() as browser:
        await browser.post("/api/guests", json={})
        (device,) = await devices(browser)
        answer = await browser.delete(f"{DEVICES}/{device['device']}")
        assert answer.json()["is_this"]
        assert COOKIE not in browser.cookies
        assert (await browser.get(DEVICES)).status_code == 401
        # The next visitor with this browser is a new guest.
        assert (await browser.post("/api/guests", json={})).status_code == 201
        assert (await devices(browser))[0]["device"] != device["device"]


async def test_only_ones_own_devices_can_be_signed_out() -> None:
    async with local_app() as app:
        _, owner = await app.guest()
        _, stranger = await app.guest()
        async with owner, stranger, app.http(**PROGRAM) as nobody:
            (device,) = await devices(owner)
            answers = [
                await stranger.delete(f"{DEVICES}/{id_}")
                for id_ in (device["device"], "0" * 16, "x")
            ]
            assert {answer.status_code for answer in answers} == {404}
            assert len({answer.content for answer in answers}) == 1
            for answer in (
                await nobody.get(DEVICES),
                await nobody.delete(f"{DEVICES}/{device['device']}"),
            ):
                assert (answer.status_code, error_code(answer)) == (401, "no_guest")
            assert await devices(owner) == [device]
            async with app.http(Origin="http://evil.test") as page:
                foreign = await page.delete(f"{DEVICES}/{device['device']}")
                assert (foreign.status_code, error_code(foreign)) == (403, "foreign_origin")


async def test_devices_of_a_guest_are_limited_and_a_code_works_when_one_is_signed_out() -> None:
    async with local_app(requests_per_second=1000) as app:
        _, owner = await app.guest()
        async with owner:
            for _ in range(MOST - 1):
                assert (await claim(app, owner)).status_code == 201
            code = (await owner.post("/api/guests/link")).json()
            async with app.http(**PROGRAM) as phone:
                answer = await phone.post("/api/guests/claim", json=code)
                assert (answer.status_code, error_code(answer)) == (409, "too_many_devices")
                assert str(MOST) in answer.json()["sentence"]
                other = next(one for one in await devices(owner) if not one["is_this"])
                await owner.delete(f"{DEVICES}/{other['device']}")
                answer = await phone.post("/api/guests/claim", json=code)
                assert answer.status_code == 201
            assert len(await devices(owner)) == MOST


class Writing(MemoryStore):
    """A store that takes its time over a token."""

    def __init__(self) -> None:
        super().__init__()
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.is_asked = asyncio.Event()

    async def add_token(self, guest: str, token_hash: str, now: int, label: str = "") -> None:
        self.is_asked.set()
        await self.may_write.wait()
        await super().add_token(guest, token_hash, now, label)


async def test_a_device_that_is_being_added_is_counted() -> None:
    store = Writing()
    async with local_app(store=store, requests_per_second=1000) as app:
        _, owner = await app.guest()
        async with owner:
            for _ in range(MOST - 2):
                assert (await claim(app, owner)).status_code == 201
            store.may_write.clear()
            store.is_asked.clear()
            first = asyncio.create_task(claim(app, owner))
            await store.is_asked.wait()
            other = asyncio.create_task(claim(app, owner))
            for _ in range(50):
                await asyncio.sleep(0)
            store.may_write.set()
            assert [(await one).status_code for one in (first, other)] == [201, 409]
            assert len(await devices(owner)) == MOST


async def test_a_code_used_by_the_same_guest_makes_no_other_device() -> None:
    async with local_app() as app, app.browser() as browser:
        await browser.post("/api/guests", json={})
        cookie = browser.cookies[COOKIE]
        code = (await browser.post("/api/guests/link")).json()
        answer = await browser.post("/api/guests/claim", json=code)
        assert (answer.status_code, answer.json()) == (200, {"token": None})
        assert browser.cookies[COOKIE] == cookie
        assert len(await devices(browser)) == 1


async def test_a_socket_that_is_just_being_opened_is_closed_as_well() -> None:

    async def opened_while_signed_out(
        app: LocalApp, owner: httpx.AsyncClient, table: str, steps: int
    ) -> str:
        lost, thief = await second(app, owner)
        await thief.aclose()
        (device,) = [one for one in await devices(owner) if not one["is_this"]]
        signing_out = asyncio.create_task(owner.delete(f"{DEVICES}/{device['device']}"))
        for _ in range(steps):
            await asyncio.sleep(0)
        async with app.socket(table, lost) as wire:
            assert (await signing_out).status_code == 200
            if wire.denied is not None:
                assert wire.denied == 404
                return "denied"
            assert await wire.end() == (4401, "signed out")
            return "closed"

    clock = ManualClock()
    async with local_app(store=SlowStore(), clock=clock, requests_per_second=1000) as app:
        _, owner = await app.guest()
        async with owner:
            table = await open_table(owner)
            ends = [await opened_while_signed_out(app, owner, table, n) for n in range(40)]
            assert set(ends) == {"denied", "closed"}


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        (FIREFOX, "Firefox, Linux"),
        (IPHONE, "Safari, iPhone"),
        ("(Linux; Android 10; K) Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome, Android"),
        ("(Android 10) SamsungBrowser/28.0 Chrome/130 Safari/537", "Samsung Internet, Android"),
        ("(Windows NT 10.0; Win64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("(Windows NT 10.0; Win64) Chrome/140.0 Safari/537.36 OPR/120.0", "Opera, Windows"),
        ("(Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605", "Safari, macOS"),
        ("(iPad; CPU OS 18_5 like Mac OS X) CriOS/140.0 Safari/604.1", "Chrome, iPad"),
        ("(X11; CrOS x86_64 14541.0.0) Chrome/140.0 Safari/537.36", "Chrome, ChromeOS"),
        ("(Windows NT 10.0) SomethingElse/1.0", "Windows"),
        ("<script>alert(1)</script>", ""),
        ("", ""),
    ],
)
def test_a_label_is_made_of_our_own_words(agent: str, label: str) -> None:
    assert label_of(Headers({"Origin": ORIGIN, "User-Agent": agent})) == label
    assert label_of(Headers({"User-Agent": agent})) == ""  # a program, whatever it says


async def test_a_link_code_moves_a_guest_to_another_device_once_and_in_time() -> None:
    clock = ManualClock()
    async with local_app(clock=clock) as app, app.browser() as phone:
        _, laptop = await app.guest()
        async with laptop:
            table = await open_table(laptop)
            code = (await laptop.post("/api/guests/link")).json()
            claimed = await phone.post("/api/guests/claim", json=code)
            assert claimed.status_code == 201
            assert "httponly" in claimed.headers["set-cookie"].lower()
            assert (await phone.get(f"/api/tables/{table}")).json()["you"] == 0
            assert (await laptop.get(f"/api/tables/{table}")).json()["you"] == 0
            again = await phone.post("/api/guests/claim", json=code)
            assert (again.status_code, error_code(again)) == (404, "not_found")
            late = (await laptop.post("/api/guests/link")).json()
            clock.advance(10 * 60)
            assert (await phone.post("/api/guests/claim", json=late)).status_code == 404
            first = (await laptop.post("/api/guests/link")).json()
            second = (await laptop.post("/api/guests/link")).json()
            assert (await phone.post("/api/guests/claim", json=first)).status_code == 404
            # It is that guest already, and needs no other token.
            assert (await phone.post("/api/guests/claim", json=second)).status_code == 200

"""Who may do what, from where, how often; and what browsers are told."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator, Mapping

import pytest
from starlette.datastructures import Headers

from millebornes.server.admission import address_key, hash_token, is_origin_allowed
from millebornes.server.limits import Buckets
from millebornes.server.logs import Lines, redacted, set_up_logs
from millebornes.server.store import StoreError
from millebornes.table import inputs
from tests.virtual_time import ManualClock, on_virtual_time

from .local_app import HOST, ORIGIN, PROGRAM, LocalApp, local_app, virtual_app
from .memory_store import MemoryStore, SlowStore
from .test_api import code_of, open_table

OTHERS = [
    "http://evil.test",
    "https://evil.test",
    f"http://{HOST}.evil.test",
    f"http://{HOST}:8080",
    f"http://evil.test/{HOST}",
    f"ftp://{HOST}",
    f"http://{HOST}/",
    f"http://user@{HOST}",
    "null",
    "",
    "http://[",
    "http://\xe9",
]


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
    assert (answer.status_code, code_of(answer)) == (500, "server_failed")
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


async def test_a_browsers_token_is_in_a_cookie_that_no_script_and_no_other_site_can_use() -> None:
    async with local_app() as app, app.browser() as browser:
        answer = await browser.post("/api/guests", json={})
        assert answer.status_code == 201
        name, *flags = answer.headers["set-cookie"].split("; ")
        assert name.startswith("millebornes_guest=")
        said = {flag.lower() for flag in flags}
        assert {"httponly", "samesite=strict", "path=/"} <= said
        assert "secure" not in said  # a home network has no https
        assert not any(flag.startswith("domain") for flag in said)
        again = await browser.post("/api/guests", json={})
        assert (again.status_code, again.json()) == (200, {"token": None})
        async with app.browser() as other:
            safe = await other.post(
                f"https://{HOST}/api/guests", headers={"Origin": f"https://{HOST}"}, json={}
            )
            assert "secure" in safe.headers["set-cookie"].lower()


async def test_tokens_have_256_bits_and_only_their_hashes_are_kept() -> None:
    async with local_app() as app:
        tokens = {(await app.guest())[0] for _ in range(5)}
        assert len(tokens) == 5
        assert all(len(token) == 43 for token in tokens)
        store = app.server.store
        rows = list(store._reader.execute("SELECT * FROM tokens"))  # type: ignore[attr-defined]
        assert {row[0] for row in rows} == {hash_token(token) for token in tokens}
        kept = repr(rows) + repr(list(store._reader.execute("SELECT * FROM guests")))  # type: ignore[attr-defined]
        assert not any(token in kept for token in tokens)


@pytest.mark.parametrize("origin", OTHERS)
async def test_a_foreign_origin_is_refused_on_http_and_websocket(origin: str) -> None:
    async with local_app() as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
            headers = {b"Origin": origin.encode("latin-1")}
            for method, path in (
                ("POST", "/api/tables"),
                ("POST", "/api/guests"),
                ("GET", f"/api/tables/{table}"),
            ):
                answer = await host.request(method, path, headers=headers)
                assert (answer.status_code, code_of(answer)) == (403, "foreign_origin")
            both = {"Authorization": f"Bearer {token}", "Origin": origin}
            async with app.wire(f"/api/tables/{table}/socket", both) as wire:
                assert (wire.accepted, wire.denied) == (False, 403)


@pytest.mark.parametrize("host", [HOST, "192.168.1.23:8954", "[fe80::1]:8954", "my-pc.local:8954"])
async def test_our_own_pages_may_talk_to_us_under_any_address_of_ours(host: str) -> None:
    async with local_app(hosts=(HOST, "my-pc.local")) as app, app.http() as browser:
        own = {"Host": host, "Origin": f"http://{host}"}
        assert (await browser.post("/api/guests", json={}, headers=own)).status_code == 201
        created = await browser.post("/api/tables", json={"name": "Ada"}, headers=own)
        assert created.status_code == 201
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        path = f"/api/tables/{created.json()['table']}/socket"
        async with app.wire(path, {**own, "Cookie": cookie}) as wire:
            assert wire.accepted


async def test_the_operator_can_allow_other_origins() -> None:
    async with local_app(origins=("https://friends.test",)) as app, app.http() as client:
        for origin, status in (("https://friends.test", 201), ("http://friends.test", 403)):
            headers = {"Origin": origin}
            answer = await client.post("/api/guests", json={}, headers=headers)
            assert answer.status_code == status


def test_an_https_server_does_not_trust_http_pages_but_a_proxy_may_end_the_encryption() -> None:
    asked = {"host": "play.test"}
    for scheme, origin, allowed in (
        ("https", "https://play.test", True),
        ("https", "http://play.test", False),
        ("wss", "http://play.test", False),
        ("http", "https://play.test", True),
        ("ws", "https://play.test", True),
        ("http", "http://play.test", True),
    ):
        headers = Headers({**asked, "origin": origin})
        assert is_origin_allowed(headers, scheme, (), False) is allowed


async def test_a_missing_origin_is_accepted_only_with_a_bearer_token() -> None:
    async with local_app() as app, app.browser() as browser:
        await browser.post("/api/guests", json={})
        table = await open_table(browser)
        cookie = f"millebornes_guest={browser.cookies['millebornes_guest']}"
        path = f"/api/tables/{table}/socket"
        async with app.http(Cookie=cookie) as bare:
            answer = await bare.post("/api/tables", json={"name": "Ada"})
            assert (answer.status_code, code_of(answer)) == (403, "foreign_origin")
            assert (await bare.get(f"/api/tables/{table}")).json()["you"] == 0
        async with app.wire(path, {"Cookie": cookie}) as wire:
            assert wire.denied == 403
        async with app.wire(path, {"Cookie": cookie, "Origin": ORIGIN}) as wire:
            assert wire.accepted
        token = browser.cookies["millebornes_guest"]
        async with app.wire(path, {"Authorization": f"Bearer {token}"}) as wire:
            assert wire.accepted


def wrong_tokens(token: str) -> list[str]:
    return [
        "",
        "none",
        token[:-1],
        token + "A",
        token.swapcase(),
        token[::-1],
        hash_token(token),
        "A" * 43,
        "\xe9" * 43,
        "' OR 1=1 --",
        f"{token} {token}",
    ]


async def test_a_wrong_token_opens_nothing_in_any_form() -> None:
    async with local_app(requests_per_second=1000) as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
        for wrong in wrong_tokens(token):
            for name, value in (
                ("Authorization", f"Bearer {wrong}"),
                ("Authorization", f"Basic {token}"),
                ("Cookie", f"millebornes_guest={wrong}"),
            ):
                given = {name.encode(): value.encode("latin-1"), b"Origin": ORIGIN.encode()}
                async with app.http() as thief:
                    games = await thief.get("/api/games", headers=given)
                    assert (games.status_code, code_of(games)) == (401, "no_guest")
                    seen = await thief.get(f"/api/tables/{table}", headers=given)
                    assert seen.json()["you"] is None
                    assert seen.json()["member"] is None
                    link = await thief.post("/api/guests/link", headers=given)
                    assert link.status_code == 401
                texts = {key.decode(): item.decode("latin-1") for key, item in given.items()}
                async with app.wire(f"/api/tables/{table}/socket", texts) as wire:
                    assert (wire.accepted, wire.denied) == (False, 404)


async def test_unknown_tables_foreign_tables_and_wrong_tokens_look_the_same() -> None:
    async with local_app() as app:
        _, host = await app.guest()
        other, stranger = await app.guest()
        async with host, stranger:
            table = await open_table(host)
            denials = []
            for path, token in (
                (table, other),  # there is such a table, but not for this guest
                ("A" * 22, other),
                (table, "wrong"),
                ("x", "wrong"),
                (table[:-1], other),
            ):
                headers = {"Authorization": f"Bearer {token}"}
                async with app.wire(f"/api/tables/{path}/socket", headers) as wire:
                    denials.append((wire.accepted, wire.denied, wire.denial))
            assert len(set(denials)) == 1
            assert denials[0][:2] == (False, 404)
            answers = [
                await stranger.get(path)
                for path in (
                    "/api/tables/nope",
                    f"/api/tables/{table[:-1]}",
                    f"/api/tables/{table}/record",  # there is a table, but no record yet
                    "/api/tables/nope/record",
                    "/api/games/nope",
                    "/api/nope",
                )
            ]
            assert {answer.status_code for answer in answers} == {404}
            assert len({answer.content for answer in answers}) == 1
            assert len({tuple(answer.headers.items()) for answer in answers}) == 1


async def test_table_ids_have_128_bits_and_appear_in_no_public_list() -> None:
    async with local_app(requests_per_second=1000) as app:
        _, host = await app.guest()
        async with host, app.http() as stranger:
            tables = [await open_table(host) for _ in range(10)]
            assert len(set(tables)) == 10
            assert all(len(table) == 22 for table in tables)
            for path in ("/api/lobby", "/metrics", "/api/openapi.json"):
                text = (await stranger.get(path)).text
                assert not any(table in text for table in tables)


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
            assert (again.status_code, code_of(again)) == (404, "not_found")
            late = (await laptop.post("/api/guests/link")).json()
            clock.advance(10 * 60)
            assert (await phone.post("/api/guests/claim", json=late)).status_code == 404
            first = (await laptop.post("/api/guests/link")).json()
            second = (await laptop.post("/api/guests/link")).json()
            assert (await phone.post("/api/guests/claim", json=first)).status_code == 404
            # It is that guest already, and needs no other token.
            assert (await phone.post("/api/guests/claim", json=second)).status_code == 200


def test_a_bucket_fills_again_with_time_and_never_overflows() -> None:
    clock = ManualClock()
    buckets = Buckets(clock, burst=3, per_second=2)
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]
    assert buckets.take("b")
    clock.advance(0.5)
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    clock.advance(1000)
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]


def test_buckets_forget_the_oldest_when_there_are_too_many() -> None:
    buckets = Buckets(ManualClock(), burst=1, per_second=1, most=10)
    for number in range(100):
        buckets.take(str(number))
    assert len(buckets._kept) == 10


def test_addresses_are_counted_as_people_have_them() -> None:
    assert address_key("10.0.0.1") != address_key("10.0.0.2")
    assert address_key("::ffff:10.0.0.1") == address_key("10.0.0.1")
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff:ffff:ffff:ffff")
    assert address_key("2001:db8::1") != address_key("2001:db8:0:1::1")
    assert address_key("fe80::1%eth0") == address_key("fe80::2%eth0")
    assert address_key("a name") == "a name"


async def test_requests_are_limited_for_each_address() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, requests_per_second=2) as app, app.http() as client:
        answers = [await client.get("/api/health") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 6 + [429]
        assert code_of(answers[-1]) == "too_many"
        async with app.http("10.0.0.9") as other:
            assert (await other.get("/api/health")).status_code == 200
        clock.advance(1)
        assert (await client.get("/api/health")).status_code == 200


async def test_new_guests_are_limited_for_each_address() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, guests_per_minute=3) as app, app.http() as client:
        statuses = []
        for _ in range(4):
            statuses.append((await client.post("/api/guests", headers=PROGRAM)).status_code)
            client.cookies.clear()
        assert statuses == [201, 201, 201, 429]
        async with app.http("10.0.0.9") as other:
            assert (await other.post("/api/guests", headers=PROGRAM)).status_code == 201
        clock.advance(20)
        assert (await client.post("/api/guests", headers=PROGRAM)).status_code == 201


async def table_with_host(app: LocalApp) -> tuple[str, str]:
    token, host = await app.guest()
    async with host:
        return token, await open_table(host)


async def test_whoever_says_too_much_is_dropped_and_may_come_back() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, messages_per_second=2) as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            for _ in range(6):
                wire.say({"type": "chat", "text": "hello"})
            for _ in range(6):
                await wire.next()
            clock.advance(1)
            wire.say({"type": "chat", "text": "again"})
            wire.say({"type": "chat", "text": "again"})
            wire.say({"type": "chat", "text": "too much"})
            assert (await wire.end())[0] == 4429
        async with app.socket(table, token) as wire:
            assert wire.accepted


async def test_talk_is_limited_more_than_what_is_played_and_only_refused() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, messages_per_second=100) as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await wire.next()
            for _ in range(14):  # one less than 15: to come here was the first
                wire.say(TALK[0])
            for talk in TALK:
                wire.say(talk)
                assert (await wire.next("rejected"))["code"] == "too_many"
                assert not wire.closed
            wire.say({"type": "start"})
            assert (await wire.next("rejected"))["code"] == "seats_empty"
            clock.advance(0.5)
            wire.say({"type": "chat", "text": "again"})
            assert (await wire.next())["events"][0]["text"] == "again"


TALK = (
    {"type": "chat", "text": "hello"},
    {"type": "emote", "emote": "bravo"},
    {"type": "join", "name": "Ada"},
    {"type": "mute", "member": 0},
    {"type": "leave"},
    {"type": "return"},
    {"type": "sit", "seat": 1},
    {"type": "stand"},
    {"type": "add_bot", "seat": 1, "level": "sunday-driver"},
    {"type": "kick", "seat": 1},
    {"type": "back", "decision": 1},
)


async def test_one_guest_opens_only_so_many_tables_even_over_a_restart() -> None:
    store = MemoryStore()
    async with local_app(store=store, tables_per_guest=2) as app:
        token, host = await app.guest()
        _, other = await app.guest()
        async with host, other:
            opened = [host.post("/api/tables", json={"name": "Ada"}) for _ in range(4)]
            answers = await asyncio.gather(*opened)
            assert sorted(a.status_code for a in answers) == [201, 201, 429, 429]
            await open_table(other)
    async with (
        local_app(store=store, tables_per_guest=2) as app,
        app.http(Authorization=f"Bearer {token}") as host,
    ):
        again = await host.post("/api/tables", json={"name": "Ada"})
        assert (again.status_code, code_of(again)) == (429, "too_many_tables")
        room = next(iter(app.server.hub))
        await room.put(None, inputs.Shut("idle"))
        await open_table(host)


async def test_sockets_are_limited_for_each_address() -> None:
    async with local_app(sockets_per_address=2) as app:
        token, table = await table_with_host(app)
        second, other_table = await table_with_host(app)
        third, third_table = await table_with_host(app)
        async with app.socket(table, token), app.socket(other_table, second):
            async with app.socket(third_table, third) as wire:
                assert (wire.accepted, wire.denied) == (False, 429)
            async with app.socket(third_table, third, address="10.0.0.9") as wire:
                assert wire.accepted
        async with app.socket(third_table, third) as wire:
            assert wire.accepted


async def test_sockets_opened_all_at_once_are_limited_while_the_store_takes_its_time() -> None:
    most = 4
    async with local_app(store=SlowStore(), sockets_per_address=most) as app:
        places = [await table_with_host(app) for _ in range(2 * most)]
        wires = [app.socket(table, token) for token, table in places]
        await asyncio.gather(*(wire.__aenter__() for wire in wires))
        assert [wire.accepted for wire in wires].count(True) == most
        assert [wire.denied for wire in wires].count(429) == most
        await asyncio.gather(*(wire.hang_up() for wire in wires))
        token, table = places[-1]
        async with app.socket(table, token) as wire:  # every place was given back
            assert wire.accepted


async def test_a_socket_whose_guest_is_looked_up_while_the_server_stops_is_turned_away() -> None:
    store = SlowStore()
    async with local_app(store=store) as app:
        token, table = await table_with_host(app)
        opening = asyncio.ensure_future(app.socket(table, token).__aenter__())
        await asyncio.sleep(0)
        await app.server.say_stopping()
        wire = await opening
        assert (wire.accepted, wire.denied) == (False, 503)


async def test_tables_opened_all_at_once_are_limited_while_the_store_takes_its_time() -> None:
    async with local_app(store=SlowStore(), max_tables=3) as app:
        guests = [client for _, client in [await app.guest() for _ in range(6)]]
        opened = [client.post("/api/tables", json={"name": "Ada"}) for client in guests]
        answers = await asyncio.gather(*opened)
        assert sorted(answer.status_code for answer in answers) == [201] * 3 + [503] * 3
        assert len(app.server.hub) == 3
        for client in guests:
            await client.aclose()


async def test_opening_sockets_counts_as_requests() -> None:
    async with local_app(clock=ManualClock(), requests_per_second=1) as app:
        denied = []
        for _ in range(5):
            async with app.socket("nope", "nope") as wire:
                denied.append(wire.denied)
        assert denied == [404, 404, 404, 429, 429]


async def test_a_message_of_more_than_4_kib_is_refused_and_the_connection_goes_on() -> None:
    async with local_app() as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await wire.next()
            wire.say({"type": "chat", "text": "x" * 4096})
            assert (await wire.next("rejected"))["code"] == "message_too_long"
            wire.say({"type": "chat", "text": "x"})
            await wire.next()


@pytest.mark.parametrize("as_bytes", [False, True])
async def test_the_4_kib_of_a_message_are_bytes_and_not_characters(as_bytes: bool) -> None:
    def of_length(size: int) -> str | bytes:
        said = json.dumps({"type": "chat", "text": "é" * 400}, ensure_ascii=False)
        text = said + " " * (size - len(said.encode()))
        assert len(text) < 4096
        return text.encode() if as_bytes else text

    async with local_app() as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await wire.next()
            wire.say(of_length(4097))
            assert (await wire.next("rejected"))["code"] == "message_too_long"
            wire.say(of_length(4096))
            (event,) = (await wire.next())["events"]
            assert event["text"] == "é" * 400
            wire.say('{"type": "chat", "text": "\ud83d"}')
            assert (await wire.next("rejected"))["code"] == "bad_message"


async def test_chat_is_passed_on_as_text_composed_and_without_tricks() -> None:
    async with local_app() as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await wire.next()
            said = "<script>alert('e\u0301')</script>\u202e\u0000\u200b"
            wire.say({"type": "chat", "text": said})
            (event,) = (await wire.next())["events"]
            assert event["text"] == "<script>alert('\u00e9')</script>"
            wire.say({"type": "chat", "text": "x" * 501})
            assert (await wire.next("rejected"))["code"] == "bad_message"
            wire.say({"type": "chat", "text": "\u200b"})
            assert (await wire.next("rejected"))["code"] == "nothing_said"


async def test_a_server_that_stops_tells_its_clients_first_and_takes_no_new_ones() -> None:
    async with local_app() as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await app.server.say_stopping()
            assert await wire.end() == (1012, "the server restarts")
            assert json.loads(wire.frames[-1]) == {"type": "stopping"}
            async with app.socket(table, token) as late:
                assert (late.accepted, late.denied) == (False, 503)


@pytest.mark.parametrize("awaited", ["a person with a clock", "bots"])
@on_virtual_time
async def test_a_server_that_stops_halts_its_tables_before_clients_hear_of_it(awaited: str) -> None:
    store = MemoryStore()
    async with virtual_app(store=store) as app:
        token, host = await app.guest()
        async with (
            host,
            app.socket(table := await open_table(host, practice=True, clock=5_000), token) as wire,
        ):
            wire.say({"type": "add_bot", "seat": 1, "level": "sunday-driver"})
            wire.say({"type": "start"})
            if awaited == "bots":
                wire.say({"type": "leave"})
            while not (hand := (await wire.next())["table"]["hand"]):
                pass
            while awaited != "bots" and not hand["legal_moves"]:
                hand = (await wire.next())["table"]["hand"]
            await app.server.say_stopping()
            rows = list(store.logs[table])
            assert json.loads(wire.frames[-1]) == {"type": "stopping"}
            await asyncio.sleep(600)  # nothing of this counts, nor that they have gone
            assert store.logs[table] == rows
            answer = await host.post("/api/tables", json={"name": "Ada"})
            assert (answer.status_code, code_of(answer)) == (503, "server_stopping")


async def test_old_games_are_forgotten_at_the_start_and_once_a_day() -> None:
    clock, store = ManualClock(), MemoryStore()
    start, day = clock.now(), 24 * 3600
    async with local_app(clock=clock, store=store, retention_days=30) as app:
        await asyncio.sleep(0)  # it is done while tables are served already
        assert store.forgotten == [start - 30 * day * 1000]
        clock.advance(day - 1)
        await app.server._forget_old()
        assert len(store.forgotten) == 1
        clock.advance(1)
        await app.server._forget_old()
        await app.server._forget_old()
        assert store.forgotten[1:] == [start - 29 * day * 1000]
    store.forgotten.clear()
    async with local_app(clock=clock, store=store, retention_days=0):
        await asyncio.sleep(0)
        assert store.forgotten == []


# The log


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the operator would read. The loggers are put back as they were."""
    root = logging.getLogger()
    before = (root.level, root.handlers[:])
    stream = io.StringIO()
    set_up_logs("debug", stream)
    yield stream
    root.setLevel(before[0])
    root.handlers[:] = before[1]


def test_the_log_is_one_json_object_a_line_without_secrets(log: io.StringIO) -> None:
    token = "Zm9vYmFyYmF6cXV4" * 3
    logging.getLogger("uvicorn.error").warning("WebSocket /api/tables/abc/socket?x=1 %s", token)
    try:
        raise ValueError("the hand holds ACE")
    except ValueError:
        logging.getLogger("millebornes.server.room").exception("it failed\nbadly")
    first, second = map(json.loads, log.getvalue().splitlines())
    assert first["message"] == "WebSocket /api/tables/***/socket?x=1 ***"
    assert (first["level"], first["from"]) == ("warning", "uvicorn.error")
    assert (second["level"], second["error"]) == ("error", "ValueError")
    assert "test_security.py" in second["where"]
    assert "ACE" not in log.getvalue()


def test_words_in_log_messages_stay_readable() -> None:
    for text in (
        "retention: 3 old tables and games deleted",
        "a bot of level sunday-driver overran or died; replacing the workers",
        "websockets_sansio_impl.py:120 handle_connect",
        "serving on http://192.168.100.200:8954, http://[2001:db8::1]:8954",
    ):
        assert redacted(text) == text
    assert isinstance(Lines(), logging.Formatter)

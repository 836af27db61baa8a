"""Who may talk to the server: tokens, cookies and origins."""

import pytest
from starlette.datastructures import Headers

from millebornes.server.admission import address_key, hash_token, is_origin_allowed

from .local_app import HOST, ORIGIN, error_code, local_app, open_table

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
                    assert (games.status_code, error_code(games)) == (401, "no_guest")
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
                assert (answer.status_code, error_code(answer)) == (403, "foreign_origin")
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
            assert (answer.status_code, error_code(answer)) == (403, "foreign_origin")
            assert (await bare.get(f"/api/tables/{table}")).json()["you"] == 0
        async with app.wire(path, {"Cookie": cookie}) as wire:
            assert wire.denied == 403
        async with app.wire(path, {"Cookie": cookie, "Origin": ORIGIN}) as wire:
            assert wire.accepted
        token = browser.cookies["millebornes_guest"]
        async with app.wire(path, {"Authorization": f"Bearer {token}"}) as wire:
            assert wire.accepted


def test_addresses_are_counted_as_people_have_them() -> None:
    assert address_key("10.0.0.1") != address_key("10.0.0.2")
    assert address_key("::ffff:10.0.0.1") == address_key("10.0.0.1")
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff:ffff:ffff:ffff")
    assert address_key("2001:db8::1") != address_key("2001:db8:0:1::1")
    assert address_key("fe80::1%eth0") == address_key("fe80::2%eth0")
    assert address_key("a name") == "a name"

"""A request that asks for a name which is not ours is refused: no page elsewhere borrows us."""

import socket

import pytest

from millebornes.server.config import Config
from millebornes.server.hosts import Hosts, hosts_of, names_of_this_machine
from millebornes.server.pages import Body, Page, Pages

from .local_app import HOST, PROGRAM, error_code, local_app, open_table

OWN = socket.gethostname().lower()
PAGES = Pages(
    {
        name: Page("text/plain", "no-cache", {"": Body(name.encode(), f'"{name}"')})
        for name in ("index.html", "app.js")
    }
)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.0.0.1:8954", "192.168.1.23:8954", "203.0.113.9"),
        *("[::1]", "[::1]:8954", "[fe80::1]:8954", "[fe80::1%eth0]:8954"),
        *("localhost", "LocalHost:8954", "localhost.", "game.localhost:1"),
        *("play.example.org", "PLAY.example.org:443", "play.example.org."),
        *("pages.example.net", "pages.example.net:8443", "lan-name", "lan-name:8954"),
        *(OWN, f"{OWN}:8954", f"{OWN.partition('.')[0]}.local", f"{OWN.partition('.')[0]}.lan:1"),
    ],
)
def test_addresses_localhost_and_the_names_of_this_server_are_ours(host: str) -> None:
    config = Config(
        host="lan-name", hosts=("Play.example.org",), origins=("https://pages.example.net:8443",)
    )
    assert hosts_of(config).has(host.encode())


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8954", "127.0.0.1.evil.example", "localhost.evil.example"),
        *("notlocalhost", "play.example.org.evil.example", "example.org", "x.play.example.org"),
        *("[evil.example]", "[", "[]", "127.0.0.1@evil.example", "1.2.3", "127.1", "0x7f.1"),
        *(" ", ":8954", "é", "a" * 300, "127.0.0.1" + " " * 300),
        f"{OWN.partition('.')[0]}.evil.example",
    ],
)
def test_any_other_name_is_not(host: str) -> None:
    assert not hosts_of(Config(hosts=("play.example.org",))).has(host.encode())


def test_a_machine_is_known_by_what_home_networks_call_it() -> None:
    assert set(names_of_this_machine("Box.example.org")) == {
        *("box.example.org", "box", "box.local", "box.lan", "box.home", "box.home.arpa"),
        "box.internal",
    }


def test_nothing_is_remembered_of_hosts_that_are_too_long() -> None:
    hosts = Hosts(())
    for count in range(2000):
        assert not hosts.has(b"x" * 1000 + str(count).encode())
    assert hosts._has.cache_info().currsize == 0
    for count in range(2000):
        assert not hosts.has(b"x" + str(count).encode())
    assert hosts._has.cache_info().currsize == 1000


FOREIGN = {"Host": "evil.example:8954"}


async def test_a_foreign_host_is_refused_on_the_interface_the_pages_and_the_sockets(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with local_app(pages=PAGES) as app:
        token, client = await app.guest()
        async with client:
            table = await open_table(client)
            refused = await client.get("/api/health", headers=FOREIGN)
            assert (refused.status_code, error_code(refused)) == (421, "foreign_host")
            assert "evil.example:8954" in refused.json()["sentence"]
            assert "“hosts”" in refused.json()["sentence"]
            assert refused.headers["x-content-type-options"] == "nosniff"
            french = await client.get("/api/health?lang=fr", headers=FOREIGN)
            assert "ne porte pas le nom" in french.json()["sentence"]
            for path in ("/", f"/t/{table}", "/app.js", "/metrics", "/nowhere"):
                assert (await client.get(path)).status_code in (200, 404), path
                answer = await client.get(path, headers=FOREIGN)
                assert answer.status_code == 421, path
                assert answer.headers["content-type"].startswith("text/plain")
                assert "does not go by the name evil.example:8954" in answer.text
                assert answer.headers["content-security-policy"]
            for path in ("/api/guests", "/api/tables"):
                sent = await client.post(path, json={"name": "Ada"}, headers=FOREIGN)
                assert sent.status_code == 421, path
        path = f"/api/tables/{table}/socket"
        bearer = {"Authorization": f"Bearer {token}"}
        async with app.wire(path, {**bearer, **FOREIGN}) as wire:
            assert wire.denied == 421
            assert b"foreign_host" in wire.denial
            assert wire.denial_headers["x-content-type-options"] == "nosniff"
        async with app.wire(path, bearer) as wire:
            assert wire.accepted
    logged = [record for record in caplog.records if "evil.example" in record.getMessage()]
    assert len(logged) == 1
    assert "hosts" in logged[0].getMessage()


async def test_a_page_elsewhere_that_points_its_name_to_us_becomes_no_guest() -> None:
    async with local_app() as app, app.http() as browser:
        own = {"Host": "rebound.example", "Origin": "http://rebound.example"}
        answer = await browser.post("/api/guests", json={}, headers=own)
        assert answer.status_code == 421
        assert "set-cookie" not in answer.headers


async def test_a_program_without_a_host_is_let_in_and_of_several_every_one_must_be_ours() -> None:
    async with local_app() as app, app.http(**PROGRAM) as program:
        assert (await program.get("/api/health", headers={"Host": ""})).status_code == 200
        for pair in ((HOST, "evil.example"), ("evil.example", HOST)):
            headers = [("Host", host) for host in pair]
            assert (await program.get("/api/health", headers=headers)).status_code == 421


async def test_only_some_names_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with local_app() as app, app.http() as client:
        for number in range(60):
            headers = {"Host": f"evil-{number % 30}.example"}
            assert (await client.get("/", headers=headers)).status_code == 421
    assert sum("evil-" in record.getMessage() for record in caplog.records) == 20


def test_a_proxy_without_a_public_name_is_warned_of_at_the_start(
    caplog: pytest.LogCaptureFixture,
) -> None:
    hosts_of(Config(trust_proxy=True, hosts=("play.example.org",)))
    hosts_of(Config(trust_proxy=True, origins=("https://play.example.org",)))
    hosts_of(Config())
    assert caplog.records == []
    hosts_of(Config(trust_proxy=True))
    assert "--hosts" in caplog.text

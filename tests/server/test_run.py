"""The server process: how it starts, reports errors and stops."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from millebornes.client import Client
from millebornes.server.bot_workers import LocalThinkers
from millebornes.server.config import Config
from millebornes.server.run import StartError, addresses, bind, prepare, start
from millebornes.server.server import Server
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from tests.server_process import PATIENCE, ServerProcess, server_process

from .fork_server import ForkServer


def try_to_start(config: Config) -> None:
    async def main() -> None:
        server = prepare(config, thinkers=LocalThinkers())
        await start(server)
        await server.stop()

    asyncio.run(main())


def test_a_port_in_use_is_said_with_what_to_do() -> None:
    with bind("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(StartError) as refused:
            bind("127.0.0.1", port)
    assert f"port {port} of 127.0.0.1 is in use" in str(refused.value)
    assert "--port" in str(refused.value)
    bind("127.0.0.1", port).close()


@pytest.mark.parametrize("host", ["203.0.113.7", "no such host", "::ffff:203.0.113.7"])
def test_an_address_that_is_not_ours_is_said(host: str) -> None:
    with pytest.raises(StartError, match="cannot listen on"):
        bind(host, 0)


def test_the_addresses_to_open_are_told() -> None:
    with bind("127.0.0.1", 0) as own:
        port = own.getsockname()[1]
        assert addresses(own) == [f"http://127.0.0.1:{port}"]
    with socket.socket() as everywhere:  # bound, never listening
        everywhere.bind(("0.0.0.0", 0))
        port = everywhere.getsockname()[1]
        found = addresses(everywhere)
    assert found[0] == f"http://127.0.0.1:{port}"
    assert all(address.endswith(f":{port}") for address in found)
    assert not any("0.0.0.0" in address for address in found)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(StartError, match="cannot create the folder") as refused:
        try_to_start(Config(database=str(file / "below" / "tables.sqlite")))
    assert "--database" in str(refused.value)


def test_a_folder_in_place_of_the_database_is_said(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="is a folder"):
        try_to_start(Config(database=str(tmp_path)))


def test_a_file_that_is_no_database_is_said_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada, " * 1000, encoding="utf-8")
    with pytest.raises(StartError, match="cannot open the database") as refused:
        try_to_start(Config(database=str(file)))
    assert str(file) in str(refused.value)
    assert file.read_text(encoding="utf-8") == "Dear Ada, " * 1000


def test_a_database_that_another_server_uses_is_said_until_that_one_is_gone(
    tmp_path: Path,
) -> None:
    file, link = tmp_path / "tables.sqlite", tmp_path / "link.sqlite"
    link.symlink_to(file)
    with ForkServer() as fork_server:
        pid = fork_server.start(file)
        for name in (file, link):
            with pytest.raises(StartError, match="another server uses the database") as refused:
                try_to_start(Config(database=str(name)))
            assert "--database" in str(refused.value)
        fork_server.kill(pid)  # not even a killed one keeps it
        fork_server.kill(fork_server.start(file))

    for _ in range(2):
        try_to_start(Config(database=str(file)))


async def test_a_start_that_failed_keeps_nothing(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"

    def server() -> Server:
        return prepare(Config(database=str(file)), thinkers=LocalThinkers())

    first, second = server(), server()
    await start(first)
    for _ in range(2):  # another try reports it again
        with pytest.raises(StartError, match="another server uses"):
            await start(second)
        assert not second.hub.is_ready
    await first.stop()
    kept = apsw.Connection(str(file))
    kept.execute("ALTER TABLE tables RENAME TO lost")
    with pytest.raises(StartError, match="cannot be read"):
        await start(server())
    kept.execute("ALTER TABLE lost RENAME TO tables")
    kept.close()
    last = server()
    await start(last)  # nobody holds the file
    assert last.hub.is_ready
    await last.stop()


UNWRITABLE = """
import asyncio, os, sys
from millebornes.server.config import Config
from millebornes.server.server import Server
from millebornes.server.run import StartError, prepare, start
from millebornes.server.bot_workers import LocalThinkers
if os.geteuid() == 0:
    os.seteuid(65534)  # root may write everywhere, so be someone else
try:
    asyncio.run(start(prepare(Config(database=sys.argv[1]), thinkers=LocalThinkers())))
except StartError as error:
    print(error)
"""


@pytest.mark.parametrize("there", [False, True])
def test_a_folder_or_file_that_this_user_cannot_write_is_said(there: bool) -> None:
    # Not in tmp_path, which only its owner may enter.
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        file = folder / "tables.sqlite"
        if there:
            file.touch()
            file.chmod(0o444)
        folder.chmod(0o777 if there else 0o555)
        done = subprocess.run(
            [sys.executable, "-c", UNWRITABLE, str(file)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        folder.chmod(0o700)
    assert "is not writable for this user" in done.stdout, done
    assert str(file if there else folder) in done.stdout


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_the_server_well_and_clients_are_told_first(
    sent: signal.Signals, tmp_path: Path
) -> None:
    with server_process(tmp_path) as server:
        async with Client(server.url) as client:
            table = await client.open_table("Ada", clock=60_000)
            async with client.seat(table) as seat:
                await seat.say(says.AddBot(1, "sunday-driver"))
                await seat.say(says.Start())
                async for message in seat.messages():
                    if isinstance(message, out.Frame) and message.table.hand is not None:
                        # Again for each frame: an impatient person presses twice.
                        server.send(sent)
                    if isinstance(message, out.Stopping):
                        break
                else:
                    pytest.fail("the client was not told")
        assert server.wait() == 0
        log = server.log()
        assert log[-1]["message"] == "stopped"
        assert not [line for line in log if line["level"] in ("warning", "error")]
        assert "Traceback" not in json.dumps(log)


async def test_no_table_goes_on_while_a_stopping_server_waits_for_a_request(tmp_path: Path) -> None:
    """A request that never ends holds the server up; clients have gone, and bots would play."""
    with server_process(tmp_path, changes={"grace": 1}) as server, socket.socket() as stuck:

        async def main() -> tuple[str, int]:
            async with Client(server.url) as client:
                table = await client.open_table("Ada", pace=20, bot_window=0)
                async with client.seat(table) as seat:
                    await seat.say(says.AddBot(1, "sunday-driver"))
                    await seat.say(says.Start())
                    last, has_left = 0, False
                    async for message in seat.messages():
                        if isinstance(message, out.Stopping):
                            return table, last
                        assert isinstance(message, out.Frame)
                        last = message.seq
                        shown = message.table
                        if shown.hand is not None and not has_left:
                            has_left = True
                            await seat.say(says.Leave())  # from here on a bot plays for her
                        if shown.asked is not None and shown.asked.decision > 3:
                            server.send(signal.SIGTERM)
            raise AssertionError

        stuck.connect(("127.0.0.1", int(server.url.rpartition(":")[2])))
        stuck.sendall(b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        table, last = await main()
        assert server.wait() == 0
    rows = list(
        apsw.Connection(str(tmp_path / "tables.sqlite")).execute(
            "SELECT seq, data FROM log WHERE table_id = ? AND seq > ?", (table, last)
        )
    )
    assert rows == []


async def test_a_second_start_goes_on_with_the_tables_of_the_first(tmp_path: Path) -> None:
    async def begin(url: str) -> tuple[str | None, str, int]:
        async with Client(url) as client:
            table = await client.open_table("Ada", clock=86_400_000, pace=0)
            async with client.seat(table) as seat:
                await seat.say(says.AddBot(1, "sunday-driver"))
                await seat.say(says.Start())
                async for message in seat.messages():
                    assert isinstance(message, out.Frame)
                    asked = message.table.asked
                    if asked and asked.what == "turn" and asked.seats == (message.table.you,):
                        assert asked.deadline is not None
                        return client.token, table, asked.deadline - message.now
        raise AssertionError

    async def go_on(url: str, token: str | None, table: str) -> int:
        async with Client(url, token) as client, client.seat(table) as seat:
            async for message in seat.messages():
                assert isinstance(message, out.Frame)
                asked = message.table.asked
                assert asked is not None
                assert asked.deadline is not None
                return asked.deadline - message.now
        raise AssertionError

    with server_process(tmp_path) as server:
        token, table, had = await begin(server.url)
    # As if it had been away for an hour: everything was written that much earlier.
    kept = apsw.Connection(str(tmp_path / "tables.sqlite"))
    kept.execute(
        "UPDATE log SET now = now - 3600000; UPDATE tables SET created = created - 3600000"
    )
    kept.close()
    with server_process(tmp_path) as server:
        has = await go_on(server.url, token, table)
    # The clock stood still all that time. What is left for the start and the way here is
    # wide, for machines are slow, and narrow beside an hour.
    assert had - 1000 * PATIENCE < has <= had


def test_the_health_of_a_started_process_can_be_asked(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        assert httpx.get(f"{server.url}/api/health").json()["program"] == "millebornes"
        server.wait_until_ready()
        answer = httpx.get(f"{server.url}/api/health")
        assert "server" not in answer.headers


def millebornes(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "millebornes", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, **environment},
    )


def test_the_command_ends_with_an_error_and_no_trace_when_it_cannot_serve(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    with bind("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        used = millebornes("serve", "--port", port, "--database", database)
    folder = millebornes("serve", "--port", "0", "--database", str(tmp_path))
    wrong = millebornes("serve", MILLEBORNES_PORT="http")
    for done, said in ((used, "is in use"), (folder, "is a folder"), (wrong, "MILLEBORNES_PORT")):
        assert done.returncode not in (0, None)
        assert said in " ".join((done.stdout + done.stderr).split())
        assert "Traceback" not in done.stderr


def test_only_a_trusted_proxy_tells_where_a_client_comes_from(tmp_path: Path) -> None:
    def cookie_and_statuses(server: ServerProcess) -> tuple[str, list[int]]:
        own = {"Host": "play.test", "Origin": "https://play.test", "X-Forwarded-Proto": "https"}
        made = httpx.post(f"{server.url}/api/guests", json={}, headers=own)
        clients = [{"X-Forwarded-For": f"198.51.100.{number}"} for number in range(9)]
        asked = [httpx.get(f"{server.url}/api/health", headers=client) for client in clients]
        return made.headers["set-cookie"].lower(), [answer.status_code for answer in asked]

    for trust in (False, True):
        given: dict[str, Any] = {
            "trust_proxy": trust,
            "hosts": ["play.test"],
            "requests_per_second": 1,
        }
        with server_process(tmp_path, **given) as server:
            cookie, statuses = cookie_and_statuses(server)
        assert ("secure" in cookie) is trust
        assert (429 in statuses) is not trust

"""`millebornes bot` plays at a table of a real server; `millebornes verify` checks the record."""

import asyncio
import json
import random
import signal
import subprocess
from pathlib import Path

import pytest

from millebornes.client import Client, ClientError, Seat
from millebornes.records import game
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from tests.client.players import play, start_when_full
from tests.plugins.outside import strange
from tests.server_process import GENEROUS, PATIENCE, environment, server_process

from .people import COMMAND, ask

QUICK = {"pace": 0, "bot_window": 0, "window": 1000}


def bot(*args: str) -> "subprocess.Popen[str]":
    """The command in a child process."""
    return subprocess.Popen(
        [*COMMAND, "bot", "sunday-driver", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )


async def test_a_bot_joins_by_link_and_plays_a_match_that_verifies(tmp_path: Path) -> None:
    async def main(url: str) -> str:
        async with Client(url) as client:
            rules = 'parent = "dujardin-2019"\nhands = 1\n'
            table = await client.open_table("Host", players=3, house_rules=rules, **QUICK)
            processes = [
                bot("--join", f"{url}/t/{table}", "--name", "Zoé"),
                bot("--join", f"{url}/api/tables/{table}", "--json"),
            ]
            seat = client.seat(table)
            async with seat:
                await start_when_full(seat)
                assert seat.table is not None
                names = {place.name for place in seat.table.seats}
                assert names == {"Host", "Zoé", "Sunday Driver"}
                frames = await play(seat, random.Random("bot"))
            totals = [side.points for side in frames[-1].table.hand.sides]  # type: ignore[union-attr]
            ends = [await asyncio.to_thread(p.communicate, None, PATIENCE) for p in processes]
            assert [process.returncode for process in processes] == [0, 0], ends
            assert "The match is over. Points: " + ", ".join(map(str, totals)) in ends[0][0]
            told = json.loads(ends[1][0])
            assert (told["over"], told["totals"]) == (True, totals)
            return await client.record(table)

    with server_process(tmp_path, **GENEROUS) as server:
        record = await main(server.url)

    path = tmp_path / "record.txt"
    path.write_text(record, encoding="utf-8")
    verified = ask("verify", path)
    assert verified.returncode == 0, verified.stdout
    assert "Hand 1: sound." in verified.stdout
    assert "All is well." in verified.stdout
    assert json.loads(ask("verify", path, "--json").stdout) == {
        "sound": True,
        "hands": [{"hand": 1, "in_play": False, "faults": []}],
    }
    check_tampering(record, path)


def check_tampering(record: str, path: Path) -> None:
    """Every change of the record is found."""
    (deal,) = game.from_text(record).deals
    assert deal.transcript is not None
    transcript = json.loads(deal.transcript)
    last, other = deal.deck[-1].value, next(c.value for c in deal.deck if c != deal.deck[-1])
    deck_lines = record[record.index("deck:") : record.index("moves:")]
    changed = [
        # two cards of the deck swapped
        record.replace(
            deck_lines, deck_lines.replace(f" {other} ", f" {last} ", 1).rstrip()[: -len(last)]
            + other + "\n",
        ),
        record.replace(transcript["server_seed"], transcript["server_seed"][::-1]),
        record.replace(transcript["server_commit"], transcript["server_commit"][::-1]),
        record.replace(transcript["ctx"].split("|")[1], "another"),
        record[: record.index("transcript:")],
    ]  # fmt: skip
    changed += [
        record.replace(client["entropy"], client["entropy"][::-1])
        for client in transcript["clients"]
    ]
    for text in changed:
        assert text != record
        path.write_text(text, encoding="utf-8")
        found = ask("verify", path, "--lang", "fr")
        assert found.returncode == 1, found.stdout
        assert "Ce relevé n'est pas prouvé." in found.stdout
        assert json.loads(ask("verify", path, "--json").stdout)["sound"] is False


async def test_a_bot_that_is_interrupted_leaves_its_seat_to_another(tmp_path: Path) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        async with Client(server.url) as client:
            table = await client.open_table("Host", players=2, **QUICK)
            process = bot("--join", f"{server.url}/t/{table}")
            seat = client.seat(table)
            async with seat:
                await start_when_full(seat)
                async for message in seat.messages():
                    told = message.table if isinstance(message, out.Frame) else None
                    if told is not None and told.hand is not None:
                        break
                process.send_signal(signal.SIGINT)
                ended = await asyncio.to_thread(process.communicate, None, PATIENCE)
                assert process.returncode == 130, ended
                assert "Traceback" not in ended[1]
                async for _ in seat.messages():
                    if seat.table is not None and seat.table.seats[1].away:
                        break


def test_a_bot_that_cannot_play_reports_why(tmp_path: Path) -> None:
    async def opened(url: str) -> str:
        async with Client(url) as client, Client(url) as other:
            table = await client.open_table("Host", players=2, **QUICK)
            await other.join(table, "Other")
            return table

    with server_process(tmp_path, **GENEROUS) as server:
        full = asyncio.run(opened(server.url))
        cases = {
            f"{server.url}/t/{full}": "every seat of this table is taken",
            f"{server.url}/t/nothing": "There is nothing here.",
            "http://127.0.0.1:9/t/nothing": "http://127.0.0.1:9",
            "127.0.0.1/t/x": "is not a link to a table",
            "http://127.0.0.1/": "is not a link to a table",
            "http://[::1/t/x": "is not a link to a table",
        }
        for link, expected in cases.items():
            done = ask("bot", "sunday-driver", "--join", link)
            assert done.returncode == 2, link
            assert expected in " ".join(done.stderr.split()), done.stderr
    assert ask("bot", "nobody", "--join", "http://127.0.0.1/t/x").returncode == 2
    assert ask("bot", "sunday-driver").returncode == 2


async def test_a_bot_that_is_sent_away_says_so_and_does_not_come_back(tmp_path: Path) -> None:
    async def send_a_watcher_away(seat: Seat, watching: Client, table: str) -> None:
        async with await watching.join(table, "Eve", watch=True) as place:
            async for _ in place.messages():
                if place.table is not None and place.table.member is not None:
                    break
            assert place.table is not None
            assert place.table.member is not None
            await seat.say(says.SendAway(place.table.member))
            heard = [message async for message in place.messages()]
            assert place.table.sent_away
            assert isinstance(heard[-1], out.Frame)
            assert place.reconnects == 0
            with pytest.raises(ClientError):
                await place.say(says.Chat("But why?"))
        with pytest.raises(ClientError, match="has sent you away"):
            await watching.join(table, "Eve")

    with server_process(tmp_path, **GENEROUS) as server:
        async with Client(server.url) as client, Client(server.url) as watching:
            table = await client.open_table("Host", players=2, **QUICK)
            process = bot("--join", f"{server.url}/t/{table}")
            async with client.seat(table) as seat:
                async for _ in seat.messages():
                    if seat.table is not None and seat.table.seats[1].kind == "person":
                        break
                assert seat.table is not None
                await seat.say(says.SendAway(1))
                ended = await asyncio.to_thread(process.communicate, None, PATIENCE)
                assert process.returncode == 2, ended
                assert "The host of this table has sent you away." in " ".join(ended[1].split())
                await send_a_watcher_away(seat, watching, table)


async def test_anybodys_bot_plays_by_link_and_leaves_if_it_fails(tmp_path: Path) -> None:
    def seated(name: str, link: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*COMMAND, "bot", name, "--join", link],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )

    with server_process(tmp_path, **GENEROUS) as server:
        async with Client(server.url) as client:
            rules = 'parent = "winning-moves"\nhands = 1\n'
            table = await client.open_table("Host", players=3, house_rules=rules, **QUICK)
            link = f"{server.url}/t/{table}"
            processes = [seated(strange("fine"), link), seated(strange("illegal"), link)]
            async with client.seat(table) as seat:
                await start_when_full(seat)
                assert seat.table is not None
                assert {place.name for place in seat.table.seats} == {"Host", "Fine", "Illegal"}
                frames = await play(seat, random.Random("outside"))
            ends = [await asyncio.to_thread(p.communicate, None, PATIENCE) for p in processes]
    assert [process.returncode for process in processes] == [0, 2], ends
    assert "The match is over." in ends[0][0]
    assert "it made an illegal move (ext is not legal here" in " ".join(ends[1][1].split())
    (left,) = [place for place in frames[-1].table.seats if place.name == "Illegal"]
    assert left.away

"""One wave of each attack on a server with its default limits: how far does it get?

Counts and bytes only; `python -m tests.abuse.run` measures how other players fare meanwhile.
Each attack comes from a different address, so none meets limits that another has used up.
"""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from millebornes.server.config import Config
from tests.server_process import ServerProcess, server_process

from .attacker import Attacker
from .attacks import (
    ATTACKS,
    Attack,
    Backlogs,
    ComeAndGo,
    EndlessAddress,
    EndlessBody,
    EndlessHeader,
    EndlessHeaders,
    EndlessTrailers,
    Fragments,
    Hints,
    InvalidRequests,
    ManyTables,
    NewGuests,
    Pings,
    PipelinedRequests,
    RefusedMessages,
    Replays,
    Requests,
    SilentConnections,
    SlowHouseRules,
    TalkAndReconnect,
    Watchers,
)
from .planting import plant

DEFAULTS = Config()
BUFFERS = 3 << 20
"""Bytes that the system itself may take before the server has looked at the first of them."""
_addresses = count(10)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("abuse")
    plant(folder / "tables.sqlite", rows=3000, games=Replays.matches)
    with server_process(folder) as running:
        yield running


def one_wave(
    server: ServerProcess, attack: Attack, *, waves: int = 1, together: int = 1
) -> Counter[str]:
    """The counts of the attack; `seconds` is how long it took."""
    attacker = Attacker(server.url, f"127.0.1.{next(_addresses)}")

    async def main() -> None:
        await attack.begin(attacker)
        began = time.monotonic()
        for _ in range(waves):
            await asyncio.gather(*(attack.wave(attacker) for _ in range(together)))
        attacker.counts["seconds"] = math.ceil(time.monotonic() - began)
        answer = await attacker.elsewhere().ask("GET", "/api/health")
        assert answer.status == 200, "others are served"

    asyncio.run(main())
    return attacker.counts


def statuses(counts: Counter[str]) -> set[str]:
    return {name for name in counts if name.startswith("status")}


@pytest.mark.parametrize(
    ("attack", "refusal"),
    [
        (EndlessHeaders, "status 431"),
        (EndlessHeader, "status 431"),
        (EndlessAddress, "status 431"),
        # The application has been asked, and nobody may answer in its place.
        (EndlessBody, "status 0"),
        (EndlessTrailers, "status 0"),
    ],
)
def test_a_request_that_never_ends_is_refused_after_a_few_kilobytes(
    server: ServerProcess, attack: type[Attack], refusal: str
) -> None:
    counts = one_wave(server, attack())
    assert statuses(counts) <= {refusal, "status 413"}
    assert counts["bytes sent"] < BUFFERS


def test_of_megabytes_of_pipelined_requests_a_few_are_answered(server: ServerProcess) -> None:
    counts = one_wave(server, PipelinedRequests())
    assert counts["requests"] == 1
    assert counts["bytes sent"] < BUFFERS


def test_one_address_has_so_many_connections_and_the_others_still_come_in(
    server: ServerProcess,
) -> None:
    attack = SilentConnections()
    attack.most, attack.stay = DEFAULTS.connections_per_address + 50, 0.5
    counts = one_wave(server, attack)
    assert counts["still open"] == DEFAULTS.connections_per_address
    assert counts["closed by the server"] == 50


def test_nonsense_does_not_fill_the_operators_log(server: ServerProcess) -> None:
    before = len(server.log())
    one_wave(server, InvalidRequests(), waves=4)
    assert len(server.log()) - before < 20


def test_house_rules_that_take_long_to_read_are_refused_before_that(server: ServerProcess) -> None:
    counts = one_wave(server, SlowHouseRules(), waves=3)
    assert counts["status 401"] == 3
    assert counts["status 400"] == 6


def test_requests_are_limited_by_address(server: ServerProcess) -> None:
    counts = one_wave(server, Requests(), waves=25, together=8)
    assert counts["status 200"] + counts["status 429"] == 4 * 25 * 8
    most = DEFAULTS.requests_per_second * (3 + counts["seconds"])
    assert counts["status 200"] <= most


def test_somebody_who_wants_many_replays_at_once_gets_one_at_a_time(server: ServerProcess) -> None:
    counts = one_wave(server, Replays())
    assert counts["requests"] == Replays.matches
    assert statuses(counts) <= {"status 200", "status 429", "status 503"}
    assert counts["status 429"] > 0


def test_one_address_becomes_so_many_guests(server: ServerProcess) -> None:
    counts = one_wave(server, NewGuests(), waves=5)
    assert counts["status 201"] <= DEFAULTS.guests_per_minute + counts["seconds"]
    assert counts["status 201"] + counts["status 429"] == 100


def test_one_address_opens_so_many_tables_and_the_lobby_stays_short(server: ServerProcess) -> None:
    counts = one_wave(server, ManyTables(), waves=2)
    assert 15 <= counts["tables opened"] <= DEFAULTS.tables_per_address
    assert counts["tables refused"] > 0
    assert 0 < counts["largest lobby"] <= 100


def test_a_flood_of_pings_ends_the_connection(server: ServerProcess) -> None:
    counts = one_wave(server, Pings())
    assert counts["status 101"] == 1
    assert counts["pings sent"] * 6 < BUFFERS


def test_a_flood_of_fragments_ends_the_connection(server: ServerProcess) -> None:
    counts = one_wave(server, Fragments())
    assert counts["status 101"] == 1
    assert counts["fragments sent"] * 6 < BUFFERS


def _said(server: ServerProcess) -> int:
    """How many messages of people the server has accepted so far."""
    answer = asyncio.run(Attacker(server.url, "127.0.2.1").ask("GET", "/metrics"))
    name = "millebornes_inputs_accepted_total "
    lines = answer.body.decode().splitlines()
    return int(next(line for line in lines if line.startswith(name)).removeprefix(name))


def test_who_reconnects_has_no_fresh_right_to_talk(server: ServerProcess) -> None:
    attack = TalkAndReconnect()
    attack.guests = 1
    before = _said(server)
    counts = one_wave(server, attack)
    said = _said(server) - before
    assert counts["lines sent"] >= 60
    assert 5 <= said <= (5 + counts["seconds"]) * DEFAULTS.talk_per_second


def test_coming_and_going_writes_little(server: ServerProcess) -> None:
    attack = ComeAndGo()
    attack.guests = 1
    before = _said(server)
    counts = one_wave(server, attack)
    assert _said(server) - before <= (5 + counts["seconds"]) * DEFAULTS.talk_per_second


def test_backlogs_that_nobody_reads_take_no_memory(server: ServerProcess) -> None:
    attack = Backlogs()
    attack.stay = 0.0
    before = server.rss()
    counts = one_wave(server, attack)
    assert counts["status 101"] >= 40
    assert server.rss() - before < 30 * 1024


def test_messages_that_are_refused_are_limited(server: ServerProcess) -> None:
    attack = RefusedMessages()
    attack.guests = 3
    attack.messages = 200
    counts = one_wave(server, attack)
    assert counts["messages"] < 3 * (3 * DEFAULTS.messages_per_second + 60)


def test_hints_are_given_and_the_game_goes_on(server: ServerProcess) -> None:
    counts = one_wave(server, Hints())
    assert counts["hinted"] > 0
    assert counts["frame"] > 0


def test_watchers_who_never_connect_make_room(server: ServerProcess) -> None:
    attack = Watchers()
    counts = one_wave(server, attack)
    assert counts["watcher 200"] >= 60
    assert counts["watcher 409"] > 0

    async def friend_comes() -> int:
        friend = Attacker(server.url, "127.0.2.2")
        token = await friend.become_guest()
        async with friend.socket(attack.table, attack.token()) as host:
            while (told := await host.answer("frame")) and told["table"]["watching"]:
                pass  # a few seconds later they count as gone
        return (await friend.join(attack.table, token, "Friend", watch=True)).status

    assert asyncio.run(friend_comes()) == 200


def test_every_attack_has_its_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [one for one in ATTACKS.values() if source.count(one.__name__) < 2] == []

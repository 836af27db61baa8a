"""Kill the server at arbitrary moments under load, restart it, and check that nothing is lost.

Clients play like people at several tables over real sockets. The process gets SIGKILL when the
clients together have received a certain number of frames; or when they have sent a certain number
of messages, at once or a little later: the server may have read the last one or not, and may be
writing it. Then another server starts on the same database and port. At the end, every frame that
a client ever received must match the log at that seq.

    python -m tests.server.kill --kills 1000
"""

import argparse
import asyncio
import json
import os
import random
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import msgspec

from millebornes.bots import BOTS
from millebornes.client import ClientError
from millebornes.server.codec import decode_input, decode_settings
from millebornes.server.log_replay import DoesNotReplay, Snapshot, fold
from millebornes.server.store.sqlite import SqliteStore
from millebornes.table import Out, frame, messages_in, open_table
from millebornes.table.messages_out import Frame
from tests.server_process import ReservedPort

from .fork_server import ForkServer
from .players import Party, open_party

KILLS_PER_DATABASE = 10
TABLES = ((2, 0), (2, 0), (2, 1), (1, 2), (2, 0), (1, 1))
"""People and bots at each."""
PATIENCE = 20
TURNS = 64
"""Of the clients' loop, at most, from words to a kill: about as long as a server takes to write."""
_decoder = msgspec.json.Decoder(Out)


class Result(NamedTuple):
    kills: int
    kills_after_words: int
    """The number of kills that came when a client had just sent something."""
    tables: int
    acknowledged: int
    """Inputs that some client was notified of."""
    frames: int
    """Frames that were compared with the log."""
    faults: tuple[str, ...]


class Trial:
    """A database whose server is killed several times."""

    def __init__(self, fork_server: ForkServer, folder: Path, rng: random.Random) -> None:
        self._fork_server = fork_server
        self._path = folder / "tables.sqlite"
        self._rng = rng
        self._port = ReservedPort()
        self._pid = 0
        self._frames_left = 0
        self._words_left = 0
        self._is_killed = asyncio.Event()
        self.parties: list[Party] = []
        self.kills_after_words = 0
        self.acknowledged = 0
        self.frames = 0
        self.faults: list[str] = []

    async def run(self, kills: int) -> None:
        self._pid = self._fork_server.start(self._path, self._port.number)
        url = f"http://127.0.0.1:{self._port.number}"
        try:
            for people, bots in TABLES:
                party = await open_party(url, self._rng, self._heard, people=people, bots=bots)
                self.parties.append(party)
                for person in party.people:
                    person.seat.on_said = self._said
            for _ in range(kills):
                await self._kill_one()
            await self._everybody_plays_on()
        except TimeoutError:
            self.faults.append("nobody hears anything any more")
        except ClientError as error:  # something acknowledged had not been done
            self.faults.append(f"a client was refused: {error.code}")
        finally:
            for party in self.parties:
                await self._send_home(party)
            if self._pid:  # else it did not start, or ended by itself: what failed is raised
                self._fork_server.kill(self._pid)
            self._port.release()
        await self._compare()

    async def _send_home(self, party: Party) -> None:
        try:
            await party.go_home()
        except ClientError as error:  # the server that came back did not know the table
            self.faults.append(f"{party.table}: a client was refused: {error.code}")

    def _heard(self) -> None:
        """A client has received a frame: perhaps the last of this server."""
        self._frames_left -= 1
        if self._frames_left == 0:
            self._kill()

    def _said(self) -> None:
        """A client has sent something: perhaps the last message, whether it arrives or not."""
        self._words_left -= 1
        if self._words_left == 0:
            self.kills_after_words += 1
            self._kill(self._rng.choice((0, self._rng.randint(1, TURNS))))

    def _kill(self, turns: int = 0) -> None:
        """Kill the server now, or after this number of turns of the loop."""
        if turns:
            asyncio.get_running_loop().call_soon(self._kill, turns - 1)
        else:
            os.kill(self._pid, signal.SIGKILL)
            self._is_killed.set()

    async def _kill_one(self) -> None:
        self._is_killed.clear()
        if self._rng.random() < 0.7:
            self._frames_left = self._rng.randint(1, self._rng.choice((10, 60, 200)))
        else:
            self._words_left = self._rng.randint(1, self._rng.choice((5, 20, 60)))
        async with asyncio.timeout(PATIENCE):
            await self._is_killed.wait()
        pid, self._pid = self._pid, 0
        self._fork_server.wait_for_killed(pid)
        self._pid = self._fork_server.start(self._path, self._port.number)

    async def _everybody_plays_on(self) -> None:
        """No table is lost or stands still."""
        before = [party.decision for party in self.parties]
        progress = asyncio.Event()
        for party in self.parties:
            for person in party.people:
                person.on_frame = progress.set
        try:
            async with asyncio.timeout(PATIENCE):
                for party, decision in zip(self.parties, before, strict=True):
                    while party.decision < decision + 2:
                        progress.clear()
                        await progress.wait()
        except TimeoutError:
            self.faults += [
                f"{party.table} stands still: {[person.seat.table for person in party.people]}"
                for party, decision in zip(self.parties, before, strict=True)
                if party.decision < decision + 2
            ]

    async def _compare(self) -> None:
        store = SqliteStore(self._path, shared=True)
        await store.open()
        try:
            for party in self.parties:
                await self._compare_table(store, party)
        finally:
            await store.close()

    async def _compare_table(self, store: SqliteStore, party: Party) -> None:
        row = await store.table(party.table)
        if row is None or row.closed:
            self.faults.append(f"{party.table} is lost")
            return
        log = await store.log(party.table)
        if [entry.seq for entry in log] != list(range(1, len(log) + 1)):
            self.faults.append(f"{party.table} has gaps in its log")
        first = open_table(decode_settings(row.settings), row.game_id, tuple(BOTS), row.created)
        try:
            snapshots = {snapshot.table.seq: snapshot for snapshot in fold(log, first)}
        except DoesNotReplay as error:
            self.faults.append(f"{party.table}: {error}")
            return
        moves = [decode_input(entry.guest, entry.data) for entry in log]
        ids = Counter(move.id for move in moves if isinstance(move, messages_in.Move))
        self.faults += [f"move {id_} is there {n} times" for id_, n in ids.items() if n > 1]
        self.acknowledged += max(person.seat.seq or 0 for person in party.people)
        for person in party.people:
            self.faults += person.seat.faults_of_order
            self.faults += [f"move {id_} is lost" for id_ in person.seat.moves - ids.keys()]
            self._compare_frames(party, person.seat.frames, snapshots, person.seat.member)

    def _compare_frames(
        self, party: Party, heard: dict[int, Frame], snapshots: dict[int, Snapshot], member: int
    ) -> None:
        for seq, told in heard.items():
            self.frames += 1
            snapshot = snapshots.get(seq)
            if snapshot is None:
                self.faults.append(f"{party.table}: input {seq} was acknowledged and is lost")
                continue
            guest = snapshot.table.members[member].guest
            # After a reconnection the frame may be the first one, which has the score sheets.
            kept = [
                msgspec.json.encode(frame(snapshot.table, snapshot.happened, guest, is_first=first))
                for first in (False, True)
            ]
            if told not in map(_decoder.decode, kept):
                self.faults.append(f"{party.table}: {seq} is not what it was told to be")


def kill_servers(kills: int, seed: int) -> Result:
    """Kill servers, several times for each database; stop after a database with faults."""
    rng = random.Random(seed)
    done = after_words = tables = acknowledged = frames = 0
    faults: list[str] = []
    with ForkServer() as fork_server:
        while done < kills and not faults:
            with tempfile.TemporaryDirectory() as folder:
                some = min(KILLS_PER_DATABASE, kills - done)

                async def one(folder: Path = Path(folder), some: int = some) -> Trial:
                    trial = Trial(fork_server, folder, rng)
                    await trial.run(some)
                    return trial

                trial = asyncio.run(one())
            done += some
            after_words += trial.kills_after_words
            tables += len(trial.parties)
            acknowledged += trial.acknowledged
            frames += trial.frames
            faults += trial.faults
    return Result(done, after_words, tables, acknowledged, frames, tuple(faults))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1954)
    given = parser.parse_args()
    began = time.monotonic()
    result = kill_servers(given.kills, given.seed)
    seconds = round(time.monotonic() - began)
    print(json.dumps({**result._asdict(), "seconds": seconds}))  # noqa: T201
    raise SystemExit(1 if result.faults else 0)


if __name__ == "__main__":
    main()

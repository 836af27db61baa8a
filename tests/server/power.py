"""Cut the power under the production store, again and again, and check that nothing is lost.

A file system that keeps, for every file, what a disk would really hold: what was there at
the last sync, and of what was written since an arbitrary part, torn at sectors. The store runs
on it under load; at an arbitrary write or sync the power is cut, the files are put to what
the disk held at that moment, and the store is opened again. Every input that was acknowledged
before the cut must be in it.

    python -m tests.server.power --cuts 1000
"""

import argparse
import asyncio
import itertools
import json
import random
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from millebornes.server.store import LogRow, StoreError, TableRow
from millebornes.server.store.sqlite import SqliteStore

SECTOR = 512
CUTS_PER_FILE = 40
TABLES = 5

Write = tuple[int, bytes | None]
"""Where, and what; None: the file ends there."""


class Image:
    """One file as the disk holds it."""

    def __init__(self) -> None:
        self.kept: bytearray | None = None
        """None: not even its name is on the disk yet."""
        self.unsynced: list[Write] = []

    def sync(self) -> None:
        kept = bytearray() if self.kept is None else self.kept
        for write in self.unsynced:
            _apply(kept, write)
        self.kept = kept
        self.unsynced = []

    def after_a_cut(self, rng: random.Random) -> bytes | None:
        """What the disk holds when the power comes back."""
        if self.kept is None and rng.random() < 0.5:
            return None
        found = bytearray(self.kept or b"")
        fate = rng.random()
        for write in self.unsynced:
            # The disk may have got none of it, all of it, or any part in any order.
            if fate < 0.2 or (fate > 0.4 and rng.random() < 0.5):
                continue
            for piece in _torn(write, rng) if fate > 0.7 else (write,):
                _apply(found, piece)
        return bytes(found)


def _apply(content: bytearray, write: Write) -> None:
    where, data = write
    if data is None:
        del content[where:]
        return
    if len(content) < where:
        content.extend(bytes(where - len(content)))
    content[where : where + len(data)] = data


def _torn(write: Write, rng: random.Random) -> list[Write]:
    where, data = write
    if data is None:
        return [write]
    cuts = [0, *range(SECTOR - where % SECTOR, len(data), SECTOR), len(data)]
    pieces = [(where + a, data[a:b]) for a, b in itertools.pairwise(cuts)]
    return [piece for piece in pieces if rng.random() < 0.5]


class Disk(apsw.VFS):
    """A file system whose power can be cut. Nothing is really synced, so it is fast."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.images: dict[str, Image] = {}
        self.lock = threading.RLock()
        self.operations = 0
        self.cut_at: int | None = None
        self.on_cut: Callable[[], None] | None = None
        super().__init__(name, "")

    def load(self, folder: Path) -> None:
        """The power is back: what is in the folder is what the disk holds."""
        self.images = {}
        for path in folder.iterdir():
            image = self.images[str(path)] = Image()
            image.kept = bytearray(path.read_bytes())

    def count(self) -> None:
        """One more write or sync; perhaps the one before which the power is cut."""
        self.operations += 1
        if self.operations == self.cut_at and self.on_cut is not None:
            self.on_cut()

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return DiskFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        with self.lock:
            self.count()
            self.images.pop(filename, None)
        super().xDelete(filename, syncdir)


class DiskFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self.disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        with disk.lock:
            self.image = disk.images.setdefault(path, Image())
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        with self.disk.lock:
            self.disk.count()
            self.image.unsynced.append((offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        with self.disk.lock:
            self.disk.count()
            self.image.unsynced.append((newsize, None))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802
        with self.disk.lock:
            self.disk.count()
            self.image.sync()


class Result(NamedTuple):
    cuts: int
    acknowledged: int
    lost: int
    damaged: int


class Trial:
    """A database through several power cuts."""

    def __init__(self, disk: Disk, folder: Path, rng: random.Random) -> None:
        self._disk = disk
        self._folder = folder
        self._path = folder / "tables.sqlite"
        self._rng = rng
        self._logs: dict[str, list[LogRow]] = {}
        """What must be there."""
        self._found: dict[str, bytes] | None = None
        self.acknowledged = 0
        self.lost = 0
        self.damaged = 0

    async def cut(self, prepare: Callable[[SqliteStore], None]) -> None:
        """Work until the power is cut, then look."""
        disk, rng = self._disk, self._rng
        disk.load(self._folder)
        self._found = None
        loop = asyncio.get_running_loop()

        def note() -> None:
            # The store has acknowledged these already: let the event loop deliver them.
            heard = threading.Event()
            if threading.current_thread() is not threading.main_thread():
                hops = lambda: loop.call_soon(lambda: loop.call_soon(heard.set))  # noqa: E731
                loop.call_soon_threadsafe(hops)
                heard.wait(10)
            self._found = {
                path: content
                for path, image in disk.images.items()
                if (content := image.after_a_cut(rng)) is not None
            }

        disk.on_cut = note
        disk.operations = 0
        disk.cut_at = rng.randint(1, rng.choice((30, 100, 300)))
        store = SqliteStore(self._path, vfs=disk.name)
        await store.open()
        prepare(store)
        if rng.random() < 0.7:
            store._writer.wal_autocheckpoint(rng.randint(1, 30))
        played = await asyncio.gather(
            *(self._play(store, number) for number in range(TABLES)), return_exceptions=True
        )
        disk.on_cut = None
        await store.close()
        if any(isinstance(outcome, BaseException) for outcome in played):
            # What an earlier cut left looks whole, and yet cannot be written on.
            self.damaged += 1
            self._logs, self._found = {}, {}
        self._put_back()
        await self._look()

    async def _play(self, store: SqliteStore, number: int) -> None:
        rng = random.Random(self._rng.random())
        table = f"table{number}"
        while self._found is None:
            await asyncio.sleep(0)  # others get their turn, even if the store never waits
            log = self._logs.get(table, [])
            size = rng.choice((20, 60, 200, 200, 5000))
            row = LogRow(len(log) + 1, f"guest{number}", len(log), rng.randbytes(size))
            if log:
                await store.append(table, row, member=row.guest)
            else:
                await store.add_table(TableRow(table, f"game{number}", 1, b"{}", 1), row)
            if self._found is not None:
                return  # the power was cut before this was acknowledged
            self._logs[table] = [*log, row]
            self.acknowledged += 1

    def _put_back(self) -> None:
        assert self._found is not None
        for path in self._folder.iterdir():
            path.unlink()
        for name, content in self._found.items():
            if not name.endswith("-shm"):
                Path(name).write_bytes(content)

    async def _look(self) -> None:
        self._disk.load(self._folder)
        self._disk.cut_at = None
        try:
            found = await self._read()
        except (StoreError, apsw.Error):
            self.damaged += 1
            found, self._found = {}, {}  # nothing of it can be used: begin anew
        for table, log in self._logs.items():
            there = found.get(table, [])
            self.lost += sum(row not in there for row in log)
            is_in_order = [row.seq for row in there] == list(range(1, len(there) + 1))
            if not is_in_order or len(there) > len(log) + 1:
                self.damaged += 1
        # An input that was on its way may be there, too: the next run goes on from it.
        self._logs = found
        self._put_back()  # closing has tidied up: the next run begins with what the cut left

    async def _read(self) -> dict[str, list[LogRow]]:
        store = SqliteStore(self._path, vfs=self._disk.name)
        await store.open()
        try:
            if store._writer.pragma("integrity_check") != "ok":
                raise StoreError("damaged")
            return {row.id: list(await store.log(row.id)) for row in await store.running_tables()}
        finally:
            await store.close()


def sound(_store: SqliteStore) -> None:
    """The production store, unchanged."""


def unsafe(store: SqliteStore) -> None:
    """The planted fault: no waiting for the disk."""
    store._writer.pragma("synchronous", 0)


def cut_power(cuts: int, seed: int, prepare: Callable[[SqliteStore], None] = sound) -> Result:
    """Cut the power this number of times, several times for each database."""
    rng = random.Random(seed)
    disk = Disk(f"power{seed}")
    acknowledged = lost = damaged = done = 0
    try:
        while done < cuts:
            with tempfile.TemporaryDirectory() as folder:
                trial = Trial(disk, Path(folder), rng)
                for _ in range(min(CUTS_PER_FILE, cuts - done)):
                    asyncio.run(trial.cut(prepare))
                    done += 1
                acknowledged += trial.acknowledged
                lost += trial.lost
                damaged += trial.damaged
    finally:
        disk.unregister()
    return Result(done, acknowledged, lost, damaged)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cuts", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1954)
    parser.add_argument("--unsafe", action="store_true", help="plant synchronous=OFF")
    given = parser.parse_args()
    result = cut_power(given.cuts, given.seed, unsafe if given.unsafe else sound)
    print(json.dumps(result._asdict()))  # noqa: T201
    raise SystemExit(1 if result.lost or result.damaged else 0)


if __name__ == "__main__":
    main()

"""What the operator sees when the store is in trouble."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from millebornes.server.room import Room
from millebornes.server.store.sqlite import SqliteStore
from millebornes.table import messages_in
from tests.virtual_time import on_virtual_time

from .full_disk import FullDisk
from .local_app import LocalApp, local_app, open_table, virtual_app
from .memory_store import MemoryStore
from .rooms import refusal_code


@pytest.fixture
def disk() -> Iterator[FullDisk]:
    disk = FullDisk("full")
    yield disk
    disk.unregister()


async def ready(app: LocalApp) -> tuple[int, str]:
    async with app.http() as operator:
        answer = await operator.get("/api/ready")
    return answer.status_code, answer.json()["status"]


async def metric(app: LocalApp, name: str) -> int:
    async with app.http() as operator:
        text = (await operator.get("/metrics")).text
    (line,) = [line for line in text.splitlines() if line.startswith(f"millebornes_{name} ")]
    return int(line.split()[1])


async def room_of_host(app: LocalApp) -> tuple[Room, str]:
    _, host = await app.guest()
    async with host:
        room = app.server.hub.find(await open_table(host))
    assert room is not None
    room.driver.connects_within = 3600
    return room, room.table.members[0].guest


async def test_a_server_that_cannot_write_says_so_until_it_can_again(
    tmp_path: Path, disk: FullDisk, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite", vfs=disk.name)
    async with local_app(store=store) as app:
        room, guest = await room_of_host(app)
        assert await ready(app) == (200, "ready")
        assert await metric(app, "writes_failed_total") == 0
        disk.is_full = True
        for _ in range(3):
            outcome = await room.put(guest, messages_in.Chat("hello"))
            assert refusal_code(outcome) == "cannot_write"
        assert await ready(app) == (503, "cannot_write")
        assert await metric(app, "writes_failed_total") == 3
        await store.check()  # the check tries to write
        assert await ready(app) == (503, "cannot_write")
        disk.is_full = False
        await store.check()
        assert await ready(app) == (200, "ready")
        assert await metric(app, "writes_failed_total") == 4
        assert refusal_code(await room.put(guest, messages_in.Chat("hello"))) is None
    # Once, however often somebody tries: the disk that is full may hold the log, too.
    assert caplog.text.count("could not be written") == 1


async def test_the_next_input_that_is_written_makes_it_ready_too(
    tmp_path: Path, disk: FullDisk
) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite", vfs=disk.name)
    async with local_app(store=store) as app:
        room, guest = await room_of_host(app)
        disk.is_full = True
        await room.put(guest, messages_in.Chat("hello"))
        disk.is_full = False
        assert (await ready(app))[0] == 503
        assert refusal_code(await room.put(guest, messages_in.Chat("hello"))) is None
        assert (await ready(app))[0] == 200


@on_virtual_time
async def test_the_store_is_looked_after_even_if_nobody_plays() -> None:
    class Looked(MemoryStore):
        looks = 0

        async def check(self) -> None:
            self.looks += 1

    store = Looked()
    async with virtual_app(store=store):
        await asyncio.sleep(601)
        assert store.looks >= 10  # once a minute or more often


async def test_the_size_of_the_file_and_what_can_be_opened_are_in_the_metrics(
    tmp_path: Path,
) -> None:
    path = tmp_path / "tables.sqlite"
    async with local_app(store=SqliteStore(path)) as app:
        room, guest = await room_of_host(app)
        before = await metric(app, "database_bytes")
        wal = path.with_name("tables.sqlite-wal")
        assert before == path.stat().st_size + wal.stat().st_size > 0
        for _ in range(20):
            await room.put(guest, messages_in.Chat("x" * 500))
        assert await metric(app, "database_bytes") > before
        assert await metric(app, "writes_waiting") == 0
        free = await metric(app, "descriptors_free")
        with path.open("rb"):
            assert await metric(app, "descriptors_free") == free - 1


async def test_a_server_whose_file_is_deleted_takes_no_more_inputs_and_is_not_ready(
    tmp_path: Path,
) -> None:
    path = tmp_path / "tables.sqlite"
    async with local_app(store=SqliteStore(path)) as app:
        room, guest = await room_of_host(app)
        path.unlink()
        assert refusal_code(await room.put(guest, messages_in.Chat("acknowledged"))) is None
        await app.server.store.check()
        assert await ready(app) == (503, "cannot_write")
        assert refusal_code(await room.put(guest, messages_in.Chat("late"))) == "cannot_write"
        seq, table = room.table.seq, room.id
    saved = SqliteStore(tmp_path / "tables.sqlite.saved")
    await saved.open()
    rows = await saved.log(table)
    await saved.close()
    assert len(rows) == seq
    assert b"acknowledged" in rows[-1].data

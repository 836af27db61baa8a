"""Replays records hand by hand in a worker process, and caches the results.

The worker gets only the part of a record that its reader may see.
"""

import asyncio
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import msgspec

from millebornes.records import Game, RecordError
from millebornes.records import game as game_text
from millebornes.table.messages_out import ReplayStep
from millebornes.table.replays import steps

from .round_robin import RoundRobinLock
from .workers import NoAnswer, WorkerPool, Workers

__all__ = ["Busy", "Replayer", "TooMany", "replay_workers"]

_KEPT = 16 * 1024 * 1024
"""Maximum bytes of cached replays, compressed: a hand takes about 15 KiB."""
_ENTRY = 4096
"""Approximate bytes of a cache entry besides its hands."""
_MOST = 32
"""Maximum pending questions from one address. Addresses take turns."""
_SHORT = 10
"""Records of up to this many hands take less than a millisecond, so they need no worker."""
_PATIENCE = 60.0
"""Timeout of one question. A match of 100 hands takes a second, far more on a busy machine."""
_IDLE = 300.0
"""Seconds after which an idle worker exits, which frees its memory."""

_T = TypeVar("_T")
Hands = Mapping[int, bytes]
"""Hands by number, as compressed JSON; empty if the record cannot be replayed."""


_Key = tuple[Callable[[Any], Any], Hashable]
"""The question, and the place of the record."""


class TooMany(Exception):  # noqa: N818 (says it best)
    """This reader is already waiting for another record."""


class Busy(Exception):  # noqa: N818 (says it best)
    """Too many questions are pending, or the worker could not answer."""


def replay_workers() -> Workers:
    """The worker process for replays, started on demand."""
    return Workers("replays", hands_of, game_text.to_text, count=1, patience=_PATIENCE, idle=_IDLE)


def hands_of(record: Game | str) -> Hands:
    """Every hand of a record, step by step."""
    try:
        game = game_text.from_text(record) if isinstance(record, str) else record
        return {
            number: zlib.compress(msgspec.json.encode(list(hand)), 1)
            for number, hand in groupby(steps(game), _hand_number)
        }
    except RecordError:
        return {}


def _hand_number(step: ReplayStep) -> int:
    assert step.table.hand is not None
    return step.table.hand.number


class _Kept(NamedTuple):
    record: Game | str
    hands: Hands
    size: int


class _Flight(NamedTuple):
    """A pending question, and the readers who wait for its answer."""

    record: Game | str
    address: str
    """Address of the first reader."""
    answer: "asyncio.Task[Any]"
    waiting: list[str]


class Replayer:
    """Asks a worker, one question per reader at a time, and caches the hands."""

    def __init__(
        self, workers: WorkerPool, most_bytes: int = _KEPT, most_asked: int = _MOST
    ) -> None:
        self._workers = workers
        self._most_bytes = most_bytes
        self._most_asked = most_asked
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._size = 0
        self._flights: dict[_Key, _Flight] = {}
        self._turns = RoundRobinLock()

    async def hand(
        self, reader: str, place: Hashable, record: Game | str, number: str, address: str = ""
    ) -> bytes | None:
        """One hand of a record as JSON; None if it has no hand with this number.

        `place` is the cache key: where the record is, and who may see it like this. `address` is
        the reader's. Raises `TooMany`, `Busy`, and `RecordError` if the record does not replay.
        """
        kept = self._kept.get(place)
        if kept is not None and kept.record == record:
            self._kept.move_to_end(place)
            hands = kept.hands
        else:
            hands = await self._ask(reader, address, place, hands_of, record)
            self._keep(place, record, hands)
        if not hands:
            raise RecordError(1, 1, "this record", "one that can be replayed")
        found = next((hand for at, hand in hands.items() if str(at) == number), None)
        return None if found is None else zlib.decompress(found)

    async def text(self, reader: str, place: Hashable, game: Game, address: str = "") -> str:
        """A record as text. Raises `TooMany` and `Busy`."""
        if len(game.deals) <= _SHORT:
            return game_text.to_text(game)
        return await self._ask(reader, address, place, game_text.to_text, game)

    async def _ask(
        self,
        reader: str,
        address: str,
        place: Hashable,
        function: Callable[[Any], _T],
        record: Game | str,
    ) -> _T:
        """The worker's answer about this record; readers with the same question share it."""
        key = function, place
        for (_, elsewhere), other in self._flights.items():
            if elsewhere != place and reader in other.waiting:
                raise TooMany
        while True:
            flight = self._flights.get(key)
            if flight is None:
                here = sum(other.address == address for other in self._flights.values())
                if here >= self._most_asked:
                    raise Busy
                answer = asyncio.create_task(self._answer(address, function, record))
                flight = self._flights[key] = _Flight(record, address, answer, [])
            said = await self._wait(reader, key, flight)
            if flight.record == record:  # otherwise the match has gone on meanwhile
                return said  # type: ignore[no-any-return]

    async def _answer(self, address: str, function: Callable[[Any], _T], record: Game | str) -> _T:
        try:
            async with self._turns.of(address):
                return await self._workers.ask(function, record)
        except NoAnswer:
            raise Busy from None

    async def _wait(self, reader: str, key: _Key, flight: _Flight) -> Any:
        """Wait for an answer; the question is cancelled when its last reader leaves."""
        flight.waiting.append(reader)
        try:
            return await asyncio.shield(flight.answer)
        finally:
            flight.waiting.remove(reader)
            if flight.answer.done() or not flight.waiting:
                flight.answer.cancel()
                if self._flights.get(key) is flight:
                    del self._flights[key]

    def _keep(self, place: Hashable, record: Game | str, hands: Hands) -> None:
        """Cache the hands; the least recently used are evicted."""
        size = sum(map(len, hands.values())) + _ENTRY
        size += len(record) if isinstance(record, str) else 0
        before = self._kept.pop(place, None)
        if before is not None:
            self._size -= before.size
        self._kept[place] = _Kept(record, hands, size)
        self._size += size
        while self._size > self._most_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._size -= oldest.size

    async def close(self) -> None:
        """Stop the worker."""
        await self._workers.close()

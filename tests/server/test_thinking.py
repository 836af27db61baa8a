"""When a bot's move appears, and whose move it is if the bot is late or has failed."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from millebornes.bots import LEVELS
from millebornes.rules import View
from millebornes.server.bot_workers import CAP, RESERVE, SIMPLEST, LocalThinkers, State
from millebornes.server.sample import sample_turn
from millebornes.server.thinking import Thinking
from millebornes.server.workers import NoAnswer
from millebornes.table import Think
from tests.virtual_time import VirtualClock, on_virtual_time

Answer = Callable[[], Awaitable[str]]
SLOT = 500
LATEST = CAP - RESERVE
FAILED = CAP - 50


def after(milliseconds: int, move: str = "its move") -> Answer:
    async def answer() -> str:
        await asyncio.sleep(milliseconds / 1000)
        return move

    return answer


async def never() -> str:
    await asyncio.Event().wait()
    raise AssertionError


async def fails() -> str:
    raise NoAnswer


class Bots(LocalThinkers):
    """A level that answers as it is told to."""

    def __init__(self, search: Answer, base: Answer = fails, slot: int = SLOT) -> None:
        super().__init__()
        self._answers = {"think": search, "base": base}
        self._slot = slot
        self.ready = asyncio.Event()
        self.ready.set()

    @property
    def levels(self) -> dict[str, State]:
        return {"rally": State(self.ready.is_set())}

    def slot(self, _level: str | None) -> int:
        return self._slot

    async def settle(self, _level: str) -> None:
        await self.ready.wait()

    async def think(self, _level: str | None, _view: View) -> str:
        return await self._answers["think"]()

    async def think_at_once(self, _level: str | None, _view: View) -> str:
        return await self._answers["base"]()


def watched_after(milliseconds: int) -> asyncio.Event:
    watched = asyncio.Event()
    asyncio.get_running_loop().call_later(milliseconds / 1000, watched.set)
    return watched


async def shown(
    bots: Bots,
    pace: int,
    level: str | None = "rally",
    thinking: Thinking | None = None,
    watched: asyncio.Event | None = None,
) -> tuple[str | None, int]:
    """The move, and the time in milliseconds until it appears."""
    clock = VirtualClock()
    began = clock.now()
    thinking = thinking or Thinking(bots, clock)
    think = Think(0, level, sample_turn(), "turn", 1, began + pace)
    move = await thinking.move(think, watched or watched_after(0))
    return move, clock.now() - began


@on_virtual_time
@pytest.mark.parametrize(
    ("pace", "took", "appears"),
    [
        (1200, 0, 1200),
        (1200, 300, 1200),
        (1200, 1200, 1200),
        (0, 0, SLOT),
        (0, 300, SLOT),
        (0, SLOT, SLOT),
        (5000, 1000, 5000),
    ],
)
async def test_a_move_appears_at_the_pace_or_in_its_slot_however_long_it_took(
    pace: int, took: int, appears: int
) -> None:
    assert await shown(Bots(after(took)), pace) == ("its move", appears)


@on_virtual_time
@pytest.mark.parametrize(
    ("pace", "took", "appears"),
    [(0, SLOT + 1, 2 * SLOT), (0, 2 * SLOT, 2 * SLOT), (0, 1299, CAP), (1200, 1201, CAP)],
)
async def test_a_late_move_appears_by_whole_slots_later_and_at_the_cap_at_the_latest(
    pace: int, took: int, appears: int
) -> None:
    bots = Bots(after(took))
    thinking = Thinking(bots, VirtualClock())
    assert await shown(bots, pace, thinking=thinking) == ("its move", appears)
    assert (thinking.counts.thoughts, thinking.counts.late, thinking.counts.capped) == (1, 1, 0)


@on_virtual_time
@pytest.mark.parametrize(
    "search", [never, fails, after(LATEST + 1)], ids=["never", "fails", "late"]
)
async def test_at_the_cap_a_level_plays_its_own_base_policy_and_that_is_counted(
    search: Answer,
) -> None:
    bots = Bots(search, after(100, "its base move"))
    thinking = Thinking(bots, VirtualClock())
    move, appears = await shown(bots, 1200, thinking=thinking)
    assert move == "its base move"
    assert appears == (1200 if search is fails else CAP)
    assert thinking.counts.capped == 1
    assert thinking.counts.replaced == 0


@on_virtual_time
async def test_a_base_policy_that_is_slow_is_still_there_at_the_cap() -> None:
    bots = Bots(never, after(FAILED - 650 - 1, "its base move"))
    assert await shown(bots, 1200) == ("its base move", CAP)


@on_virtual_time
@pytest.mark.parametrize("search", [never, fails])
@pytest.mark.parametrize("base", [never, fails])
async def test_a_level_without_any_move_has_failed_and_that_is_told_at_a_fixed_time(
    search: Answer, base: Answer
) -> None:
    bots = Bots(search, base)
    thinking = Thinking(bots, VirtualClock())
    move, appears = await shown(bots, 0, thinking=thinking)
    assert move is None
    assert appears == (FAILED if base is never else LATEST)
    assert (thinking.counts.capped, thinking.counts.replaced) == (0, 1)


@on_virtual_time
@pytest.mark.parametrize("level", [None, SIMPLEST])
async def test_the_simplest_level_is_waited_for_since_nobody_could_replace_it(
    level: str | None,
) -> None:
    bots = Bots(never, after(2000))
    assert await shown(bots, 0, level) == ("its move", 650 + 2000)
    with pytest.raises(NoAnswer):
        await shown(Bots(never, fails), 0, level)


def warm_after(milliseconds: int, search: Answer, base: Answer = fails) -> Bots:
    """Bots of a server that has just been started."""
    bots = Bots(search, base)
    bots.ready.clear()
    asyncio.get_running_loop().call_later(milliseconds / 1000, bots.ready.set)
    return bots


@on_virtual_time
@pytest.mark.parametrize(
    ("warm", "pace", "appears"), [(900, 1200, 1200), (900, 0, 2 * SLOT), (1280, 0, CAP)]
)
async def test_after_a_restart_a_level_that_is_warm_in_time_makes_its_own_move(
    warm: int, pace: int, appears: int
) -> None:
    bots = warm_after(warm, after(10))
    thinking = Thinking(bots, VirtualClock())
    assert await shown(bots, pace, thinking=thinking) == ("its move", appears)
    assert (thinking.counts.waited, thinking.counts.replaced) == (1, 0)


@on_virtual_time
async def test_after_a_restart_a_level_that_is_hardly_warm_plays_its_base_policy() -> None:
    bots = warm_after(1280, after(100), after(100, "its base move"))
    assert await shown(bots, 0) == ("its base move", CAP)


@on_virtual_time
@pytest.mark.parametrize("pace", [0, 1200])
async def test_after_a_restart_a_level_that_is_not_warm_in_time_is_replaced(pace: int) -> None:
    bots = warm_after(9000, after(10), after(10))
    thinking = Thinking(bots, VirtualClock())
    assert await shown(bots, pace, thinking=thinking) == (None, LATEST)
    assert (thinking.counts.waited, thinking.counts.replaced) == (1, 1)
    assert thinking.counts.capped == thinking.counts.late == 0


@on_virtual_time
async def test_where_nobody_is_connected_a_level_gets_all_the_time_to_warm_up() -> None:
    bots = warm_after(9000, after(10))
    thinking = Thinking(bots, VirtualClock())
    shown_at = await shown(bots, 1200, thinking=thinking, watched=asyncio.Event())
    assert shown_at == ("its move", 9000 + SLOT)
    assert (thinking.counts.waited, thinking.counts.late, thinking.counts.replaced) == (1, 0, 0)


@on_virtual_time
async def test_the_cap_begins_when_somebody_connects() -> None:
    in_time = warm_after(9000, after(10))
    assert await shown(in_time, 0, watched=watched_after(8000)) == ("its move", 8000 + 3 * SLOT)
    too_late = warm_after(9500, after(10))
    assert await shown(too_late, 0, watched=watched_after(8000)) == (None, 8000 + LATEST)


@on_virtual_time
async def test_a_level_can_be_seated_when_it_is_ready() -> None:
    bots = Bots(never)
    thinking = Thinking(bots, VirtualClock())
    assert thinking.levels == ("rally",)
    assert thinking.why_not_seated("rally") is None
    bots.ready.clear()
    refused = thinking.why_not_seated("rally")
    assert refused is not None
    assert refused.code == "level_warming_up"
    assert thinking.why_not_seated("nobody's") is None  # that is for the table to say


@on_virtual_time
async def test_a_level_of_ours_that_this_machine_cannot_run_is_refused_with_the_reason() -> None:
    class WithoutNumba(LocalThinkers):
        @property
        def levels(self) -> dict[str, State]:
            return {name: State(True) for name, one in LEVELS.items() if not one.needs_kernel}

    refused = Thinking(WithoutNumba(), VirtualClock()).why_not_seated("commuter")
    assert refused is not None
    assert refused.code == "level_needs_numba"
    assert refused.params["levels"] == "learner, sunday-driver"

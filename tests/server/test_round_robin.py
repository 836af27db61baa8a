"""RoundRobinLock: one at a time, and names in rotation."""

import asyncio

import pytest

from millebornes.server.round_robin import RoundRobinLock


async def take_turn(turns: RoundRobinLock, name: str, done: list[str]) -> None:
    async with turns.of(name):
        done.append(name)


async def test_turns_go_round_by_name() -> None:
    turns, done = RoundRobinLock(), list[str]()
    async with turns.of("a"):
        asked = [
            asyncio.ensure_future(take_turn(turns, name, done))
            for name in ("a", "a", "a", "b", "c", "b")
        ]
        await asyncio.sleep(0)
        assert done == []
    await asyncio.gather(*asked)
    assert done == ["a", "b", "c", "a", "b", "a"]
    async with turns.of("a"):  # nobody waits: it is free
        pass


@pytest.mark.parametrize("when", ["while waiting", "when it was given"])
@pytest.mark.timeout(10)
async def test_a_turn_of_somebody_who_has_gone_is_passed_on(when: str) -> None:
    turns, done = RoundRobinLock(), list[str]()
    async with turns.of("a"):
        gone, waits = [
            asyncio.ensure_future(take_turn(turns, name, done)) for name in ("gone", "waits")
        ]
        await asyncio.sleep(0)
        if when == "while waiting":
            gone.cancel()
            await asyncio.sleep(0)
    gone.cancel()
    await asyncio.wait((gone, waits))
    assert done == ["waits"]
    async with turns.of("a"):
        pass

"""What each request and message costs the event loop is measured; here, that all of them are.

The figures are those of the long run: `python -m tests.abuse.loop_cpu`.
"""

import asyncio
import time

from millebornes.table import messages_in

from .loop_cpu import CpuWatch, fuzz_loop


def test_every_request_and_message_is_tried_and_none_makes_the_server_fail() -> None:
    report = fuzz_loop(1500, seed=1)
    assert report.failed == []
    tried = set(report.inputs)
    assert {name for name in tried if name.startswith("message ")} >= {
        f"message {one.__struct_config__.tag}" for one in messages_in.In.__args__
    }
    assert len({name for name in tried if name.startswith(("GET", "POST", "DELETE"))}) >= 20
    assert report.slowest.keys() >= tried - {"socket"}


def test_a_callback_that_takes_long_is_seen() -> None:
    def think() -> None:
        until = time.thread_time() + 0.03
        while time.thread_time() < until:
            pass

    async def main() -> None:
        watch.begin("slow", "thinking")
        asyncio.get_running_loop().call_soon(think)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    with CpuWatch() as watch, asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(main())
    assert watch.slowest["slow"].ms >= 30

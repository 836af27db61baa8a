"""The log: lines that outsiders cause cannot fill the operator's disk, and no line has secrets."""

import io
import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from millebornes.server.logs import _KINDS, _SAME, Lines, RateLimitedHandler, redacted, set_up_logs
from tests.server_process import server_process
from tests.virtual_time import ManualClock

INVALID = "Invalid HTTP request received."


class Log:
    def __init__(self) -> None:
        self.clock = ManualClock()
        self._stream = io.StringIO()
        self.handler = RateLimitedHandler(self._stream, self.clock)
        self.handler.setFormatter(Lines())

    def say(self, text: str, *arguments: object, name: str = "uvicorn.error") -> None:
        self.handler.handle(logging.LogRecord(name, logging.WARNING, "", 0, text, arguments, None))

    def lines(self) -> list[str]:
        """The lines since the last call."""
        said = [json.loads(line)["message"] for line in self._stream.getvalue().splitlines()]
        self._stream.seek(0)
        self._stream.truncate()
        return said


def test_a_few_lines_a_minute_are_written_and_then_how_many_there_were() -> None:
    log = Log()
    for _ in range(1000):
        log.say(INVALID)
    assert log.lines() == [INVALID] * _SAME
    log.clock.advance(59)
    log.say(INVALID)
    assert log.lines() == []
    log.clock.advance(1)
    log.say(INVALID)
    told = f"{1001 - _SAME} more lines of this kind within a minute: {INVALID}"
    assert log.lines() == [told, INVALID]
    log.clock.advance(60)
    log.handler.report_suppressed()
    assert log.lines() == []  # nothing was left out


def test_any_line_or_a_look_or_the_end_tells_what_was_left_out() -> None:
    ways: tuple[Callable[[Log], None], ...] = (
        lambda log: log.say("something else"),
        lambda log: log.handler.report_suppressed(),
        lambda log: log.handler.close(),
    )
    for tell in ways:
        log = Log()
        for _ in range(_SAME + 3):
            log.say(INVALID)
        log.lines()
        log.clock.advance(60)
        tell(log)
        assert log.lines()[0] == f"3 more lines of this kind within a minute: {INVALID}"


def test_lines_are_of_one_kind_by_logger_and_template() -> None:
    log = Log()
    for number in range(_SAME + 1):
        log.say("an input could not be written: %s", number)
    assert log.lines()[-1] == f"an input could not be written: {_SAME - 1}"
    log.say("an input could not be written: %s", 0, name="elsewhere")
    log.say("another line")
    assert len(log.lines()) == 2


def test_templates_that_never_repeat_are_limited_too() -> None:
    log = Log()
    for number in range(10_000):
        log.say(f"line {number}")
    assert len(log.lines()) == _KINDS + _SAME
    log.clock.advance(60)
    log.handler.report_suppressed()
    assert log.lines() == [
        f"{10_000 - _KINDS - _SAME} more lines of this kind within a minute: others"
    ]


def test_many_threads_may_log_at_once() -> None:
    log = Log()

    def flood() -> None:
        for _ in range(200):
            log.say(INVALID)

    threads = [threading.Thread(target=flood) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.lines() == [INVALID] * _SAME
    log.clock.advance(60)
    log.handler.report_suppressed()
    assert log.lines() == [f"{1600 - _SAME} more lines of this kind within a minute: {INVALID}"]


@pytest.fixture
def restored() -> Iterator[None]:
    root = logging.getLogger()
    before = (root.level, root.handlers[:])
    yield
    root.setLevel(before[0])
    root.handlers[:] = before[1]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize(
    "name", ["uvicorn.error", "asyncio", "websockets.server", "millebornes.server.room"]
)
def test_the_lines_of_every_logger_are_limited(name: str) -> None:
    stream = io.StringIO()
    set_up_logs("info", stream, ManualClock())
    for number in range(100):
        logging.getLogger(name).warning("it failed again: %d", number)
    assert len(stream.getvalue().splitlines()) == _SAME


def test_a_flood_of_what_is_no_http_gives_a_few_lines(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        where = ("127.0.0.1", int(server.url.rpartition(":")[2]))
        for _ in range(50):
            with socket.create_connection(where) as peer:
                peer.sendall(b"\x16\x03\x01 not HTTP\r\n\r\n")
                assert b" 400 " in peer.recv(1000)
    said = [line["message"] for line in server.log()]
    assert said.count(INVALID) == _SAME
    assert f"{50 - _SAME} more lines of this kind within a minute: {INVALID}" in said


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The log as the operator reads it. The loggers are restored afterwards."""
    root = logging.getLogger()
    before = (root.level, root.handlers[:])
    stream = io.StringIO()
    set_up_logs("debug", stream)
    yield stream
    root.setLevel(before[0])
    root.handlers[:] = before[1]


def test_the_log_is_one_json_object_a_line_without_secrets(log: io.StringIO) -> None:
    token = "Zm9vYmFyYmF6cXV4" * 3
    logging.getLogger("uvicorn.error").warning("WebSocket /api/tables/abc/socket?x=1 %s", token)
    try:
        raise ValueError("the hand holds ACE")
    except ValueError:
        logging.getLogger("millebornes.server.room").exception("it failed\nbadly")
    first, second = map(json.loads, log.getvalue().splitlines())
    assert first["message"] == "WebSocket /api/tables/***/socket?x=1 ***"
    assert (first["level"], first["from"]) == ("warning", "uvicorn.error")
    assert (second["level"], second["error"]) == ("error", "ValueError")
    assert "test_logs.py" in second["where"]
    assert "ACE" not in log.getvalue()


def test_words_in_log_messages_stay_readable() -> None:
    for text in (
        "retention: 3 old tables and games deleted",
        "a bot of level sunday-driver timed out or crashed; replacing the workers",
        "websockets_sansio_impl.py:120 handle_connect",
        "serving on http://192.168.100.200:8954, http://[2001:db8::1]:8954",
    ):
        assert redacted(text) == text
    assert isinstance(Lines(), logging.Formatter)

"""A bot that hangs, dies or answers nonsense is ended and reported, and harms nobody else."""

import os
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from millebornes.plugins import BotFailure, Entrant, process
from millebornes.plugins.outside import OutsidePlayer
from millebornes.plugins.pipes import copied
from millebornes.plugins.process import LONGEST_LINE

from .outside import CLASSES, started, strange, views

FAULTS = [
    ("die", "died", "exit code 3: [31mmy engine is broken"),
    ("die-at-once", "died", "exit code 1: no licence"),
    ("killed", "died", "ended by SIGKILL"),
    ("close-stdout", "died", "it has closed its output"),
    ("rubbish", "nonsense", "it said “I think [2J I shall drive.”: JSON is malformed"),
    ("bytes", "nonsense", "it said “��”"),
    ("flood", "nonsense", f"a line of more than {LONGEST_LINE} bytes"),
    ("long-line", "nonsense", f"a line of more than {LONGEST_LINE} bytes"),
    ("no-move", "nonsense", "“full throttle” is not a move"),
    ("wrong-id", "nonsense", "it answered question 2: must be 1"),
    ("ready-again", "nonsense", "it said “ready”: must be “move”"),
    ("other-type", "nonsense", 'it said “{"type": "greeting"'),
    ("other-version", "nonsense", "it speaks version 2 of the protocol: must be 1"),
    ("illegal", "illegal", "ext is not legal here: must be one of "),
    ("error", "error", "no idea"),
]


def failure_of(entrant: Entrant, patience: float = 30.0) -> BotFailure:
    """How a bot fails at the first question."""
    with started(entrant, patience) as player:
        with pytest.raises(BotFailure) as caught:
            player.choose(views()[0])
        assert isinstance(player, OutsidePlayer)
        if caught.value.fault in ("hung", "died", "nonsense"):
            assert player.process.exit_code is not None, "its process is still there"
            with pytest.raises(BotFailure) as again:
                player.choose(views()[0])
            assert again.value is caught.value
    assert player.process.exit_code is not None
    return caught.value


@pytest.mark.parametrize(("way", "fault", "detail"), FAULTS, ids=[way for way, _, _ in FAULTS])
def test_a_bot_that_goes_wrong_is_reported(way: str, fault: str, detail: str) -> None:
    failure = failure_of(Entrant(strange(way), "program"))
    assert failure.fault == fault
    assert failure.detail.startswith(detail)
    assert failure.detail.isprintable()
    assert len(failure.detail) <= 300
    assert pickle.loads(pickle.dumps(failure)).detail == failure.detail


@pytest.mark.parametrize("way", ["hang", "hang-deaf"])
def test_a_bot_that_hangs_is_ended(way: str) -> None:
    entrant = Entrant(strange(way), "program")
    with started(entrant, patience=0.1) as player:
        player.get_ready()
        with pytest.raises(BotFailure) as caught:
            player.choose(views()[0])
        assert (caught.value.fault, caught.value.detail) == ("hung", "no answer within 0.1 s")
        assert isinstance(player, OutsidePlayer)
        assert player.process.exit_code is not None


def test_a_bot_that_never_says_that_it_is_ready_is_ended() -> None:
    player = Entrant(strange("mute"), "program").start(start_patience=0.1)
    with pytest.raises(BotFailure, match=r"hung: no answer within 0\.1 s"):
        player.get_ready()
    player.close()


def test_a_program_that_has_vanished_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BotFailure, match=r"died: it cannot be started: .*No such file"):
        Entrant(f"cmd:{tmp_path / 'gone'}", "program").start()


@pytest.mark.parametrize(
    ("name", "fault", "detail"),
    [
        ("Raising", "error", "ZeroDivisionError: no idea for seat "),
        ("Forgetful", "nonsense", "“None” is not a move"),
    ],
)
def test_a_class_that_goes_wrong_is_reported(name: str, fault: str, detail: str) -> None:
    failure = failure_of(Entrant(f"{CLASSES}:{name}", "class"))
    assert failure.fault == fault
    assert failure.detail.startswith(detail)


def test_what_a_class_prints_or_reads_does_not_disturb_the_protocol() -> None:
    with started(Entrant(f"{CLASSES}:Chatty", "class")) as player:
        for view in views():
            assert player.choose(view) == view.legal_moves[-1]


def test_a_bot_may_write_much_on_standard_error() -> None:
    with started(Entrant(strange("noisy-stderr"), "program")) as player:
        for view in views()[:5]:
            assert player.choose(view) == view.legal_moves[0]


def test_a_second_answer_is_not_taken_for_the_next_one() -> None:
    with started(Entrant(strange("twice"), "program")) as player:
        player.choose(views()[0])
        with pytest.raises(BotFailure, match="nonsense: it answered question 1: must be 2"):
            player.choose(views()[1])


def test_an_illegal_move_or_an_error_does_not_end_the_process() -> None:
    for way in ("illegal", "error"):
        with started(Entrant(strange(way), "program")) as player:
            for _ in range(2):
                with pytest.raises(BotFailure, match=way):
                    player.choose(views()[0])


def test_the_children_of_a_bot_end_with_it(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with started(Entrant(strange("child", fifo), "program")) as player:
            player.choose(views()[0])
            with pytest.raises(BlockingIOError):  # the child is there, and holds it open
                os.read(reader, 1)
        os.set_blocking(reader, True)
        assert os.read(reader, 1) == b""  # at its end
    finally:
        os.close(reader)


def test_nothing_is_left_of_bots_that_were_closed() -> None:
    def held() -> tuple[int, int]:
        return len(list(Path("/dev/fd").iterdir())), threading.active_count()

    before = held()
    for way in ("fine", "stay", "die", "rubbish"):
        with started(Entrant(strange(way), "program")) as player:
            try:
                player.choose(views()[0])
            except BotFailure:
                assert way in ("die", "rubbish")
        player.close()  # a second time does no harm
    assert held() == before


def test_a_bot_that_was_closed_plays_no_more() -> None:
    with started(Entrant(strange("fine"), "program")) as player:
        player.choose(views()[0])
    with pytest.raises(BotFailure, match="died: it was closed"):
        player.choose(views()[0])


def test_a_program_gets_our_environment_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of Python must not find the modules of ours."""
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    assert failure_of(Entrant(strange("environment"), "program")).detail == "somewhere"


def test_threads_may_share_a_bot() -> None:
    asked = views()[:20]
    with (
        started(Entrant(strange("fine"), "program")) as player,
        ThreadPoolExecutor(4) as pool,
    ):
        assert list(pool.map(player.choose, asked)) == [view.legal_moves[0] for view in asked]


@pytest.mark.parametrize("way", ["fine", "hang", "flood", "die"])
def test_bots_play_where_a_selector_cannot_wait_for_pipes(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows: threads copy the pipes to sockets."""
    monkeypatch.setattr(process, "pipes_of", lambda p: copied(p.stdin, p.stdout, p.stderr))
    before = set(threading.enumerate())
    fault = {"fine": None, "hang": "hung", "flood": "nonsense", "die": "died"}[way]
    entrant = Entrant(strange(way), "program")
    with started(entrant, patience=0.1 if way == "hang" else 30.0) as player:
        player.get_ready()
        if fault is None:
            assert [player.choose(view) for view in views()] == [
                view.legal_moves[0] for view in views()
            ]
        else:
            with pytest.raises(BotFailure, match=fault):
                player.choose(views()[0])
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
        assert not thread.is_alive()

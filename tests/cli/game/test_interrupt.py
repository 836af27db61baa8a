"""Ctrl-C, end of input, a kill: no move is lost, and the game can be resumed."""

import os
import pty
import select
import signal
import subprocess
from pathlib import Path

import pytest

from millebornes.records import game, position, replay
from tests.cli.people import COMMAND, environment, run

PROMPT = "? = help): "
PATIENCE = 30.0  # seconds before a program that hangs fails the test


class Terminal:
    """The program in a pseudo-terminal."""

    def __init__(self, data: Path, *args: str) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(data, NO_COLOR="1"),
            start_new_session=True,
        )
        os.close(slave)
        self.text = ""

    def wait_for(self, prompt: str) -> str:
        """Wait for this prompt. Return the output up to it."""
        start = len(self.text)
        while not self.text[start:].endswith(prompt):
            ready, _, _ = select.select([self.master], [], [], PATIENCE)
            assert ready, self.text
            self.text += os.read(self.master, 65536).decode("utf-8", "replace").replace("\r", "")
        return self.text[start:]

    def type(self, line: str) -> None:
        os.write(self.master, line.encode())

    def press(self, how: signal.Signals) -> None:
        """Send a signal, again and again until the program ends, as a person presses Ctrl-C.

        Line editing notices a signal only while it waits for a key, not in the instant
        between writing the prompt and waiting.
        """
        for _ in range(int(PATIENCE)):
            self.process.send_signal(how)
            try:
                self.process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                continue
            return

    def end(self) -> str:
        """Wait for the program to end. Return the rest of the output."""
        self.process.wait(timeout=PATIENCE)
        rest = b""
        while True:
            try:
                part = os.read(self.master, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not part:
                break
            rest += part
        os.close(self.master)
        return rest.decode("utf-8", "replace").replace("\r", "")


def table(text: str) -> str:
    """The last table and hand shown."""
    lines = text[text.rindex("━━ Hand") :].splitlines()
    return "\n".join(lines[: next(i for i, line in enumerate(lines) if "? = help" in line)])


def saved(data: Path) -> str:
    (path,) = (data / "games").glob("*.txt")
    return path.read_text(encoding="utf-8")


def state(text: str) -> str:
    return position.to_text(list(replay(game.from_text(text)))[-1].match)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_an_interrupted_game_resumes_in_the_same_state(how: signal.Signals, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "--seed", "interrupt", "--players", "3")
    terminal.wait_for(PROMPT)
    terminal.type("d 1\n")
    shown = terminal.wait_for(PROMPT)
    before = saved(tmp_path)
    terminal.press(how)
    rest = terminal.end()
    assert "Traceback" not in rest
    if how is signal.SIGINT:
        assert terminal.process.returncode == 130
        assert "millebornes play --resume " in rest
    assert saved(tmp_path) == before
    assert not list((tmp_path / "games").glob(".*"))

    resumed = run("play", "--resume", stdin="", data=tmp_path)
    assert resumed.returncode == 0
    assert table(resumed.stdout) == table(shown)
    assert state(saved(tmp_path)) == state(before)


def test_end_of_input_at_a_terminal_saves_the_game(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "--seed", "eof")
    terminal.wait_for(PROMPT)
    terminal.type("\x04")
    rest = terminal.end()
    assert terminal.process.returncode == 0
    assert "millebornes play --resume " in rest


def test_quit_at_a_terminal_saves_the_game(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "--seed", "quit", "--lang", "fr")
    terminal.wait_for("? = aide)\u00a0: ")
    terminal.type("quitter\n")
    rest = terminal.end()
    assert terminal.process.returncode == 0
    assert "La partie est enregistrée." in rest


def test_an_interrupt_at_a_pipe_prints_no_error(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "play", "--seed", "pipe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    ) as process:
        assert process.stdout is not None
        written = b""
        while not written.endswith(PROMPT.encode()):
            part = os.read(process.stdout.fileno(), 65536)
            assert part, written
            written += part
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert errors == b""

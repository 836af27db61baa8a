"""People at the keyboard: scripted, typing blindly, or looking at the screen."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path

from rich.text import Text
from typer.testing import CliRunner

from millebornes.cli import app

# An interrupt reaches the child even if the test run itself ignores it.
ENTRY = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from millebornes.__main__ import main; main()"
)
COMMAND = (sys.executable, "-c", ENTRY)
ESCAPE = "\x1b"


def environment(data: Path | None = None, **more: str) -> dict[str, str]:
    """A plain environment: English, 80 columns, none of the machine's own settings."""
    keep = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT", "HOME") if key in os.environ}
    base = {**keep, "LC_ALL": "C.UTF-8", "COLUMNS": "80", "TERM": "xterm-256color"}
    if data is not None:
        base["MILLEBORNES_DATA"] = str(data)
    return {**base, **more}


def run(
    *args: str | Path,
    stdin: str | bytes = "",
    data: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run the command in a child process, through pipes."""
    done = subprocess.run(
        [*COMMAND, *map(str, args)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env=environment(data, **(env or {})),
        check=False,
        timeout=50,
    )
    return subprocess.CompletedProcess(
        done.args,
        done.returncode,
        done.stdout.decode("utf-8", "replace"),
        done.stderr.decode("utf-8", "replace"),
    )


def ask(
    *args: str | Path, stdin: str | bytes = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in this process: faster, and an uncaught exception fails the test."""
    plain = {"LC_ALL": "C.UTF-8", "COLUMNS": "80", **(env or {})}
    done = CliRunner().invoke(
        app, [str(arg) for arg in args], input=stdin, env=plain, catch_exceptions=False
    )
    return subprocess.CompletedProcess(args, done.exit_code, done.stdout, done.stderr)


def blind_person(turns: int = 4000) -> str:
    """Lines that try every number, discard, answer yes, finish, and press Enter."""
    # After 7, low numbers again: they answer "on whom?" if a late card was an attack.
    round_ = [*"1234567", *"123", "d1", "y", "f", ""]
    return "\n".join(chain.from_iterable(repeat(round_, turns))) + "\n"


class ScriptedScreen:
    """A screen that records the output and answers from a script; then the input ends."""

    width = 80

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.questions: list[str] = []
        self.shown: list[str] = []

    def show(self, lines: Sequence[Text | str]) -> None:
        self.shown += [line.plain if isinstance(line, Text) else line for line in lines]

    def ask(self, question: str) -> str:
        self.questions.append(question)
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


class SeeingScreen(ScriptedScreen):
    """Plays the first card that is marked as playable, else discards the first."""

    def ask(self, question: str) -> str:
        self.questions.append(question)
        whom = re.search(r"\? (\d) ", question)
        if whom:
            return whom[1]
        if question.endswith(("(y/n)", "(o/n)")):
            return question[-4]
        if question.endswith(("(e/f)", "(a/f)")):
            return "f"
        if "d =" not in question:
            return ""
        start = max(i for i, line in enumerate(self.shown) if "(*" in line)
        starred = [int(n) for n in re.findall(r" (\d) \* ", "\n".join(self.shown[start:]))]
        return str(min(starred)) if starred else "d 1"

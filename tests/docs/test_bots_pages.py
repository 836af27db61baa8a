"""The pages for people who write bots: the protocol is complete, and the snippets work."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

import msgspec
import pytest
import typer.main
from typer.testing import CliRunner

from millebornes.cli import app
from millebornes.plugins import PATIENCE, START_PATIENCE, find_bot, protocol
from millebornes.plugins.conformance import check_bot
from millebornes.plugins.player import Fault
from millebornes.plugins.process import LONGEST_LINE
from tests.plugins.outside import started, views
from tests.plugins.test_entrant import install
from tools.generate import ROOT

from .blocks import blocks_of

BOTS = ROOT / "docs" / "bots"
PROTOCOL = BOTS / "protocol.md"
FIRST_STEPS = BOTS / "your-bot.md"
TEXT = PROTOCOL.read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def test_every_message_and_fault_is_described() -> None:
    headings = re.findall(r"^### (\w+)$", TEXT, re.MULTILINE)
    assert len(set(headings)) == len(headings)
    known = {*get_args(protocol.ToBot), *get_args(protocol.FromBot)}
    assert {cls.__name__ for cls in known} <= set(headings)
    assert {"Position", "Asked", "HandView", "SideView", "EditionRules"} <= set(headings)
    for fault in get_args(Fault):
        assert f"| `{fault}` |" in TEXT


def test_every_link_on_the_page_leads_somewhere() -> None:
    headings = re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings
    }
    assert set(re.findall(r"\(#([\w-]+)\)", TEXT)) <= anchors


def test_the_page_says_the_version_and_the_limits() -> None:
    assert f"specifies version {protocol.PROTOCOL}." in TEXT
    assert f"within {START_PATIENCE:g} seconds" in TEXT
    assert f"within {PATIENCE:g} seconds" in TEXT
    assert f"more than {LONGEST_LINE} bytes" in TEXT


def test_the_example_bot_has_the_conversation_of_the_page() -> None:
    said = [json.loads(block.text) for block in blocks_of(PROTOCOL) if block.kind == "json"]
    to_bot, from_bot = said[0::2], said[1::2]
    assert [one["type"] for one in to_bot] == ["hello", "choose", "bye"]
    msgspec.convert(to_bot[1], protocol.Choose)
    done = subprocess.run(
        [sys.executable, str(BOTS / "example_bot.py")],
        input="".join(json.dumps(one) + "\n" for one in to_bot),
        capture_output=True,
        text=True,
        check=True,
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == from_bot


@pytest.fixture
def careful(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the class on the page, saved as it says."""
    (block,) = [block for block in blocks_of(FIRST_STEPS) if block.kind == "python"]
    (tmp_path / "careful.py").write_text(block.text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "careful:Careful"


def test_the_class_of_the_first_steps_can_play(careful: str) -> None:
    found = check_bot(find_bot(careful), views(), patience=30.0, start_patience=30.0)
    assert {one.result for one in found} == {"passed"}


def test_the_report_of_the_first_steps_is_the_report(careful: str) -> None:
    (shown,) = [block.text for block in blocks_of(FIRST_STEPS) if "can play" in block.text]
    answer = CliRunner().invoke(app, ["check-bot", careful, "--lang", "en"])
    assert answer.exit_code == 0
    assert re.sub(r"\d+ ms", "N ms", answer.output) == re.sub(r"\d+ ms", "N ms", shown)


@pytest.mark.usefixtures("careful")
def test_the_entry_point_of_the_first_steps_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (block,) = [block for block in blocks_of(FIRST_STEPS) if block.kind == "toml"]
    groups = tomllib.loads(block.text)["project"]["entry-points"]
    for name, place in groups["millebornes.bots"].items():
        install(tmp_path, name, place)
        monkeypatch.syspath_prepend(tmp_path)
        with started(find_bot(name)) as player:
            assert player.choose(views()[0]) in views()[0].legal_moves


def test_the_commands_of_the_first_steps_exist() -> None:
    lines = [
        shlex.split(line)
        for block in blocks_of(FIRST_STEPS)
        if block.kind == "sh"
        for line in block.text.splitlines()
    ]
    assert {"check-bot", "play", "bot"} <= {line[1] for line in lines}
    for line in lines:
        assert line[0] == "millebornes"
        if line[1] in ("check-bot", "play", "bot"):
            COMMANDS[line[1]].make_context(line[1], line[2:])  # raises if it has no such option


def test_the_example_has_as_many_lines_as_the_page_says() -> None:
    count = len((BOTS / "example_bot.py").read_text(encoding="utf-8").splitlines())
    assert f"a whole bot in {count} lines" in FIRST_STEPS.read_text(encoding="utf-8")

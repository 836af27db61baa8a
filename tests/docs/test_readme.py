"""The first page keeps its promises."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner

from millebornes.cli import app
from millebornes.rules import house_rules
from millebornes.server.config import Config

from .blocks import blocks_of

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
COMMANDS = typer.main.get_command(app)
_LINK = re.compile(r"\]\((?!https?://)([^)#\s]+)")


def test_the_first_screen_says_how_to_play_and_how_to_test() -> None:
    first_screen = README.read_text(encoding="utf-8").splitlines()[:40]
    assert any(line.startswith("make play") for line in first_screen)
    assert any(line.startswith("make test") for line in first_screen)


def test_the_first_sixty_lines_show_code_that_plays() -> None:
    first = "\n".join(README.read_text(encoding="utf-8").splitlines()[:60])
    (block,) = re.findall(r"^```pycon\n(.*?)^```$", first, re.M | re.S)
    assert "apply(match, seat, move)" in block  # a doctest runs it


def test_no_part_is_longer_than_a_screen() -> None:
    parts = README.read_text(encoding="utf-8").split("\n## ")
    assert max(part.count("\n") for part in parts) <= 50


def test_the_house_rules_of_the_readme_are_accepted() -> None:
    (block,) = (block for block in blocks_of(README) if block.kind == "toml")
    assert house_rules(block.text).name == "Sunday at the lake"


def test_the_argument_of_the_readme_is_settled_as_it_says() -> None:
    (case,) = (block for block in blocks_of(README) if block.kind == "judge")
    (shown,) = (block for block in blocks_of(README) if "legal in two of five" in block.text)
    answer = CliRunner().invoke(app, ["judge", "-", "--all-editions"], input=case.text)
    assert answer.output.endswith(shown.text)


def test_every_command_is_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for name in COMMANDS.commands:  # type: ignore[attr-defined]
        assert f"millebornes {name}" in text


def test_every_option_is_documented() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    settings = {"--" + setting.name.replace("_", "-") for setting in fields(Config)}
    for command in COMMANDS.commands.values():  # type: ignore[attr-defined]
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--") and option != "--help" and option not in settings:
                    assert f"{option}" in text, f"{command.name} {option}"


def test_every_setting_of_the_server_is_documented() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    for setting in fields(Config):
        assert f"| `{setting.name}` |" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in _LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target

"""`docs/records.md` specifies the texts: its examples are read, and no key is left out."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from millebornes.cli import app
from millebornes.records import RecordError, cut_game, game, judge, position, replay
from millebornes.records.position_reader import POSITION_KEYS

from .blocks import Block, blocks_of

PAGE = Path(__file__).parents[2] / "docs" / "records.md"
BLOCKS = blocks_of(PAGE)
READERS: dict[str, Callable[[str], object]] = {
    "position": position.from_text,
    "game": game.from_text,
    "judge": judge,
}


def of_kind(kind: str) -> list[Block]:
    return [block for block in BLOCKS if block.kind == kind]


@pytest.mark.parametrize("block", of_kind("position"), ids=str)
def test_every_position_on_the_page_is_read_and_written_back(block: Block) -> None:
    match = position.from_text(block.text)
    text = position.to_text(match)
    assert position.to_text(position.from_text(text)) == text


def test_the_canonical_position_on_the_page_is_canonical() -> None:
    page = PAGE.read_text(encoding="utf-8")
    at = page[: page.index("### Canonical form")].count("\n")
    block = next(block for block in of_kind("position") if block.line > at)
    assert position.to_text(position.from_text(block.text)) == block.text


@pytest.mark.parametrize("block", of_kind("game"), ids=str)
def test_every_game_on_the_page_is_canonical_and_replays(block: Block) -> None:
    record = game.from_text(block.text)
    assert game.to_text(record) == block.text
    assert list(replay(record))


def test_the_cut_game_on_the_page_is_what_seat_0_may_know() -> None:
    whole, cut = (game.from_text(block.text) for block in of_kind("game"))
    assert cut_game(whole, 0) == cut


@pytest.mark.parametrize("block", of_kind("judge"), ids=str)
def test_every_case_on_the_page_is_judged(block: Block) -> None:
    for judgement in judge(block.text):
        assert judgement.title
        assert judgement.verdicts


def test_the_judge_says_of_the_cases_what_the_page_says() -> None:
    cases = [case for block in of_kind("judge") for case in judge(block.text)]
    refused = {
        case.title: [str(v.token) for v in case.verdicts if v.reason is not None] for case in cases
    }
    assert refused == {
        "Is a Roll still needed after Extra Tank?": ["100"],
        "A coup fourré takes the turn": [],
        "Declined, then cured on the next turn": [],
        "Only the partner lets it stand; the other still may call": [],
        "Hit a car that is already stopped, and limit it": ["OUT>1"],
    }


def test_every_error_on_the_page_is_the_error_raised() -> None:
    errors = [(block, BLOCKS[i + 1]) for i, block in enumerate(BLOCKS) if "-error" in block.kind]
    assert len(errors) == len(of_kind("error"))
    for block, expected in errors:
        with pytest.raises(RecordError) as raised:
            READERS[block.kind.removesuffix("-error")](block.text)
        assert f"{raised.value}\n" == expected.text


def test_the_kinds_of_blocks_are_known() -> None:
    known = {"text", "error", *READERS, *(f"{kind}-error" for kind in READERS)}
    known |= {"json"}
    assert {block.kind for block in BLOCKS} <= known


def keys_the_parser_knows() -> set[str]:
    """The error for an unknown key lists the known keys."""
    keys = {"title", "moves"}
    for text, read in (
        ("nonsense: 1\n", position.from_text),
        ("game: 1\nnonsense: 1\n", game.from_text),
        ("game: 1\ndeal: 1\nnonsense: 1\n", game.from_text),
    ):
        with pytest.raises(RecordError) as raised:
            read(text)
        keys |= set(raised.value.expected.removeprefix("one of the keys ").split(", "))
    return keys


def test_every_key_has_a_row_of_its_own() -> None:
    tables = re.findall(r"^\| key \|.*\n((?:\|.*\n)*)", PAGE.read_text(encoding="utf-8"), re.M)
    rows = set(re.findall(r"^\| `([a-z]+(?: N)?)` \|", "".join(tables), re.M))
    assert rows == keys_the_parser_knows()
    assert rows >= set(POSITION_KEYS)


def test_the_json_on_the_page_is_what_the_judge_answers(tmp_path: Path) -> None:
    case = tmp_path / "case.txt"
    case.write_text(of_kind("judge")[0].text, encoding="utf-8")
    answer = CliRunner().invoke(app, ["judge", str(case), "--json", "--lang", "en"])
    judged = json.loads(answer.output)
    for move in judged["moves"]:
        assert position.to_text(position.from_text(move.pop("position")))
    (shown,) = of_kind("json")
    assert json.loads(shown.text) == judged

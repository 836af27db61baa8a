"""Every language says everything, and nothing that is never said."""

import ast
import json
import re
import string
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import pytest

import millebornes
from millebornes.fair.fault import FaultCode
from millebornes.rules import EDITIONS, PRESETS, ScoreSheet
from millebornes.rules.cards import ALL_CARDS, Card
from millebornes.rules.edition import rule_fields
from millebornes.rules.ending import ImpossibleCode
from millebornes.rules.reason import Code
from millebornes.words import DEFAULT_LANGUAGE, languages, words

SOURCE = Path(millebornes.__file__).parent
PYTHON = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py")))
SAID = set(re.findall(r"\.say\(\s*[\"'](\w+)[\"']", PYTHON))
OTHERS = [language for language in languages() if language != DEFAULT_LANGUAGE]
# Lists of what people may type: as long as a language needs.
FREE_LISTS = ("commands", "also", "printed")


def data(language: str) -> dict[str, Any]:
    text = resources.files("millebornes.words").joinpath(f"{language}.json").read_text("utf-8")

    def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs), [key for key, _ in pairs]
        return dict(pairs)

    loaded: dict[str, Any] = json.loads(text, object_pairs_hook=no_key_twice)
    return loaded


def leaves(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    if isinstance(value, dict):
        return {
            p: leaf for key, sub in value.items() for p, leaf in leaves(sub, (*path, key)).items()
        }
    return {path: value}


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def test_there_is_english_and_french() -> None:
    assert languages() == ("en", "fr")


@pytest.mark.parametrize("language", OTHERS)
def test_languages_have_the_same_keys(language: str) -> None:
    assert leaves(data(language)).keys() == leaves(data(DEFAULT_LANGUAGE)).keys()


@pytest.mark.parametrize("language", OTHERS)
def test_languages_fill_in_the_same_things(language: str) -> None:
    ours, theirs = leaves(data(DEFAULT_LANGUAGE)), leaves(data(language))
    for path, sentence in ours.items():
        if path[0] in FREE_LISTS:
            continue
        # A sentence for one hazard may say its remedy's name outright; none may ask for
        # what the other does not know.
        assert placeholders(theirs[path]) == placeholders(sentence), path


@pytest.mark.parametrize("language", languages())
def test_nothing_is_left_empty(language: str) -> None:
    assert all(leaf for leaf in leaves(data(language)).values())


@pytest.mark.parametrize("language", languages())
def test_every_reason_has_a_sentence_and_every_sentence_a_reason(language: str) -> None:
    assert set(data(language)["reasons"]) == set(get_args(Code))


@pytest.mark.parametrize("language", languages())
def test_every_fault_has_a_sentence_and_every_sentence_a_fault(language: str) -> None:
    assert set(data(language)["faults"]) == set(get_args(FaultCode))


@pytest.mark.parametrize("language", languages())
def test_every_impossible_hand_has_a_sentence_and_every_sentence_such_a_hand(
    language: str,
) -> None:
    assert set(data(language)["endings"]) == set(get_args(ImpossibleCode))


def test_every_fault_is_found_somewhere_with_what_its_sentence_needs() -> None:
    calls = [
        node
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Fault.of"
    ]
    found = {ast.literal_eval(call.args[0]): {k.arg for k in call.keywords} for call in calls}
    sentences = data(DEFAULT_LANGUAGE)["faults"]
    assert found == {code: placeholders(text) for code, text in sentences.items()}


@pytest.mark.parametrize("language", languages())
def test_every_card_score_line_and_edition_has_its_name(language: str) -> None:
    found = data(language)
    assert set(found["cards"]) == {card.value for card in Card}
    assert set(found["score"]) == {*ScoreSheet._fields, "forward", "total", "combined"}
    assert set(found["editions"]) == set(EDITIONS)
    assert set(found["presets"]) == set(PRESETS)
    assert all(set(preset) == {"name", "character"} for preset in found["presets"].values())


@pytest.mark.parametrize("language", languages())
def test_the_corner_of_a_card_says_a_word_of_its_name(language: str) -> None:
    found = data(language)
    for card, short in found["web"]["short"].items():
        if card == Card.UNKNOWN:
            continue
        names = re.split(r"[ '-]", found["cards"][card].casefold())
        begins = short.casefold().removesuffix(".")
        assert any(name.startswith(begins) for name in names), (card, short)
        # The whole word, or so much of it that nothing else begins like this.
        assert begins in names or len(begins) >= 3, (card, short)


@pytest.mark.parametrize("language", languages())
def test_every_rule_field_is_explained(language: str) -> None:
    assert list(data(language)["fields"]) == list(rule_fields())


def test_english_explains_fields_as_the_rules_do() -> None:
    assert data("en")["fields"] == {name: rule.means for name, rule in rule_fields().items()}


def test_every_sentence_of_the_interface_is_said_somewhere() -> None:
    assert set(data(DEFAULT_LANGUAGE)["ui"]) - SAID == set()


def test_everything_said_is_in_the_files() -> None:
    assert SAID - set(data(DEFAULT_LANGUAGE)["ui"]) == set()


def test_every_event_sentence_is_told_somewhere() -> None:
    told = set(re.findall(r"tell\(\s*f?\"(\w+)", PYTHON))
    for key in data(DEFAULT_LANGUAGE)["events"]:
        base = key.removesuffix("_you").removesuffix("_team")
        assert key in told or base in told, key


def test_every_section_is_used() -> None:
    for section in data(DEFAULT_LANGUAGE):
        # The browser's own words have a test of their own.
        if section not in ("language", "web", "pages"):
            read = f'.data["{section}"]'
            declared = (f'section: ClassVar = "{section}"', f'        return "{section}"\n')
            assert any(text in PYTHON for text in (read, *declared)), section


def test_a_typed_word_means_one_command_in_all_languages() -> None:
    from millebornes.records.names import words_of

    commands = data(DEFAULT_LANGUAGE)["commands"]
    meanings: dict[str, str] = {}
    for command in commands:
        for word in words_of(command):
            assert meanings.setdefault(word, command) == command, word


def test_every_command_word_list_is_used() -> None:
    from millebornes.cli.game.intention import COMMANDS

    used = set(re.findall(r"_is\(\w+, \"(\w+)\"\)", PYTHON)) | set(COMMANDS)
    assert set(data(DEFAULT_LANGUAGE)["commands"]) == used


def test_a_card_name_means_one_card_in_all_languages() -> None:
    from millebornes.records.names import plain

    meanings: dict[str, Card] = {}
    for language in languages():
        spoken = words(language)
        for card in ALL_CARDS:
            for name in (card.value, spoken.card(card), *spoken.also(card), *spoken.printed(card)):
                assert meanings.setdefault(plain(name), card) is card, name


@pytest.mark.parametrize("language", languages())
def test_other_names_are_of_cards(language: str) -> None:
    for section in ("also", "printed"):
        assert {Card(code) for code in data(language)[section]} <= set(ALL_CARDS)


@pytest.mark.parametrize("language", languages())
def test_no_sentence_is_too_long_to_read(language: str) -> None:
    long = {path for path, leaf in leaves(data(language)).items() if len(leaf) > 200}
    assert {path for path in long if path[0] != "fields"} == set()


def test_french_signs_do_not_leave_their_words_at_the_end_of_a_line() -> None:
    """A line may end at a space, but French has one before `:` and inside `« »`, too."""
    breaks = re.compile(r"« | [:;!?»%]")
    loose = [path for path, leaf in leaves(data("fr")).items() if breaks.search(str(leaf))]
    assert loose == []

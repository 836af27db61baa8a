"""Codes and editions become words."""

import pytest

from millebornes.bots import Advice
from millebornes.fair.fault import Fault
from millebornes.rules import EDITIONS, PRESETS, Decline, Event, Reason, house_rules
from millebornes.rules.events import HandEnded, MatchEnded
from millebornes.table import Refused
from millebornes.table.messages_out import Stake
from millebornes.words import Coded, words

ENGLISH = words("en")
NAMES = ENGLISH.named(["léa", "Max"], sides=2)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            Reason.of("safety_protects", side=0, safety="ROW", hazard="STOP"),
            "Right of Way protects léa: Stop can no longer be played there.",
        ),
        (
            Advice(Decline(), "coup_fourre", {"card": "ROW", "hazard": "STOP", "gives": "both"}),
            "Right of Way answers Stop: a coup fourré scores extra and gives you the turn.",
        ),
        (
            Stake("window_choice_no_points", {"seat": 0, "hazard": "STOP", "safety": "ROW"}),
            (
                "Léa plays Stop, and you hold Right of Way! "
                "A coup fourré scores no points, but gives you the turn."
            ),
        ),
        (Refused("seat_taken", {"seat": 1}), "Seat 1 is not free."),
        (
            Fault.of("entropy_does_not_open", seat=1),
            "the entropy of seat 1 does not open its commitment",
        ),
    ],
)
def test_one_method_says_every_kind_of_code(said: Coded, sentence: str) -> None:
    assert ENGLISH.sentence(said, NAMES) == sentence


def test_a_numbered_side_of_two_is_singular_and_two_names_are_plural() -> None:
    told: list[Event] = [HandEnded(0, (), ()), MatchEnded((5000, 0), 0)]
    said = {
        "en": [
            "Side 0 completes the trip. The hand is over.",
            "Side 0 wins the match with 5000 points.",
        ],
        "fr": [
            "Camp 0 achève l'étape. La manche est finie.",
            "Camp 0 gagne la partie avec 5000 points.",
        ],
    }
    for language, sentences in said.items():
        spoken = words(language)
        assert spoken.events(told, spoken.numbered(4, 2)) == sentences
    four = ENGLISH.named(["Léa", "Max", "Zoé", "Ben"], sides=2)
    assert ENGLISH.events(told, four) == [
        "Léa & Zoé complete the trip. The hand is over.",
        "Léa & Zoé win the match with 5000 points.",
    ]


def test_without_names_seats_and_sides_are_numbered() -> None:
    reason = Reason.of("safety_protects", side=1, safety="ROW", hazard="STOP")
    assert ENGLISH.sentence(reason).startswith("Right of Way protects side 1: ")


def test_a_printed_edition_has_the_name_on_its_box() -> None:
    assert ENGLISH.edition_name(EDITIONS["parker-1988"]) == EDITIONS["parker-1988"].name


def test_house_rules_have_the_name_they_were_given() -> None:
    house = house_rules('parent = "article"\nname = "Chez nous"\nmax_200s = 4\n')
    assert words("fr").edition_name(house) == "Chez nous"


def test_house_rules_without_a_name_are_named_after_their_printed_edition() -> None:
    house = house_rules('parent = "article"\nmax_200s = 4\n')
    assert ENGLISH.edition_name(house) == f"{EDITIONS['article'].name} with house rules"
    assert words("fr").edition_name(house) == f"{EDITIONS['article'].name}, règles maison"


def test_a_preset_has_its_name_in_every_language() -> None:
    family = PRESETS["family"]
    assert ENGLISH.edition_name(family) == family.name
    assert words("fr").edition_name(family) == "Famille"
    assert words("fr").character(family) != words("fr").character(EDITIONS["winning-moves"])
    changed = family.house({"max_200s": 4}, "Chez nous")
    assert words("fr").edition_name(changed) == "Chez nous"
    assert words("fr").character(changed) == words("fr").edition("winning-moves")

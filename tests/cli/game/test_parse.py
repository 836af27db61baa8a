"""What typed lines mean: lenient about spelling, strict about effects."""

import pytest

from millebornes.cli.game.intention import (
    ChooseTarget,
    Explain,
    Make,
    Refused,
    RunCommand,
    Unclear,
)
from millebornes.cli.game.parse import parse_line, parse_target, parse_yes_or_no
from millebornes.rules import (
    Card,
    CoupFourre,
    Decline,
    Discard,
    Extend,
    Finish,
    Move,
    Play,
    View,
)
from millebornes.words import Names
from tests.cli import views

PLAYERS = ("Zoé", "Léa", "Hugo", "Chloé", "Louis", "Manon")


def seen(text: str, seat: int = 0) -> tuple[View, Names]:
    return views.seen(text, seat=seat, called=PLAYERS)


# In order: 25, 100, STOP, SPARE, ROLL, EOL, ACE.
ROLLING = """
players: 3
battle 0: ROLL
battle 1: ROLL
battle 2: ROLL
hand 0: ROLL ACE 25 STOP SPARE 100 EOL
"""
ONE_TARGET = ROLLING.replace("battle 2: ROLL\n", "")
NO_TARGET = ONE_TARGET.replace("battle 1: ROLL\n", "")
WINDOW = "players: 2\nwindow: ACC 1>0\nbattle 0: ROLL ACC\nhand 0: ACE TANK 25"
FORCED = "players: 2\nwindow: ACC 1>0\nbattle 0: ROLL ACC\nhand 0: only TANK 25"
EXTENSION = "players: 2\nextension: 0\nmiles 0: 700\nbattle 0: ROLL"


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("1", Play(Card.D25)),
        (" 2 ", Play(Card.D100)),
        ("100", Play(Card.D100)),
        ("100 km", Play(Card.D100)),
        ("25 miles", Play(Card.D25)),
        ("play 25", Play(Card.D25)),
        ("joue 25", Play(Card.D25)),
        ("7", Play(Card.ACE)),
        ("ace", Play(Card.ACE)),
        ("Driving Ace", Play(Card.ACE)),
        ("AS DU VOLANT", Play(Card.ACE)),
        ("driv", Play(Card.ACE)),
        ("stop on léa", Play(Card.STOP, 1)),
        ("STOP ON LEA", Play(Card.STOP, 1)),
        ("STOP>2", Play(Card.STOP, 2)),
        ("stop > hugo", Play(Card.STOP, 2)),
        ("3 on 1", Play(Card.STOP, 1)),
        ("3 hugo", Play(Card.STOP, 2)),
        ("feu rouge sur Hugo", Play(Card.STOP, 2)),
        ("feu rouge hu", Play(Card.STOP, 2)),
        ("red light on hugo", Play(Card.STOP, 2)),
        ("d 1", Discard(Card.D25)),
        ("d1", Discard(Card.D25)),
        ("D 1", Discard(Card.D25)),
        ("x25", Discard(Card.D25)),
        ("xROLL", Discard(Card.ROLL)),
        ("x roll", Discard(Card.ROLL)),
        ("discard 25", Discard(Card.D25)),
        ("jeter feu vert", Discard(Card.ROLL)),
        ("défausser fin de limite", Discard(Card.EOL)),
    ],
)
def test_a_line_that_is_a_move(typed: str, move: Move) -> None:
    assert parse_line(typed, *seen(ROLLING)) == Make(move)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("?", "help"),
        ("Help", "help"),
        ("aide", "help"),
        ("score", "score"),
        ("log", "log"),
        ("journal", "log"),
        ("rules", "rules"),
        ("règles", "rules"),
        ("regles", "rules"),
        ("table", "table"),
        ("quit", "quit"),
        ("q", "quit"),
        ("Quitter", "quit"),
    ],
)
@pytest.mark.parametrize("text", [ROLLING, WINDOW, FORCED, EXTENSION])
def test_a_command_is_understood_at_every_question(typed: str, command: str, text: str) -> None:
    intention = parse_line(typed, *seen(text))
    assert isinstance(intention, RunCommand)
    assert intention.command == command


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("0", "no_number"),
        ("8", "no_number"),
        ("999", "no_number"),
        ("xyzzy", "unknown"),
        ("!", "unknown"),
        ("-", "unknown"),
        ("d", "which_card"),
        ("discard", "which_card"),
        ("d 8", "no_number"),
        ("why", "which_card"),
        ("why xyzzy", "unknown"),
        ("stop on", "whom"),
        ("stop>", "whom"),
        ("stop on the neighbour", "whom"),
        ("e", "unknown"),
        ("\x00\x1b[A", "unknown"),
    ],
)
def test_a_line_that_does_nothing(typed: str, problem: str) -> None:
    intention = parse_line(typed, *seen(ROLLING))
    assert isinstance(intention, Unclear)
    assert intention.problem == problem


def test_an_ambiguous_abbreviation_is_not_guessed() -> None:
    intention = parse_line("feu", *seen(ROLLING))
    assert intention == Unclear("ambiguous", "feu", (Card.STOP, Card.ROLL))


def test_an_abbreviation_means_a_card_in_the_hand_first() -> None:
    # "re" begins Repairs and red light, and only one of the two is held.
    assert parse_line("red", *seen(ONE_TARGET)) == Make(Play(Card.STOP, 1))


def test_several_targets_are_asked_for() -> None:
    assert parse_line("stop", *seen(ROLLING)) == ChooseTarget(Card.STOP, (1, 2))


def test_a_single_target_needs_no_question() -> None:
    assert parse_line("stop", *seen(ONE_TARGET)) == Make(Play(Card.STOP, 1))


def test_without_a_target_every_reason_is_given() -> None:
    intention = parse_line("3", *seen(NO_TARGET))
    assert isinstance(intention, Refused)
    assert [reason["side"] for reason in intention.reasons] == [1, 2]


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("roll", "already_rolling"),
        ("spare", "no_hazard"),
        ("gas", "not_in_hand"),
        ("d gas", "not_in_hand"),
        ("why gas", "not_in_hand"),
        ("200", "not_in_hand"),
        ("stop on zoé", "own_side"),
        ("STOP>0", "own_side"),
        ("stop on hugo", "not_started"),
        ("25 on léa", "no_target"),
    ],
)
def test_a_move_the_rules_refuse(typed: str, code: str) -> None:
    intention = parse_line(typed, *seen(ONE_TARGET))
    assert isinstance(intention, Refused)
    assert [reason.code for reason in intention.reasons] == [code]


@pytest.mark.parametrize("typed", ["why 5", "why not roll", "pourquoi feu vert", "w 5"])
def test_why_a_card_cannot_be_played(typed: str) -> None:
    intention = parse_line(typed, *seen(ROLLING))
    assert isinstance(intention, Explain)
    assert intention.card is Card.ROLL
    assert [reason.code for reason in intention.reasons] == ["already_rolling"]


def test_why_has_no_reason_for_a_card_that_can_be_played() -> None:
    assert parse_line("why 1", *seen(ROLLING)) == Explain(Card.D25, ())


def test_a_discard_is_refused_if_house_rules_demand_a_play() -> None:
    text = "rule: must_play_out = true\npile: 0\n" + ROLLING
    intention = parse_line("d roll", *seen(text))
    assert isinstance(intention, Refused)
    assert intention.reasons[0].code == "must_play_out"


@pytest.mark.parametrize("typed", ["y", "yes", "oui", "o", "ace", "ACE!", "1"])
def test_a_coup_fourre_is_called(typed: str) -> None:
    # The hand in order: 25, ACE, TANK.
    typed = "2" if typed == "1" else typed
    assert parse_line(typed, *seen(WINDOW)) == Make(CoupFourre(Card.ACE))


@pytest.mark.parametrize("typed", ["n", "no", "non", "-", "c", "continue"])
def test_an_attack_can_be_let_stand(typed: str) -> None:
    assert parse_line(typed, *seen(WINDOW)) == Make(Decline())
    assert parse_line(typed, *seen(FORCED)) == Make(Decline())


def test_enter_lets_an_attack_stand_only_if_nothing_else_is_possible() -> None:
    assert parse_line("", *seen(WINDOW)) == Unclear("empty")
    assert parse_line("", *seen(FORCED)) == Make(Decline())


@pytest.mark.parametrize(
    ("typed", "code"), [("tank", "wrong_safety"), ("25", "not_a_safety"), ("1", "not_a_safety")]
)
def test_only_the_right_safety_answers(typed: str, code: str) -> None:
    intention = parse_line(typed, *seen(WINDOW))
    assert isinstance(intention, Refused)
    assert intention.reasons[0].code == code


def test_a_safety_that_is_not_held_cannot_be_called() -> None:
    intention = parse_line("y", *seen(FORCED))
    assert isinstance(intention, Refused)
    assert intention.reasons[0].code == "not_in_hand"
    assert parse_line("1", *seen(FORCED)) == Unclear("unknown", "1")
    assert parse_line("xyzzy", *seen(WINDOW)) == Unclear("unknown", "xyzzy")


@pytest.mark.parametrize(
    ("typed", "move"),
    [("e", Extend()), ("ext", Extend()), ("allonge", Extend()), ("f", Finish()), ("fin", Finish())],
)
def test_the_extension_is_answered(typed: str, move: Move) -> None:
    assert parse_line(typed, *seen(EXTENSION)) == Make(move)


@pytest.mark.parametrize("typed", ["", "y", "25"])
def test_the_extension_needs_a_clear_answer(typed: str) -> None:
    assert isinstance(parse_line(typed, *seen(EXTENSION)), Unclear)


def test_a_team_can_be_named_by_either_partner() -> None:
    text = "players: 4\nbattle 1: ROLL\nhand 0: STOP"
    for name in ("léa", "chloé", "Léa & Chloé", "1", "chl"):
        assert parse_line(f"stop on {name}", *seen(text)) == Make(Play(Card.STOP, 1))


def test_the_target_is_one_of_those_offered() -> None:
    known = seen(ROLLING)
    either = ChooseTarget(Card.STOP, (1, 2))
    assert parse_target("2", *known, either) == Make(Play(Card.STOP, 2))
    assert parse_target("HUGO", *known, either) == Make(Play(Card.STOP, 2))
    for nobody in ("0", "nobody", ""):
        assert parse_target(nobody, *known, either) == Unclear("whom", nobody)


def test_a_target_that_a_hazard_cannot_hit_is_refused_with_the_reason() -> None:
    known = seen(ONE_TARGET)
    found = parse_target("hugo", *known, ChooseTarget(Card.STOP, (1,)))
    assert isinstance(found, Refused)
    assert [reason.code for reason in found.reasons] == ["not_started"]


def test_yes_and_no() -> None:
    assert parse_yes_or_no("Y") is True
    assert parse_yes_or_no("oui") is True
    assert parse_yes_or_no("non") is False
    assert parse_yes_or_no("") is None
    assert parse_yes_or_no("maybe") is None


@pytest.mark.parametrize("typed", ["ext", "extend", "end", "allonge"])
def test_an_answer_to_the_extension_is_not_an_abbreviated_card(typed: str) -> None:
    intention = parse_line(typed, *seen("players: 2\nhand 0: TANK EOL"))
    assert isinstance(intention, Refused)
    assert [reason.code for reason in intention.reasons] == ["no_extension"]

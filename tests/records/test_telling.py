"""Verdicts of the judge as sentences: names, moves, what happened, and the rule."""

from millebornes.records import Judgement, judge
from millebornes.records.telling import names_of, tell, tell_move, tell_rule
from millebornes.words import words

TEAMS = "players: 4\nseat 1: Léa\nbattle 1: roll\nhand 0: stop\nmoves: stop>1 1:- - stop>9\n"


def told(judgement: Judgement, language: str = "en") -> list[str]:
    spoken = words(language)
    names = names_of(judgement, spoken)
    return [
        f"{tell_move(verdict, judgement, names)} | {tell(verdict, names, spoken)}"
        for verdict in judgement.verdicts
    ]


def test_seats_without_a_name_are_numbered() -> None:
    (judgement,) = judge(TEAMS)
    names = names_of(judgement, words())
    assert names.seats == ("seat 0", "Léa", "seat 2", "seat 3")
    assert names.sides == ("seat 0 & seat 2", "Léa & seat 3")
    (numbered,) = judge(TEAMS.replace("seat 1: Léa\n", ""))
    assert names_of(numbered, words()) == words().numbered(4, 2)


def test_a_verdict_tells_who_moved_and_what_happened() -> None:
    (judgement,) = judge(TEAMS)
    first, second, third, fourth = told(judgement)
    assert first == "seat 0: STOP>Léa & seat 3 | Seat 0 plays Stop on Léa & seat 3."
    assert second == "Léa: - | Léa lets the attack stand."
    assert third == "- | No coup fourré."
    assert fourth.startswith("Léa: STOP>9 | ")


def test_a_verdict_tells_the_place_of_its_rule_if_it_rests_on_one() -> None:
    (judgement,) = judge("hand 0: 100 ROLL\nmoves: 100 ROLL\n")
    refused, legal = judgement.verdicts
    assert tell_rule(refused, words()) == "Winning Moves, §6.A"
    assert tell_rule(legal, words()) is None

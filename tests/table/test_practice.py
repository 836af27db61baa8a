"""Practice: decks from a seed, hints, undo; and records marked as practice."""

import pytest

from millebornes.bots import Advice, SundayDriver
from millebornes.records import Game, game, parse_move, position, replay
from millebornes.rules import view
from millebornes.rules.state import Window
from millebornes.table import Refused, Think, hint_for, inputs, resume_table
from millebornes.table import messages_in as says
from millebornes.words import languages, words

from .driven_table import LEVEL, QUICK, START, DrivenTable, replayed, table_settings


def practice(seed: str = "28", players: int = 2) -> DrivenTable:
    driven = DrivenTable(table_settings(QUICK, players, practice=True, seed=seed)).join("ann")
    return driven.bots(*range(1, players)).start()


def code_of(answer: Think | Refused) -> str:
    assert isinstance(answer, Refused)
    return answer.code


def test_a_practice_table_is_for_one_person() -> None:
    driven = DrivenTable(table_settings(practice=True, seed="28")).join("ann", "bob")
    assert driven.refusal("ann", says.Start()) == "practice_is_solo"


def test_the_same_seed_gives_the_same_game() -> None:
    one, two = (practice().play_to_the_end() for _ in range(2))
    assert one.table == two.table
    assert practice("29").table.match != practice("28").table.match


def test_a_rematch_has_the_decks_of_the_seed_again() -> None:
    driven = practice().play_to_the_end()
    first = driven.table.game
    driven.say("ann", says.Rematch())
    second = driven.table.game
    assert first is not None
    assert second is not None
    assert first.deals[0].deck == second.deals[0].deck


def test_a_record_of_practice_says_so_and_carries_its_seed() -> None:
    driven = practice().play_to_the_end()
    assert driven.table.game is not None
    text = game.to_text(driven.table.game)
    assert "\npractice: yes\n" in text
    assert '\nseed: "28"\n' in text
    assert [*replay(game.from_text(text))][-1].match == driven.table.match


def test_a_record_of_an_earnest_game_does_not_speak_of_practice() -> None:
    driven = DrivenTable(table_settings(QUICK)).join("ann").bots(1).start()
    assert driven.table.game is not None
    assert "practice" not in game.to_text(driven.table.game)


def test_the_seed_is_shown_to_nobody() -> None:
    driven = practice("a-telling-seed")
    assert all(b"a-telling-seed" not in frame for frame in driven.frames("ann"))


# Going back


def test_one_may_go_back_to_an_earlier_decision_of_the_hand() -> None:
    driven = practice()
    first, before = driven.table.decision, driven.table.match
    assert driven.view("ann").back == ()
    driven.move("ann", driven.choice(0))
    while not driven.view("ann").hand or not driven.view("ann").hand.legal_moves:  # type: ignore[union-attr]
        driven.play_on()
    assert driven.view("ann").back[0] == first
    driven.say("ann", says.Back(first))
    assert driven.table.match == before
    assert driven.table.decision > first
    assert driven.told() == ["went_back"]
    assert driven.view("ann").back == ()
    assert driven.refusal("ann", says.Back(first)) == "cannot_go_back"
    driven.play_to_the_end()
    assert driven.table.game is not None
    assert [*replay(driven.table.game)][-1].match == driven.table.match


def test_one_may_go_back_from_the_end_of_the_match() -> None:
    driven = practice().play_to_the_end()
    last = driven.view("ann").back[-1]
    driven.say("ann", says.Back(last))
    assert driven.phase() == "playing"
    assert driven.table.game is not None
    assert driven.table.game.result is None
    driven.play_to_the_end()
    assert replayed(driven).table == driven.table


def test_one_may_go_back_to_an_attack_that_could_have_been_answered() -> None:
    text = "turn: 1\nbattle 0: ROLL\nhand 1: STOP\nhand 0: {}\n"
    for hand, could in (("ROW", True), ("25 25 25 25 25 25", False)):
        driven = practice().at(text.format(hand))
        driven.drive(inputs.Thought(1, driven.table.decision, "STOP>0"))
        attack = driven.table.decision
        driven.move("ann", "-")
        assert (attack in driven.view("ann").back) == could
        if could:
            driven.say("ann", says.Back(attack))
            assert driven.table.match is not None
            assert isinstance(driven.table.match.awaiting, Window)
            driven.move("ann", "ROW!")


def test_nobody_goes_back_in_an_earnest_game() -> None:
    driven = DrivenTable(table_settings()).join("ann").bots(1).start()
    assert driven.refusal("ann", says.Back(driven.table.decision)) == "not_practice"
    assert driven.view("ann").back == ()


def test_one_whose_bot_plays_on_cannot_go_back() -> None:
    driven = practice()
    driven.say("ann", says.Leave())
    assert driven.refusal("ann", says.Back(driven.table.decision)) == "bot_plays"


def test_at_a_practice_table_nobody_hurries_the_reader() -> None:
    driven = DrivenTable(table_settings(practice=True, seed="28")).join("ann").bots(1).start()
    while True:
        asked = driven.view("ann").asked
        assert asked is not None
        if asked.what == "next":
            break
        driven.play_on()
    assert asked.deadline is None
    driven.wait(3_600_000)
    assert driven.table.hands_dealt == 1
    driven.say("ann", says.Next(asked.decision))
    assert driven.table.hands_dealt == 2


# Hints


def test_a_hint_asks_a_bot_with_the_persons_own_view() -> None:
    driven = practice()
    think = hint_for(driven.table, "ann", driven.table.decision)
    assert isinstance(think, Think)
    assert (think.seat, think.purpose, think.decision) == (0, "hint", driven.table.decision)
    assert think.view.seat == 0
    advice = SundayDriver().explain(think.view)
    assert advice.move in think.view.legal_moves


def test_a_hint_changes_nothing_and_has_no_number() -> None:
    driven = practice()
    hint_for(driven.table, "ann", driven.table.decision)
    assert driven.refusal("ann", says.Hint(driven.table.decision)) == "not_here"


def test_hints_are_for_the_one_who_is_asked_at_a_practice_table() -> None:
    driven = practice()
    table, decision = driven.table, driven.table.decision
    assert code_of(hint_for(table, "eve", decision)) == "join_first"
    assert code_of(hint_for(table, "ann", decision - 1)) == "stale_decision"
    driven.say("zoe", says.Join("Zoe"))
    assert code_of(hint_for(driven.table, "zoe", decision)) == "no_seat"
    driven.move("ann", driven.choice(0))
    while driven.view("ann").hand.legal_moves:  # type: ignore[union-attr]
        driven.move("ann", driven.choice(0))
    assert code_of(hint_for(driven.table, "ann", driven.table.decision)) == "nothing_asked"
    driven.say("ann", says.Leave())
    assert code_of(hint_for(driven.table, "ann", driven.table.decision)) == "bot_plays"
    driven.play_to_the_end()
    assert code_of(hint_for(driven.table, "ann", driven.table.decision)) == "not_playing"
    earnest = DrivenTable(table_settings()).join("ann").bots(1).start().table
    assert code_of(hint_for(earnest, "ann", earnest.decision)) == "not_practice"


CASES = {
    "coup_fourre": "window: STOP 1>0\nbattle 0: ROLL STOP\nhand 0: ROW\n",
    "nothing_to_answer": "window: STOP 1>0\nbattle 0: ROLL STOP\nhand 0: 25 25 25 25 25 25\n",
    "extend_far_ahead": "extension: 0\nbattle 0: ROLL\nmiles 0: 700\n",
    "finish_wins": "extension: 0\nbattle 0: ROLL\nmiles 0: 700\nmiles 1: 600\nscores: 4000 0\n",
    "finish_few_cards": "extension: 0\npile: 3\nbattle 0: ROLL\nmiles 0: 700\n",
    "finish_close_race": "extension: 0\nbattle 0: ROLL\nmiles 0: 700\nmiles 1: 600\n",
    "wins_match": "rule: extension_at = []\nscores: 4000 0\nbattle 0: ROLL\nmiles 0: 600\n"
    "hand 0: 25 100\n",
    "completes_trip": "battle 0: ROLL\nmiles 0: 600\nhand 0: 25 100\n",
    "drive_fits_next": "battle 0: ROLL\nmiles 0: 575\nhand 0: only 25 100 GAS\n",
    "drive_another_200": "battle 0: ROLL\ndistance 0: 200\nhand 0: only 200 75\n",
    "drive_first": "battle 0: ROLL\nhand 0: 25 75 GAS\n",
    "drive_limited": "battle 0: ROLL\nspeed 0: LIM\nmiles 0: 100\nhand 0: only 25 50 100\n",
    "drive_late": "pile: 4\nbattle 0: ROLL\nmiles 0: 100\nhand 0: only 25 75\n",
    "drive_takes_lead": "battle 0: ROLL\nmiles 0: 100\nmiles 1: 150\nhand 0: only 25 75\n",
    "drive_pressed": "battle 0: ROLL\nmiles 0: 100\nmiles 1: 550\nhand 0: only 25 75\n",
    "drive_longest": "battle 0: ROLL\nmiles 0: 100\nhand 0: only 25 75\n",
    "drive_catches_up": "battle 0: ROLL\nmiles 0: 100\nmiles 1: 300\nhand 0: only 75 GAS\n",
    "drive_away": "battle 0: ROLL\nmiles 0: 300\nmiles 1: 100\nhand 0: only 75 GAS\n",
    "attack_about_to_finish": "battle 1: ROLL\nmiles 1: 550\nhand 0: STOP 25\n",
    "attack_shut_out": "battle 1: ROLL\nhand 0: STOP 25\n",
    "attack_leader": "players: 3\nbattle 1: ROLL\nbattle 2: ROLL\nmiles 1: 300\nmiles 2: 100\n"
    "hand 0: STOP 25\n",
    "attack_few_remedies": "battle 1: ROLL\nmiles 1: 100\ndiscard: GAS GAS GAS GAS\n"
    "hand 0: only OUT 25\n",
    "attack_ahead": "battle 1: ROLL\nmiles 1: 100\nhand 0: STOP 25\n",
    "limit": "hand 0: LIM 25\n",
    "limit_ahead": "miles 1: 100\nhand 0: LIM 25\n",
    "cure": "battle 0: ROLL FLAT\nhand 0: SPARE 25\n",
    "roll_starts": "hand 0: ROLL 25\n",
    "roll_ends_stop": "battle 0: ROLL STOP\nhand 0: ROLL 25\n",
    "roll_goes_on": "battle 0: ROLL OUT GAS\nhand 0: ROLL 25\n",
    "end_limit_for": "battle 0: ROLL\nspeed 0: LIM\nhand 0: EOL 100\n",
    "end_limit": "speed 0: LIM\nhand 0: only EOL 25 GAS\n",
    "autoroute_clears": "edition: dujardin-2019\nbattle 0: ROLL FLAT\nhand 0: AUTO 25\n",
    "autoroute_near": "edition: dujardin-2019\nmiles 0: 800\nhand 0: only AUTO 25\n",
    "must_play": "rule: must_play_out = true\npile: 0\nbattle 1: ROLL\nspeed 1: LIM\n"
    "rule: limit_on_limit = true\nhand 0: only LIM 25\n",
    "safety_cures": "battle 0: ROLL FLAT\nhand 0: PROOF\n",
    "safety_fourth": "safeties 0: PROOF TANK ROW\npile: 3\nhand 0: ACE\n",
    "safety_unneeded": "battle 0: ROLL\ndiscard: OUT OUT\nhand 0: TANK GAS\n",
    "safety_late": "pile: 3\nhand 0: ACE\n",
    "safety_ends_soon": "miles 1: 650\nhand 0: ACE\n",
    "safety_starts": "hand 0: ROW 25 25 25 50 50 50\n",
    "discard_unknown": "hand 0: ? 25\n",
    "discard_too_far": "miles 0: 650\nhand 0: only 75 GAS\n",
    "discard_no_more_200s": "distance 0: 200 200\nhand 0: only 200 GAS\n",
    "discard_no_target": "safeties 1: TANK\nhand 0: only OUT SPARE\n",
    "discard_roll": "safeties 0: ROW\nhand 0: only ROLL GAS\n",
    "discard_protected": "safeties 0: TANK\nhand 0: only GAS SPARE\n",
    "discard_no_more_hazards": "discard: FLAT FLAT\nhand 0: only GAS SPARE\n",
    "discard_spare": "hand 0: only GAS GAS SPARE\n",
    "discard_one_hazard": "discard: FLAT\nhand 0: only SPARE OUT\n",
    "discard_shortest": "hand 0: only GAS 25 100\n",
    "discard_common": "hand 0: only OUT 50\n",
    "discard_in_no_need": "hand 0: only GAS 200\n",
}
"""Positions, and what the Sunday Driver says there."""


def advice_in(text: str) -> Advice:
    return SundayDriver().explain(view(position.from_text(text), 0))


@pytest.mark.parametrize("code", CASES)
def test_each_reason_is_given_in_its_case(code: str) -> None:
    advice = advice_in(CASES[code])
    assert advice.code == code
    for language in languages():
        spoken = words(language)
        sentence = spoken.sentence(advice, spoken.numbered(2, 2))
        assert not sentence[0].islower()
        assert "{" not in sentence


def test_a_hint_can_be_sent_as_it_is() -> None:
    for text in CASES.values():
        advice = advice_in(text)
        for value in advice.params.values():
            assert type(value) in (str, int)


def test_hints_name_the_target() -> None:
    advice = advice_in(CASES["attack_ahead"])
    assert advice.move == parse_move("STOP>1")
    assert advice.params["side"] == 1


# Going on with a recorded game


def test_a_practice_table_goes_on_with_a_recorded_game() -> None:
    driven = practice(players=3)
    for _ in range(25):
        driven.play_on()
    record = driven.table.game
    assert record is not None
    opened = resume_table(driven.table.settings, record, "ann", (LEVEL,), now=START)
    assert opened.table.match == driven.table.match
    assert opened.table.game == record
    assert opened.table.seq == 1
    past = [place.match for place in opened.table.past]
    assert past == [place.match for place in driven.table.past]
    driven.table = opened.table
    driven.play_to_the_end()
    assert driven.table.game is not None
    assert [*replay(driven.table.game)][-1].match == driven.table.match


def test_a_record_without_a_deal_is_dealt_when_it_is_resumed() -> None:
    settings = table_settings(QUICK, practice=True, seed="28")
    record = Game(edition=QUICK, players=2, dealer=1, seed="28", practice=True)
    opened = resume_table(settings, record, "ann", (LEVEL,), now=START)
    assert opened.table.match == practice().table.match

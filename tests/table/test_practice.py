"""Practice: decks from a seed, hints, going back; and records that say so."""

from typing import get_args

import pytest

from millebornes.bots import Advice, SundayDriver
from millebornes.bots.sunday_driver import Code
from millebornes.records import Game, game, parse_move, position, replay
from millebornes.rules import view
from millebornes.rules.state import Window
from millebornes.table import Refused, Think, hint_for, inputs, resume_table
from millebornes.table import messages_in as says
from millebornes.words import languages, words

from .sitting import LEVEL, QUICK, START, Sitting, replayed, table_settings


def practice(seed: str = "28", players: int = 2) -> Sitting:
    sitting = Sitting(table_settings(QUICK, players, practice=True, seed=seed)).join("ann")
    return sitting.bots(*range(1, players)).start()


def code_of(answer: Think | Refused) -> str:
    assert isinstance(answer, Refused)
    return answer.code


def test_a_practice_table_is_for_one_person() -> None:
    sitting = Sitting(table_settings(practice=True, seed="28")).join("ann", "bob")
    assert sitting.refusal("ann", says.Start()) == "practice_is_solo"


def test_the_same_seed_gives_the_same_game() -> None:
    one, two = (practice().play_to_the_end() for _ in range(2))
    assert one.table == two.table
    assert practice("29").table.match != practice("28").table.match


def test_a_rematch_has_the_decks_of_the_seed_again() -> None:
    sitting = practice().play_to_the_end()
    first = sitting.table.game
    sitting.say("ann", says.Rematch())
    second = sitting.table.game
    assert first is not None
    assert second is not None
    assert first.deals[0].deck == second.deals[0].deck


def test_a_record_of_practice_says_so_and_carries_its_seed() -> None:
    sitting = practice().play_to_the_end()
    assert sitting.table.game is not None
    text = game.to_text(sitting.table.game)
    assert "\npractice: yes\n" in text
    assert '\nseed: "28"\n' in text
    assert [*replay(game.from_text(text))][-1].match == sitting.table.match


def test_a_record_of_an_earnest_game_does_not_speak_of_practice() -> None:
    sitting = Sitting(table_settings(QUICK)).join("ann").bots(1).start()
    assert sitting.table.game is not None
    assert "practice" not in game.to_text(sitting.table.game)


def test_the_seed_is_shown_to_nobody() -> None:
    sitting = practice("a-telling-seed")
    assert all(b"a-telling-seed" not in frame for frame in sitting.frames("ann"))


# Going back


def test_one_may_go_back_to_an_earlier_decision_of_the_hand() -> None:
    sitting = practice()
    first, before = sitting.table.decision, sitting.table.match
    assert sitting.view("ann").back == ()
    sitting.move("ann", sitting.choice(0))
    while not sitting.view("ann").hand or not sitting.view("ann").hand.legal_moves:  # type: ignore[union-attr]
        sitting.play_on()
    assert sitting.view("ann").back[0] == first
    sitting.say("ann", says.Back(first))
    assert sitting.table.match == before
    assert sitting.table.decision > first
    assert sitting.told() == ["went_back"]
    assert sitting.view("ann").back == ()
    assert sitting.refusal("ann", says.Back(first)) == "cannot_go_back"
    sitting.play_to_the_end()
    assert sitting.table.game is not None
    assert [*replay(sitting.table.game)][-1].match == sitting.table.match


def test_one_may_go_back_from_the_end_of_the_match() -> None:
    sitting = practice().play_to_the_end()
    last = sitting.view("ann").back[-1]
    sitting.say("ann", says.Back(last))
    assert sitting.phase() == "playing"
    assert sitting.table.game is not None
    assert sitting.table.game.result is None
    sitting.play_to_the_end()
    assert replayed(sitting).table == sitting.table


def test_one_may_go_back_to_an_attack_that_could_have_been_answered() -> None:
    text = "turn: 1\nbattle 0: ROLL\nhand 1: STOP\nhand 0: {}\n"
    for hand, could in (("ROW", True), ("25 25 25 25 25 25", False)):
        sitting = practice().at(text.format(hand))
        sitting.drive(inputs.Thought(1, sitting.table.decision, "STOP>0"))
        attack = sitting.table.decision
        sitting.wait(4000)
        assert (attack in sitting.view("ann").back) == could
        if could:
            sitting.say("ann", says.Back(attack))
            assert sitting.table.match is not None
            assert isinstance(sitting.table.match.awaiting, Window)
            sitting.move("ann", "ROW!")


def test_nobody_goes_back_in_an_earnest_game() -> None:
    sitting = Sitting(table_settings()).join("ann").bots(1).start()
    assert sitting.refusal("ann", says.Back(sitting.table.decision)) == "not_practice"
    assert sitting.view("ann").back == ()


def test_one_whose_bot_plays_on_cannot_go_back() -> None:
    sitting = practice()
    sitting.say("ann", says.Leave())
    assert sitting.refusal("ann", says.Back(sitting.table.decision)) == "bot_plays"


def test_at_a_practice_table_nobody_hurries_the_reader() -> None:
    sitting = Sitting(table_settings(practice=True, seed="28")).join("ann").bots(1).start()
    while True:
        asked = sitting.view("ann").asked
        assert asked is not None
        if asked.what == "next":
            break
        sitting.play_on()
    assert asked.deadline is None
    sitting.wait(3_600_000)
    assert sitting.table.hands_dealt == 1
    sitting.say("ann", says.Next(asked.decision))
    assert sitting.table.hands_dealt == 2


# Hints


def test_a_hint_asks_a_bot_with_the_persons_own_view() -> None:
    sitting = practice()
    think = hint_for(sitting.table, "ann", sitting.table.decision)
    assert isinstance(think, Think)
    assert (think.seat, think.purpose, think.decision) == (0, "hint", sitting.table.decision)
    assert think.view.seat == 0
    advice = SundayDriver().explain(think.view)
    assert advice.move in think.view.legal_moves


def test_a_hint_changes_nothing_and_has_no_number() -> None:
    sitting = practice()
    hint_for(sitting.table, "ann", sitting.table.decision)
    assert sitting.refusal("ann", says.Hint(sitting.table.decision)) == "not_here"


def test_hints_are_for_the_one_who_is_asked_at_a_practice_table() -> None:
    sitting = practice()
    table, decision = sitting.table, sitting.table.decision
    assert code_of(hint_for(table, "eve", decision)) == "join_first"
    assert code_of(hint_for(table, "ann", decision - 1)) == "stale_decision"
    sitting.say("zoe", says.Join("Zoe"))
    assert code_of(hint_for(sitting.table, "zoe", decision)) == "no_seat"
    sitting.move("ann", sitting.choice(0))
    while sitting.view("ann").hand.legal_moves:  # type: ignore[union-attr]
        sitting.move("ann", sitting.choice(0))
    assert code_of(hint_for(sitting.table, "ann", sitting.table.decision)) == "nothing_asked"
    sitting.say("ann", says.Leave())
    assert code_of(hint_for(sitting.table, "ann", sitting.table.decision)) == "bot_plays"
    sitting.play_to_the_end()
    assert code_of(hint_for(sitting.table, "ann", sitting.table.decision)) == "not_playing"
    earnest = Sitting(table_settings()).join("ann").bots(1).start().table
    assert code_of(hint_for(earnest, "ann", earnest.decision)) == "not_practice"


@pytest.mark.parametrize("language", languages())
def test_every_reason_of_a_hint_has_a_sentence_and_every_sentence_a_reason(language: str) -> None:
    assert set(words(language).data["hints"]) == set(get_args(Code))


CASES = {
    "coup_fourre": "window: STOP 1>0\nbattle 0: ROLL STOP\nhand 0: ROW\n",
    "nothing_to_answer": "window: STOP 1>0\nbattle 0: ROLL STOP\nhand 0: 25 25 25 25 25 25\n",
    "extend": "extension: 0\nbattle 0: ROLL\nmiles 0: 700\n",
    "finish": "extension: 0\nbattle 0: ROLL\nmiles 0: 700\nmiles 1: 600\n",
    "safety_late": "pile: 3\nhand 0: ACE\n",
    "safety_cures": "battle 0: ROLL FLAT\nhand 0: PROOF\n",
    "safety_starts": "hand 0: ROW 25 25 25 50 50 50\n",
    "safety_unneeded": "battle 0: ROLL\ndiscard: OUT OUT\nhand 0: TANK GAS\n",
    "completes_trip": "battle 0: ROLL\nmiles 0: 600\nhand 0: 25 100\n",
    "drive": "battle 0: ROLL\nhand 0: 25 75 GAS\n",
    "autoroute": "edition: dujardin-2019\nbattle 0: ROLL FLAT\nhand 0: AUTO 25\n",
    "attack": "battle 1: ROLL\nhand 0: STOP 25\n",
    "limit": "hand 0: LIM 25\n",
    "cure": "battle 0: ROLL FLAT\nhand 0: SPARE 25\n",
    "roll": "hand 0: ROLL 25\n",
    "end_limit": "battle 0: ROLL\nspeed 0: LIM\nhand 0: EOL 100\n",
    "must_play": "rule: must_play_out = true\npile: 0\nbattle 1: ROLL\nspeed 1: LIM\n"
    "rule: limit_on_limit = true\nhand 0: only LIM 25\n",
    "discard_unknown": "hand 0: ? 25\n",
    "discard_too_far": "miles 0: 650\nhand 0: only 75 GAS\n",
    "discard_no_more_200s": "distance 0: 200 200\nhand 0: only 200 GAS\n",
    "discard_no_target": "safeties 1: TANK\nhand 0: only OUT SPARE\n",
    "discard_roll": "safeties 0: ROW\nhand 0: only ROLL GAS\n",
    "discard_protected": "safeties 0: TANK\nhand 0: only GAS SPARE\n",
    "discard_no_more_hazards": "discard: FLAT FLAT\nhand 0: only GAS SPARE\n",
    "discard_spare": "hand 0: only GAS GAS SPARE\n",
    "discard_least": "hand 0: only GAS 100\n",
}


def advice_in(text: str) -> Advice:
    return SundayDriver().explain(view(position.from_text(text), 0))


@pytest.mark.parametrize("code", get_args(Code))
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
    advice = advice_in(CASES["attack"])
    assert advice.move == parse_move("STOP>1")
    assert advice.params["side"] == 1


# Going on with a recorded game


def test_a_practice_table_goes_on_with_a_recorded_game() -> None:
    sitting = practice(players=3)
    for _ in range(25):
        sitting.play_on()
    record = sitting.table.game
    assert record is not None
    opened = resume_table(sitting.table.settings, record, "ann", (LEVEL,), now=START)
    assert opened.table.match == sitting.table.match
    assert opened.table.game == record
    assert opened.table.seq == 1
    past = [place.match for place in opened.table.past]
    assert past == [place.match for place in sitting.table.past]
    sitting.table = opened.table
    sitting.play_to_the_end()
    assert sitting.table.game is not None
    assert [*replay(sitting.table.game)][-1].match == sitting.table.match


def test_a_record_without_a_deal_is_dealt_when_it_is_resumed() -> None:
    settings = table_settings(QUICK, practice=True, seed="28")
    record = Game(edition=QUICK, players=2, dealer=1, seed="28", practice=True)
    opened = resume_table(settings, record, "ann", (LEVEL,), now=START)
    assert opened.table.match == practice().table.match

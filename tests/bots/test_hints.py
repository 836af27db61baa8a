"""Every hint is true: what its sentence says holds at the table, under any house rules."""

from collections.abc import Iterator
from string import Formatter

import pytest

from millebornes.bots import BOTS, LEVELS, Advice, SundayDriver, playable
from millebornes.bots.reasons import REASONS, holds, why
from millebornes.records import position
from millebornes.rules import PRESETS, Card, CoupFourre, Decline, Discard, awaited_seats, view
from millebornes.words import languages, words
from tests.bots.hint import Hint
from tests.bots.meanings import MEANINGS
from tests.bots.played import positions
from tests.bots.reasons import MOST, told_by
from tests.properties.random_positions import SAFETIES, matches

POSITIONS = 700
READABLE = [name for name in playable() if not LEVELS[name].needs_kernel]
"""Levels that can also think about positions whose cards do not add up to a deck."""
LAST_CARD = "rule: extension_at = []\nbattle 0: ROLL\nmiles 0: 600\nhand 0: only 100 25\n"
RARE = (
    f"scores: 4800 0\n{LAST_CARD}",
    f"scores: 0 4800\nmiles 1: 300\n{LAST_CARD}",
    "scores: 0 4800\nextension: 0\nbattle 0: ROLL\nmiles 0: 700\nmiles 1: 400\n",
    "safeties 0: PROOF TANK ROW\nhand 0: only ACE 25\n",
    "battle 0: ROLL\nmiles 0: 300\nhand 0: only 200 100 25 50\n",
    "battle 0: ROLL STOP\nhand 0: only ROLL ROW 25\n",
)
"""What random positions seldom show."""


def every_hint() -> Iterator[Hint]:
    """Every reason that holds for any legal move of these positions, given by a level or not."""
    for match in (*map(position.from_text, RARE), *matches(POSITIONS, 1955)):
        for seat in awaited_seats(match)[:1]:
            seen = view(match, seat)
            for move in seen.legal_moves:
                for code, reason in REASONS.items():
                    params = reason(seen, move)
                    if params is not None:
                        yield Hint(match, seat, Advice(move, code, params))


def test_every_hint_has_a_meaning_that_can_be_asked_of_the_table() -> None:
    assert MEANINGS.keys() == REASONS.keys()


@pytest.mark.parametrize("language", languages())
def test_every_reason_has_a_sentence_and_every_sentence_a_reason(language: str) -> None:
    assert list(words(language).data["hints"]) == list(REASONS)


def test_every_hint_that_can_be_given_is_true_under_any_house_rules() -> None:
    templates = words("en").data["hints"]
    seen: dict[str, set[str]] = {code: set() for code in REASONS}
    for told in every_hint():
        code = told.advice.code
        assert MEANINGS[code](told), told
        template = templates[code]
        case = "" if isinstance(template, str) else str(told[template["by"]])
        sentence = template if isinstance(template, str) else template[case]
        assert {name for _, name, _, _ in Formatter().parse(sentence) if name} <= set(
            told.advice.params
        )
        assert all(type(value) in (str, int) for value in told.advice.params.values())
        seen[code].add(case)
    assert {code for code, cases in seen.items() if not cases} == set()
    assert seen["safety_cures"] == {"yes", "no"}
    assert seen["cure"] == {"rolls", "held", "needed"}


def test_there_is_a_reason_for_every_move_but_to_let_a_coup_fourre_pass() -> None:
    for match in matches(POSITIONS, 1956):
        for seat in awaited_seats(match)[:1]:
            seen = view(match, seat)
            can_call = any(isinstance(move, CoupFourre) for move in seen.legal_moves)
            for move in seen.legal_moves:
                if isinstance(move, Decline) and can_call:
                    with pytest.raises(ValueError, match="no level makes the move"):
                        why(seen, move)
                else:
                    assert why(seen, move).move == move


@pytest.mark.parametrize("level", playable())
def test_the_reasons_of_a_level_are_true_and_no_reason_explains_too_much(level: str) -> None:
    """`python -m tests.bots.reasons` asks in ten times as many positions."""
    told = told_by(level, positions(1000, 1956))
    assert told.asked == 1000
    assert told.false == []
    assert max(told.shares.values()) <= MOST
    assert len(told.shares) > 20


@pytest.mark.parametrize("level", playable())
def test_the_reasons_of_a_level_are_true_under_any_house_rules(level: str) -> None:
    assert told_by(level, positions(400, 1957, with_house_rules=True)).false == []


@pytest.mark.parametrize("level", READABLE)
def test_the_reasons_of_a_level_are_true_where_play_never_leads(level: str) -> None:
    adviser = BOTS[level]()
    for match in matches(POSITIONS, 1957):
        for seat in awaited_seats(match)[:1]:
            seen = view(match, seat)
            advice = adviser.explain(seen)
            assert holds(seen, advice)
            assert MEANINGS[advice.code](Hint(match, seat, advice))


def test_a_reason_that_is_not_true_is_found() -> None:
    seen = view(position.from_text("battle 0: ROLL\nhand 0: only 25 75 GAS\n"), 0)
    told = SundayDriver().explain(seen)
    assert holds(seen, told)
    assert not holds(seen, told._replace(params={**told.params, "card": "25"}))
    assert not holds(seen, told._replace(move=Discard(Card.GAS)))
    assert not holds(seen, told._replace(code="completes_trip"))


def advice(text: str) -> Advice:
    return SundayDriver().explain(view(position.from_text(text), 0))


@pytest.mark.parametrize(
    ("rule", "cards", "sentence"),
    [
        ("300", "ROW 25", "a coup fourré scores extra and gives you the turn."),
        ("300", "ROW", "a coup fourré scores extra."),
        ("0", "ROW 25", "a coup fourré gives you the turn."),
    ],
)
def test_a_coup_fourre_is_advised_for_what_it_gives(rule: str, cards: str, sentence: str) -> None:
    text = f"rule: coup_fourre_points = {rule}\npile: 0\nwindow: STOP 1>0\n"
    told = advice(text + f"battle 0: ROLL STOP\nhand 0: only {cards}\n")
    assert words("en").sentence(told) == f"Right of Way answers Stop: {sentence}"


def test_a_last_safety_is_not_said_to_give_another_turn() -> None:
    text = "pile: 0\nbattle 0: ROLL STOP\nhand 0: only ROW{more}\n"
    assert words("en").sentence(advice(text.format(more=""))) == "Right of Way ends Stop for good."
    again = words("en").sentence(advice(text.format(more=" 25")))
    assert again == "Right of Way ends Stop for good, and you play again."
    none = advice("rule: replay_on_empty_pile = false\n" + text.format(more=" 25"))
    assert words("en").sentence(none) == "Right of Way ends Stop for good."


def test_a_roll_is_kept_where_right_of_way_does_not_replace_it() -> None:
    text = "safeties 0: ROW\nbattle 0: ROLL\nhand 0: only ROLL GAS 200\ndistance 0: 200 200\n"
    assert advice(text).code == "discard_no_more_200s"
    text = "safeties 0: ROW\nbattle 0: ROLL\nhand 0: only ROLL GAS\n"
    assert advice(text).code == "discard_roll"
    kept = advice("rule: row_replaces_roll = false\n" + text)
    assert (kept.move, kept.code) == (Discard(Card.GAS), "discard_in_no_need")


@pytest.mark.parametrize("safety", SAFETIES)
def test_right_of_way_is_not_spent_on_a_start_that_it_does_not_give(safety: Card) -> None:
    text = f"hand 0: only {safety} 25 25 50\n"
    starts = safety is Card.ROW
    assert (advice(text).code == "safety_starts") == starts
    for rule in ("row_replaces_roll = false", "start_rolling = true"):
        assert advice(f"rule: {rule}\n{text}").code != "safety_starts"


def test_a_remedy_is_kept_for_a_hazard_that_may_be_uncovered_again() -> None:
    text = "edition: encyclopedia\nbattle 0: ROLL OUT STOP\ndiscard: OUT OUT FLAT FLAT FLAT\n"
    found = advice(text + "hand 0: only GAS SPARE 100\n")
    assert (found.move, found.code) == (Discard(Card.SPARE), "discard_no_more_hazards")


def test_spare_rolls_are_thrown_away_where_only_a_stop_needs_one() -> None:
    hand = "hand 0: only ROLL ROLL ROLL 100 75 REP\nspeed 0: LIM\n"
    match = position.from_text(hand, PRESETS["family"])
    found = SundayDriver().explain(view(match, 0))
    assert (found.move, found.code) == (Discard(Card.ROLL), "discard_spare")

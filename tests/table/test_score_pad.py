"""The score pad: what people say of each hand with the box, and the match that follows."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.rules import EDITIONS, Edition, new_match
from millebornes.rules.cards import Card
from millebornes.rules.ending import Impossible
from millebornes.rules.state import Deal, Match
from millebornes.table.rest import PadHand, PadSafety, PadScores, ScorePad
from millebornes.table.score_pad import pad_scores, play_told
from millebornes.words import words
from tests.strategies import house_tables, matches

from .score_pads import (
    BOXES,
    Box,
    check_alike,
    check_all_impossible,
    check_all_played,
    shares,
    told,
)

WINNING_MOVES, DUJARDIN = EDITIONS["winning-moves"], EDITIONS["dujardin-2019"]
HAND = PadHand((700, 0), 0)


def scored(*hands: PadHand, edition: Edition = WINNING_MOVES, **pad: Any) -> PadScores:
    return pad_scores(ScorePad(hands=hands, **pad), edition, words("en"))


def lines(told: PadScores, side: int = 0, hand: int = 0) -> dict[str, int]:
    """The lines of a sheet that score."""
    sheet = told.hands[hand].sheets[side]
    return {name: points for name in sheet.__struct_fields__ if (points := getattr(sheet, name))}


def code(told: PadScores) -> str | None:
    return None if told.fault is None else told.fault.code


# The required figures; python -m tests.table.score_pads checks ten times as many


def test_entries_derived_from_finished_hands_give_exactly_those_sheets() -> None:
    seen = check_all_played(1_000, seed=1954)
    assert seen["hands"] == 1_000
    # Everything that scores was among them.
    assert min(seen.values()) > 0
    assert len(seen) == 9 + 3


def test_impossible_entries_are_refused_alike_by_pad_and_judge() -> None:
    seen = check_all_impossible(1_000, seed=1954)
    assert seen.total() == 1_000
    assert len(seen) == 9  # all that printed rules and the judge's notation can contradict


def test_the_hands_are_spread_evenly_over_every_edition_and_player_count() -> None:
    assert {(box.edition, box.players) for box in BOXES} == {
        (edition, players) for edition in EDITIONS.values() for players in edition.player_counts
    }
    assert [box.players for box in BOXES if box.short_trip] == [4, 8]
    counts = [count for _, count in shares(10_000)]
    assert sum(counts) == 10_000
    assert max(counts) - min(counts) <= 1


@given(data=st.data())
@settings(max_examples=25)
def test_hands_played_by_any_house_rules_give_exactly_those_sheets(data: st.DataObject) -> None:
    for hand in data.draw(matches(house_tables())):
        final = hand.final
        assert final.hand is not None
        if final.hand.sheets is None:
            continue
        before = hand.states[0]._replace(awaiting=Deal(final.hand.dealer), hand=None)
        after = play_told(before, told(final, everything=data.draw(st.booleans())))
        assert isinstance(after, Match)
        assert after.hand is not None
        assert after.hand.sheets == final.hand.sheets
        assert after.totals == final.totals


# The match


def test_points_add_up_and_the_deal_passes_to_the_left() -> None:
    two = scored(HAND, PadHand((0, 700), 1), dealer=1)
    assert [hand.totals for hand in two.hands] == [(1900, 0), (1900, 1900)]
    assert (two.dealer, two.over, two.winner) == (1, False, None)
    assert scored(dealer=1).dealer == 1
    assert scored(HAND, dealer=1).dealer == 0
    fixed = WINNING_MOVES.house({"dealer": "fixed"})
    assert scored(HAND, HAND, dealer=1, edition=fixed).dealer == 1


def test_the_match_is_over_when_one_side_alone_is_highest_above_the_target() -> None:
    over = scored(HAND, HAND, HAND)
    assert (over.dealer, over.over, over.winner) == (None, True, 0)
    both = (
        *(PadSafety("ACE", 0, crosswise=True), PadSafety("TANK", 0, crosswise=True)),
        *(PadSafety("PROOF", 1, crosswise=True), PadSafety("ROW", 1, crosswise=True)),
    )
    hands = (*(HAND, PadHand((0, 700), 1)) * 2, PadHand((600, 600), safeties=both))
    tied = scored(*hands)
    assert tied.hands[-1].totals == (5200, 5200)
    assert (tied.dealer, tied.over, tied.winner, tied.tied) == (1, False, None, True)
    # Below the target, a tie is nothing to speak of.
    assert not scored(*hands[:4]).tied
    assert not scored().tied
    drawn = scored(*hands, edition=EDITIONS["encyclopedia"])
    assert (drawn.dealer, drawn.over, drawn.winner, drawn.tied) == (None, True, None, False)
    hands_two = WINNING_MOVES.house({"hands": 2})
    assert not scored(HAND, edition=hands_two).tied
    assert scored(HAND, PadHand((0, 700), 1), edition=hands_two).tied


def test_a_hand_after_the_end_of_the_match_is_a_fault() -> None:
    after = scored(HAND, HAND, HAND, HAND)
    assert len(after.hands) == 3
    assert (after.over, after.winner) == (True, 0)
    assert after.fault is not None
    assert (after.fault.hand, after.fault.code) == (3, "after_the_match")
    assert after.fault.rule == WINNING_MOVES.sources["target"]
    two_hands = scored(HAND, HAND, HAND, edition=WINNING_MOVES.house({"hands": 2}))
    assert two_hands.fault is not None
    assert (two_hands.fault.hand, two_hands.fault.rule) == (2, None)


def test_what_follows_a_fault_is_not_scored() -> None:
    stopped = scored(HAND, PadHand((400, 0), 0), HAND)
    assert len(stopped.hands) == 1
    assert (stopped.dealer, stopped.over) == (1, False)
    assert stopped.fault is not None
    assert (stopped.fault.hand, stopped.fault.code) == (1, "not_completed")


def test_a_team_is_one_side() -> None:
    team = scored(PadHand((1000, 25), 0), players=4)
    assert (team.sides, team.trip, team.extended_trip) == (2, 1000, None)
    assert team.dealer == 1
    short = scored(players=4, short_trip=True, edition=DUJARDIN)
    assert (short.sides, short.trip) == (4, 700)


# What is asked


@pytest.mark.parametrize(
    ("edition", "players", "asks", "leader_wins"),
    [
        (WINNING_MOVES, 2, ("called", "pile", "two_hundreds"), False),
        (WINNING_MOVES, 4, ("pile", "two_hundreds"), False),
        (DUJARDIN, 4, ("two_hundreds",), True),
        (WINNING_MOVES.house({"safe_trip_points": 0}), 4, ("pile",), False),
        (WINNING_MOVES.house({"max_200s": 0}), 4, ("pile",), False),
        (WINNING_MOVES.house({"delayed_action_points": 0}), 4, ("two_hundreds",), False),
        # The trip depends on it, even if nobody scores it.
        (WINNING_MOVES.house({"extension_points": 0}), 3, (*("called", "pile"), "two_hundreds"), 0),
    ],
)
def test_only_what_scores_is_asked(
    edition: Edition, players: int, asks: tuple[str, ...], leader_wins: bool
) -> None:
    told = scored(players=players, edition=edition)
    assert told.asks == asks
    assert told.leader_wins is bool(leader_wins)


def test_a_200_of_the_side_that_completed_the_trip_spoils_its_safe_trip() -> None:
    assert lines(scored(HAND))["safe_trip"] == 300
    assert "safe_trip" not in lines(scored(PadHand((700, 0), 0, with_200s=(0,))))
    assert lines(scored(PadHand((700, 400), 0, with_200s=(1,))))["safe_trip"] == 300


def test_a_200_of_the_leader_matters_in_dujardin_when_the_cards_ran_out() -> None:
    for with_200s, bonus in (((), {"trip": 400, "safe_trip": 200}), ((0,), {"trip": 400})):
        told = scored(PadHand((600, 500), with_200s=with_200s), edition=DUJARDIN)
        assert lines(told) == {"miles": 600, **bonus, "total": 600 + sum(bonus.values())}
    tied = scored(PadHand((600, 600)), edition=DUJARDIN)
    assert lines(tied) == {"miles": 600, "total": 600}


def test_sides_that_are_not_asked_may_have_played_200s() -> None:
    # 2700 miles are in the deck without the 200s.
    hand = PadHand((1000, 950, 900), 0)
    told = scored(hand, players=3, edition=DUJARDIN)
    assert code(told) is None
    assert lines(told)["safe_trip"] == 200
    assert [one["miles"] for one in (lines(told, side) for side in range(3))] == [1000, 950, 900]


def test_the_pile_makes_a_delayed_action_of_a_completed_trip_only() -> None:
    assert lines(scored(PadHand((700, 0), 0, pile_empty=True)))["delayed_action"] == 300
    assert "delayed_action" not in lines(scored(PadHand((600, 0), pile_empty=True)))
    strict = WINNING_MOVES.house({"delayed_action_needs_empty_start": True})
    told = scored(PadHand((700, 0), 0, pile_empty=True), edition=strict)
    assert lines(told)["delayed_action"] == 300


def test_the_extension_goes_to_whom_the_edition_says() -> None:
    assert lines(scored(PadHand((1000, 0), 0, caller=0)))["extension"] == 200
    failed = scored(PadHand((700, 500), caller=0))
    assert ("extension" in lines(failed), lines(failed, 1)["extension"]) == (False, 200)


def test_a_safety_that_was_a_coup_fourre_scores_both() -> None:
    safeties = (PadSafety("ACE", 1, crosswise=True), PadSafety("ROW", 1), PadSafety("TANK", 0))
    told = scored(PadHand((700, 25), 0, safeties=safeties))
    assert lines(told, 1) == {"miles": 25, "safeties": 200, "coups_fourres": 300, "total": 525}
    assert lines(told)["safeties"] == 100


# Faults


FAULTS = {
    "not_completed": PadHand((400, 0), 0),
    "past_the_trip": PadHand((1000, 0), 0),
    "other_completed": PadHand((700, 700), 0),
    "completed_but_exhausted": PadHand((700, 100)),
    "caller_behind": PadHand((100, 1000), 1, caller=0),
    "odd_miles": PadHand((700, 110), 0),
    "safety_twice": PadHand((700, 0), 0, safeties=(PadSafety("ACE", 0), PadSafety("ACE", 1))),
}


@pytest.mark.parametrize("expected", FAULTS)
def test_an_impossible_hand_is_refused_and_the_judge_refuses_it_too(expected: str) -> None:
    assert code(scored(FAULTS[expected])) == expected
    assert check_alike(Box(WINNING_MOVES, 2), FAULTS[expected]) == expected


def test_a_side_with_fewer_than_200_miles_has_played_no_200() -> None:
    assert code(scored(PadHand((700, 175), 0, with_200s=(1,)))) == "too_short_for_200"
    assert code(scored(PadHand((700, 200), 0, with_200s=(1,)))) is None


def test_an_extension_is_called_only_where_there_is_one() -> None:
    hand = PadHand((1000, 0), 0, caller=0)
    told = scored(hand, players=4)
    assert told.fault is not None
    assert (told.fault.code, told.fault.rule) == (
        "no_extension",
        WINNING_MOVES.sources["extension_at"],
    )
    assert check_alike(Box(WINNING_MOVES, 4), hand) == "no_extension"


def test_rules_without_200s_refuse_a_200() -> None:
    none = WINNING_MOVES.house({"max_200s": 0})
    assert code(scored(PadHand((700, 300), 0, with_200s=(1,)), edition=none)) == "too_many_200s"


def test_the_deck_has_distance_cards_for_3500_miles_and_four_200s() -> None:
    most = PadHand((1000, 850, 825, 825), 0, with_200s=(0,))
    assert code(scored(most, players=4, edition=DUJARDIN)) is None
    for miles, with_200s in (((1000, 850, 850, 825), (0,)), ((1000, 975, 975, 900), ())):
        hand = PadHand(miles, 0, with_200s=with_200s)
        assert code(scored(hand, players=4, edition=DUJARDIN)) == "no_such_cards"
        assert check_alike(Box(DUJARDIN, 4), hand) == "no_such_cards"
    alone = DUJARDIN.house({"teams_at": [], "max_200s": 1})
    five = PadHand((1000, *[200] * 7), 0, with_200s=(1, 2, 3, 4, 5))
    assert code(scored(five, players=8, edition=alone)) == "no_such_cards"


def test_the_rule_of_a_fault_is_where_the_edition_says_so() -> None:
    def rule(told: PadScores) -> str | None:
        assert told.fault is not None
        return told.fault.rule

    assert rule(scored(PadHand((400, 0), 0))) == WINNING_MOVES.sources["trip"]
    assert rule(scored(PadHand((400, 0), 0, caller=1))) == WINNING_MOVES.sources["extension_at"]
    assert rule(scored(PadHand((700, 110), 0))) is None
    short: dict[str, Any] = {"players": 4, "short_trip": True, "edition": DUJARDIN}
    assert rule(scored(PadHand((1000, 0, 0, 0), 0), **short)) == DUJARDIN.sources["short_trip_at"]
    house = WINNING_MOVES.house({"trip": {"2": 500}})
    assert rule(scored(PadHand((400, 0), 0), edition=house)) is None


@given(st.data())
@settings(max_examples=200)
def test_any_entry_is_scored_or_refused_by_name(data: st.DataObject) -> None:
    edition, players = data.draw(house_tables())
    match = new_match(edition, players)
    side = st.integers(0, match.sides - 1)
    miles = st.integers(0, 44).map(lambda n: 25 * n) | st.sampled_from([match.trip, 1000, 1, 9999])
    entry = PadHand(
        tuple(data.draw(st.lists(miles, min_size=match.sides, max_size=match.sides))),
        data.draw(st.none() | side),
        tuple(data.draw(st.lists(side, max_size=3))),
        data.draw(st.booleans()),
        data.draw(st.none() | side),
        tuple(data.draw(st.lists(st.builds(PadSafety, side=side), max_size=5))),
    )
    after = play_told(match, entry)
    if isinstance(after, Impossible):
        assert words("fr").sentence(after)
        return
    assert after.hand is not None
    assert tuple(tableau.miles for tableau in after.hand.tableaux) == entry.miles
    for tableau in after.hand.tableaux:
        assert tableau.distance.count(Card.D200) <= edition.max_200s

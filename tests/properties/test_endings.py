"""Hands and matches end, and the score sheets add up."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from millebornes.rules import Card, Match, ScoreSheet, score_sheet
from millebornes.rules.cards import HAZARDS, MILES, SAFETIES
from millebornes.rules.events import HandEnded, MatchEnded
from millebornes.rules.state import Deal, Hand, Over, Tableau
from tests.strategies import (
    STYLES,
    TABLES,
    Driver,
    Table,
    every_table,
    hands,
    matches,
    play_match,
    starts,
)


@every_table
@given(data=st.data())
@settings(max_examples=15)
def test_a_hand_ends_within_a_bound_that_the_deck_gives(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    hand = data.draw(hands(table))
    # A play, a discard and a coup fourré take a card out of a hand for good; each hazard asks
    # every seat at most once; there is one extension at most.
    hazards = sum(card in HAZARDS for card in hand.deck)
    assert len(hand.steps) <= len(hand.deck) + hazards * hand.start.players + 1
    assert isinstance(hand.final.awaiting, Deal | Over)


@every_table
@given(data=st.data())
@settings(max_examples=2)
def test_a_match_to_its_target_ends(table: st.SearchStrategy[Table], data: st.DataObject) -> None:
    start = data.draw(starts(table))
    assume(start.edition.target <= 10_000 and start.trip >= 300)
    style = STYLES[data.draw(st.sampled_from(["race", "even", "safe"]))]
    driver = Driver(data.draw(st.integers(0, 2**32 - 1)), style)
    played = list(play_match(start, driver, 120))
    final = played[-1].final
    assert isinstance(final.awaiting, Over)
    check_outcome(final, len(played))
    for number, hand in enumerate(played[:-1], start=1):
        assert isinstance(hand.final.awaiting, Deal)
        check_outcome(hand.final, number)


def check_outcome(match: Match, played: int) -> None:
    """Over exactly when the target or the number of hands says so, with the right winner."""
    edition, totals = match.edition, match.totals
    best = max(totals)
    leaders = [side for side, total in enumerate(totals) if total == best]
    enough = played >= edition.hands if edition.hands else best >= edition.target
    over = enough and (len(leaders) == 1 or edition.tie == "drawn")
    if over:
        assert match.awaiting == Over(leaders[0] if len(leaders) == 1 else None)
    else:
        assert isinstance(match.awaiting, Deal)


@given(
    table=st.sampled_from(TABLES),
    hands_in_match=st.integers(1, 3),
    tie=st.sampled_from(["another_hand", "drawn"]),
    seed=st.integers(0, 2**32 - 1),
    data=st.data(),
)
@settings(max_examples=40)
def test_a_match_of_so_many_hands_ends_after_them(
    table: Table, hands_in_match: int, tie: str, seed: int, data: st.DataObject
) -> None:
    edition, players = table
    house = edition.house({"hands": hands_in_match, "tie": tie})
    start = data.draw(starts(st.just((house, players))))
    played = list(play_match(start, Driver(seed, STYLES["even"]), 20))
    for number, hand in enumerate(played, start=1):
        check_outcome(hand.final, number)
    assert len(played) >= hands_in_match
    assert isinstance(played[-1].final.awaiting, Over)


@every_table
@given(data=st.data())
@settings(max_examples=15)
def test_score_lines_add_up_and_go_to_the_sides_that_earned_them(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    forward = None
    for played in data.draw(matches(table)):
        match = played.final
        hand = match.hand
        assert hand is not None
        sheets = score_sheet(match)
        assert sheets is not None
        assert sheets == hand.sheets == expected_sheets(match, hand)
        assert forward is None or match.forward == forward
        totals = tuple(
            before + sum(sheet) for before, sheet in zip(match.forward, sheets, strict=True)
        )
        assert match.totals == totals == played.final.totals
        assert [sheet.total for sheet in sheets] == [sum(sheet) for sheet in sheets]
        ending = [e for e in hand.history if isinstance(e, HandEnded | MatchEnded)]
        assert ending[0] == HandEnded(hand.completed_by, sheets, totals)
        if isinstance(match.awaiting, Over):
            assert ending[1:] == [MatchEnded(totals, match.awaiting.winner)]
        else:
            assert ending[1:] == []
        for state in played.states[:-1]:
            assert score_sheet(state) is None
            assert state.totals == state.forward
        forward = totals


def expected_sheets(match: Match, hand: Hand) -> tuple[ScoreSheet, ...]:
    """The score sheets once more, in the words of the rules table."""
    edition = match.edition
    sides = range(match.sides)
    miles = [sum(MILES[card] for card in tableau.distance) for tableau in hand.tableaux]
    completer = hand.completed_by
    if completer is None:
        assert not hand.pile
        assert not any(hand.hands)
    else:
        assert miles[completer] == hand.trip
    winner = completer
    if completer is None and edition.exhaustion_winner == "most_miles":
        furthest = [side for side in sides if miles[side] == max(miles)]
        winner = furthest[0] if len(furthest) == 1 else None
    blank = [side for side in sides if not hand.tableaux[side].distance]
    extension = set(extension_goes_to(match, hand))

    def sheet(side: int, tableau: Tableau) -> ScoreSheet:
        others = [other for other in sides if other != side]
        shut_out = 0
        if edition.shut_out == "any" or (edition.shut_out == "each" and side == completer):
            shut_out = sum(other in blank for other in others)
        elif side == completer:
            shut_out = int(all(other in blank for other in others))
        late = not hand.pile
        if edition.delayed_action_needs_empty_start:
            late = late and hand.began_empty
        return ScoreSheet(
            miles=miles[side],
            safeties=len(tableau.safeties) * edition.safety_points,
            all_four=edition.all_four_points if len(tableau.safeties) == len(SAFETIES) else 0,
            coups_fourres=len(tableau.crosswise) * edition.coup_fourre_points,
            trip=edition.trip_points if side == winner else 0,
            delayed_action=edition.delayed_action_points if side == completer and late else 0,
            safe_trip=(
                edition.safe_trip_points
                if side == winner and Card.D200 not in tableau.distance
                else 0
            ),
            shut_out=shut_out * edition.shut_out_points,
            extension=edition.extension_points if side in extension else 0,
        )

    return tuple(sheet(side, tableau) for side, tableau in enumerate(hand.tableaux))


def extension_goes_to(match: Match, hand: Hand) -> list[int]:
    edition, caller = match.edition, hand.caller
    if caller is None:
        return []
    opponents = [side for side in range(match.sides) if side != caller]
    if hand.completed_by == caller:
        return [caller] if edition.extension_if_caller_completes == "caller" else []
    if hand.completed_by is None:
        return opponents if edition.extension_if_nobody_completes == "each_opponent" else []
    match edition.extension_if_other_completes:
        case "each_opponent":
            return opponents
        case "completer":
            return [hand.completed_by]
        case _:
            return []


@every_table
@given(data=st.data())
@settings(max_examples=8)
def test_the_deal_passes_left_or_stays_and_left_of_the_dealer_starts(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    dealer = None
    for number, played in enumerate(data.draw(matches(table, hands=3)), start=1):
        hand = played.dealt.hand
        assert hand is not None
        assert hand.number == number
        if dealer is not None:
            moved = 1 if played.start.edition.dealer == "rotates" else 0
            assert hand.dealer == (dealer + moved) % played.start.players
        dealer = hand.dealer
        assert len(hand.hands[(dealer + 1) % played.start.players]) == 7
        assert hand.pile == played.deck[6 * played.start.players + 1 :]
        assert hand.tableaux == (Tableau(),) * played.start.sides
        assert hand.discard == ()
        assert hand.trip == played.start.trip

"""Sentences about a hand and a match that have ended: each is true, and tells no secret."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from millebornes.rules import Card, Match, Play, ScoreSheet, apply_legal, cut, why_not
from millebornes.rules.car import active_hazard, is_limited, is_rolling
from millebornes.rules.edition import Edition
from millebornes.table.messages_out import Fact
from millebornes.table.recap import moments, recaps
from millebornes.words import languages, words

from .driven_table import PRINTED, QUICK, DrivenTable, table_settings
from .played_hands import EDITIONS_PLAYED, PlayedHand, SeenTurn, played_hands

RECAP = {
    *("ahead", "ahead_by_line", "behind", "behind_by_line", "level"),
    *("ahead_of", "ahead_by_line_of", "level_of"),
    *("held_to_drive", "held_to_cure", "rival_stopped"),
    *("stopped", "stopped_partly", "stopped_without", "stopped_without_partly"),
    *("stopped_variously", "limited", "rival_limited"),
}
MOMENTS = {"coup", "coups", "coups_shared", "biggest", "shut_out", "comeback"}


def recap(match: Match, seat: int | None) -> tuple[Fact, ...]:
    """What a seat, or (None) a spectator, is told."""
    return recaps(match)[-1 if seat is None else seat]


@cache
def hands() -> tuple[PlayedHand, ...]:
    return tuple(
        played
        for edition in EDITIONS_PLAYED
        for players in (2, 3, 4)
        for played in played_hands(edition, players, 14, seed=1954 + players)
    )


def facts() -> Iterator[tuple[PlayedHand, int | None, Fact]]:
    for played in hands():
        for seat in (None, *range(played.match.players)):
            for fact in recap(played.match, seat):
                yield played, seat, fact


@pytest.mark.parametrize("language", languages())
def test_every_fact_has_a_sentence_and_every_sentence_a_fact(language: str) -> None:
    assert set(words(language).data["facts"]) == RECAP | MOMENTS


def test_every_kind_of_sentence_is_told_of_some_hand() -> None:
    told = Counter(fact.code for _, _, fact in facts())
    # Equal points are too rare to wait for; they have a test of their own.
    assert set(told) >= RECAP - {"level", "level_of"}


def test_there_are_one_or_two_sentences_and_the_first_is_about_the_points() -> None:
    for played in hands():
        for seat in (None, *range(played.match.players)):
            told = recap(played.match, seat)
            assert 1 <= len(told) <= 2
            assert told[0].code.startswith(("ahead", "behind", "level"))


def test_sides_with_equal_points_are_level() -> None:
    played = next(one for one in hands() if one.match.players == 2)
    assert played.match.hand is not None
    same = (ScoreSheet(miles=200), ScoreSheet(miles=100, safeties=100))
    match = played.match._replace(hand=played.match.hand._replace(sheets=same))
    assert recap(match, 0)[0] == Fact("level", {"side": 1})
    assert recap(match, None) == (Fact("level_of", {"first": 0, "side": 1}),)


# Each sentence again, as a second reader would check it: from the states of the hand.


def sheets_of(match: Match) -> tuple[ScoreSheet, ...]:
    assert match.hand is not None
    assert match.hand.sheets is not None
    return match.hand.sheets


def standstill(turn: SeenTurn) -> Card | None:
    assert turn.match.hand is not None
    tableau = turn.match.hand.tableaux[turn.match.side_of(turn.seat)]
    if is_rolling(tableau, turn.match.edition):
        return None
    return active_hazard(tableau) or Card.ROLL


def would(turn: SeenTurn, card: Card) -> str:
    """What this card would have done, if it had been played."""
    if why_not(turn.match, turn.seat, Play(card)) is not None:
        return ""
    after, _ = apply_legal(turn.match, turn.seat, Play(card))
    assert after.hand is not None
    tableau = after.hand.tableaux[after.side_of(turn.seat)]
    if is_rolling(tableau, after.edition):
        return "drive"
    return "cure" if active_hazard(tableau) is None else ""


def check_points(played: PlayedHand, seat: int | None, fact: Fact) -> None:
    sheets, params = sheets_of(played.match), fact.params
    one = params["first"] if seat is None else played.match.side_of(seat)
    assert isinstance(one, int)
    other = int(params["side"])
    by = sheets[one].total - sheets[other].total
    if fact.code.startswith("level"):
        assert by == 0
        return
    assert by == (params["points"] if fact.code.startswith("ahead") else -int(params["points"]))
    ahead, behind = (one, other) if by > 0 else (other, one)
    gained = [mine - theirs for mine, theirs in zip(sheets[ahead], sheets[behind], strict=True)]
    assert params["more"] == max(gained) == gained[ScoreSheet._fields.index(str(params["line"]))]
    # Without the line that has decided, the other side would have been level or in front.
    assert fact.code.removesuffix("_of").endswith("_by_line") == (max(gained) >= abs(by))


def check_standstill(played: PlayedHand, seat: int | None, fact: Fact) -> None:
    params = fact.params
    if fact.code == "rival_stopped":
        side = params["side"]
        own = [turn for turn in played.turns if played.match.side_of(turn.seat) == side]
    else:
        own = [turn for turn in played.turns if turn.seat == seat]
    causes = [cause for turn in own if (cause := standstill(turn)) is not None]
    assert (params["turns"], params["of"]) == (len(causes), len(own))
    if fact.code == "stopped_variously":
        assert len(set(causes)) == len(causes)
    elif fact.code != "rival_stopped":
        named = str(params["remedy" if "without" in fact.code else "hazard"])
        assert causes.count(Card(named)) == params.get("count", len(causes))
        assert ("count" in params) == (len(set(causes)) > 1)


def turns_of(played: PlayedHand, side: int) -> list[SeenTurn]:
    return [turn for turn in played.turns if played.match.side_of(turn.seat) == side]


def is_slow(turn: SeenTurn) -> bool:
    assert turn.match.hand is not None
    return is_limited(turn.match.hand.tableaux[turn.match.side_of(turn.seat)])


def check_limited(played: PlayedHand, seat: int | None, fact: Fact) -> None:
    if fact.code == "rival_limited":
        own = turns_of(played, int(fact.params["side"]))
    else:
        own = [turn for turn in played.turns if turn.seat == seat]
    assert fact.params["turns"] == sum(map(is_slow, own))
    assert fact.params["of"] == len(own)


def test_only_those_who_are_not_behind_read_what_held_up_the_other_side_more_than_theirs() -> None:
    for played, seat, fact in facts():
        if not fact.code.startswith("rival"):
            continue
        assert seat is not None
        side = played.match.side_of(seat)
        totals = [sheet.total for sheet in sheets_of(played.match)]
        assert totals[side] == max(totals)
        is_held_up = is_slow if fact.code == "rival_limited" else standstill
        ours = turns_of(played, side)
        share = sum(is_held_up(turn) not in (None, False) for turn in ours) / max(1, len(ours))
        assert int(fact.params["turns"]) / int(fact.params["of"]) > share


def check_held(played: PlayedHand, seat: int | None, fact: Fact) -> None:
    card = Card(str(fact.params["card"]))
    counted = 0
    for turn in played.turns:
        if turn.seat != seat:
            continue
        assert turn.match.hand is not None
        is_kept = card in turn.match.hand.hands[seat] and card not in turn.used
        cause = standstill(turn)
        if fact.code == "held_to_drive":
            counted += is_kept and cause is not None and would(turn, card) == "drive"
        else:
            is_it = cause is not None and cause.value == fact.params["hazard"]
            counted += is_kept and is_it and would(turn, card) == "cure"
    assert counted == fact.params["turns"]
    assert counted >= 2


def test_every_sentence_is_true() -> None:
    for played, seat, fact in facts():
        if fact.code.startswith(("ahead", "behind", "level")):
            check_points(played, seat, fact)
        elif fact.code.startswith("held"):
            check_held(played, seat, fact)
        elif fact.code.endswith("limited"):
            check_limited(played, seat, fact)
        else:
            check_standstill(played, seat, fact)


def test_what_a_seat_reads_does_not_depend_on_cards_that_it_may_not_see() -> None:
    for played in hands()[::5]:
        hand = played.match.hand
        assert hand is not None
        for seat in (None, *range(played.match.players)):
            shown = tuple(cut(event, seat) for event in hand.history)
            unknown = [(Card.UNKNOWN,) * len(cards) for cards in hand.hands]
            if seat is not None:
                unknown[seat] = hand.hands[seat]
            cut_hand = hand._replace(history=shown, hands=tuple(unknown))
            assert recap(played.match._replace(hand=cut_hand), seat) == recap(played.match, seat)


def test_no_recap_before_the_hand_has_ended() -> None:
    driven = DrivenTable(table_settings(QUICK)).join("ann").bots(1).start()
    assert driven.hand("ann").recap == ()
    driven.play_to_the_end()
    assert driven.hand("ann").recap == recap(driven.table.match, 0)  # type: ignore[arg-type]
    assert driven.view("ann").moments == moments(QUICK, driven.table.results.sheets)


def test_a_stranger_reads_neither() -> None:
    driven = DrivenTable(table_settings(QUICK)).join("ann").bots(1).start().play_to_the_end()
    seen = driven.view("zoe")
    assert seen.hand is None
    assert seen.moments == ()


# The best moments of a match, from its score sheets.


def told(*hands: tuple[ScoreSheet, ...], edition: Edition = PRINTED) -> list[Fact]:
    return list(moments(edition, hands))


NONE = ScoreSheet()


def test_the_side_with_the_most_coups_fourres_is_named() -> None:
    two, one = ScoreSheet(coups_fourres=600), ScoreSheet(coups_fourres=300)
    assert told((two, one))[0] == Fact("coups", {"side": 0, "count": 2})
    assert told((NONE, one), (NONE, one))[0] == Fact("coups", {"side": 1, "count": 2})
    assert told((NONE, one))[0] == Fact("coup", {"side": 1, "count": 1})
    assert told((one, one))[0] == Fact("coups_shared", {"count": 2})
    assert told((NONE, NONE)) == []


def test_without_points_for_them_coups_fourres_are_not_counted() -> None:
    house = PRINTED.house({"coup_fourre_points": 0})
    assert told((ScoreSheet(miles=25), NONE), edition=house) == []


def test_the_biggest_hand_is_named_if_there_is_only_one() -> None:
    small, big = ScoreSheet(miles=100), ScoreSheet(miles=700, trip=400)
    assert told((small, NONE), (NONE, big))[0] == Fact(
        "biggest", {"side": 1, "points": 1100, "hand": 2}
    )
    assert told((big, NONE), (NONE, big)) == []
    assert told((big, NONE)) == [], "one hand is no comparison"


def test_the_first_shut_out_is_named() -> None:
    shut = ScoreSheet(shut_out=500)
    assert Fact("shut_out", {"side": 1, "hand": 2}) in told((NONE, NONE), (NONE, shut))


def test_a_winner_who_was_far_behind_has_come_back() -> None:
    lead, much = ScoreSheet(miles=700), ScoreSheet(miles=700, trip=400)
    assert told((lead, NONE), (NONE, much))[-1] == Fact(
        "comeback", {"side": 1, "points": 700, "hand": 1}
    )
    near = ScoreSheet(miles=475)
    assert not any(one.code == "comeback" for one in told((near, NONE), (NONE, much)))
    assert not any(one.code == "comeback" for one in told((lead, NONE), (NONE, lead)))

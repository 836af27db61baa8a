"""The scenarios: one test for each row, named by its rulebook sentence.

A docstring gives the row and its source. Positions are the project's own position texts:
seat 0 is on turn and has drawn, cards that are not named are `?`.
"""

import pytest

from millebornes.rules import EDITIONS, deal_cards, new_match
from millebornes.rules.cards import Card

from .referee import (
    ALL,
    ARTICLE,
    DUJARDIN,
    ENCYCLOPEDIA,
    PARKER,
    WINNING_MOVES,
    editions,
    referee,
)

WITH_EXTENSION = (PARKER, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA)


@editions(PARKER, ENCYCLOPEDIA)
def test_a_hazard_may_be_piled_on_a_hazard_and_only_the_topmost_counts(edition: str) -> None:
    """S01. Parker 1988, Special Notes, G; Encyclopedia, Legal actions: Hazard."""
    table = referee(
        edition,
        """
        battle 1: ROLL FLAT
        hand 0: ACC
        hand 1: REP ROLL 50
        """,
    )
    table.play("ACC>1")
    assert table.awaits == "window ACC 0>1 asks 1"
    table.play("-")
    assert table.awaits == "turn 1"
    assert table.battle(1) == "ROLL FLAT ACC"
    assert table.why("50") == "stopped hazard=ACC remedy=REP"
    assert table.why("ROLL") == "cure_first hazard=ACC remedy=REP"
    table.play("REP", "x?")
    assert table.why("50") == "needs_roll top=REP"
    table.play("ROLL", "x?", "50")
    assert table.battle(1) == "ROLL FLAT ACC REP ROLL"
    assert table.distance(1) == "50"
    assert table.discard == "? ?"
    assert table.awaits == "turn 0"
    assert table.sizes == (7, 6)


@editions(WINNING_MOVES, ARTICLE, DUJARDIN)
def test_a_car_that_is_stopped_cannot_have_further_hazards_happen_to_it(edition: str) -> None:
    """S02. Winning Moves, §2; Article, Hazards; Dujardin 2019, p. 11."""
    table = referee(edition, "battle 1: ROLL FLAT\nhand 0: ACC")
    assert table.why("ACC>1") == "already_stopped side=1 hazard=FLAT"
    assert table.battle(1) == "ROLL FLAT"
    assert table.sizes == (7, 6)


@editions(PARKER, ENCYCLOPEDIA)
def test_a_roll_frees_a_car_whose_stop_covers_out_of_gas(edition: str) -> None:
    """S03. Parker 1988, Special Notes, G; Encyclopedia, Legal actions: Hazard."""
    table = referee(edition, "battle 1: ROLL OUT\nhand 0: STOP\nhand 1: ROLL 100")
    table.play("STOP>1", "-")
    assert table.why("100") == "stopped hazard=STOP remedy=ROLL"
    table.play("ROLL", "x?", "100")
    assert table.battle(1) == "ROLL OUT STOP ROLL"
    assert table.distance(1) == "100"


@editions(PARKER, ENCYCLOPEDIA)
def test_a_hazard_may_land_on_a_remedy(edition: str) -> None:
    """S04, first half. Encyclopedia, Legal actions: Hazard; Parker 1988, Special Notes, G."""
    table = referee(edition, "battle 1: ROLL OUT GAS\nhand 0: FLAT")
    table.play("FLAT>1")
    assert table.battle(1) == "ROLL OUT GAS FLAT"
    assert table.awaits == "window FLAT 0>1 asks 1"


@editions(WINNING_MOVES, ARTICLE, DUJARDIN)
def test_a_hazard_cannot_land_on_a_remedy_that_no_roll_has_covered(edition: str) -> None:
    """S04, second half. Winning Moves, §6.B “the only time”."""
    table = referee(edition, "battle 1: ROLL OUT GAS\nhand 0: FLAT")
    assert table.why("FLAT>1") == "not_rolling side=1"


@editions(*ALL)
def test_right_of_way_lets_hazards_land_on_a_remedy_but_stops_the_stop(edition: str) -> None:
    """S05. Winning Moves, §6.B; Dujardin 2019, p. 12, remarque."""
    table = referee(edition, "battle 1: ROLL OUT GAS\nsafeties 1: ROW\nhand 0: FLAT STOP")
    assert table.why("STOP>1") == "safety_protects side=1 hazard=STOP safety=ROW"
    table.play("FLAT>1")
    assert table.battle(1) == "ROLL OUT GAS FLAT"
    assert table.awaits == "window FLAT 0>1 asks 1"


@editions(*ALL)
def test_distance_may_be_played_on_a_right_of_way_card_without_a_roll(edition: str) -> None:
    """S06. Parker 1988, How to Play the Cards, C “a Roll Card … or … Right of Way Card”."""
    table = referee(edition, "safeties 0: ROW\nhand 0: 200")
    table.play("200")
    assert table.distance(0) == "200"
    assert table.tableau(0).miles == 200
    assert table.battle(0) == ""
    assert table.awaits == "turn 1"


@editions(*ALL)
def test_a_roll_is_still_needed_after_extra_tank_cures_out_of_gas(edition: str) -> None:
    """S07. Encyclopedia, Legal actions “a Roll must still be played”."""
    table = referee(
        edition,
        """
        battle 0: ROLL OUT
        hand 0: TANK 50 ROLL
        next: 25
        """,
    )
    table.play("TANK")
    assert table.awaits == "turn 0"
    assert table.safeties(0) == "TANK"
    assert table.battle(0) == "ROLL OUT"
    assert table.discard == ""
    assert table.holds(0) == "50 ROLL ? ? ? ? 25"
    assert table.why("50") == "needs_roll top=OUT"
    table.play("ROLL")
    assert table.awaits == "turn 1"
    assert table.battle(0) == "ROLL OUT ROLL"
    table.play("x?", "50")
    assert table.distance(0) == "50"


@editions(*ALL)
def test_no_roll_is_needed_after_a_safety_where_right_of_way_is_displayed(edition: str) -> None:
    """S08. Encyclopedia, Legal actions “Unless … Right of Way”."""
    table = referee(edition, "battle 0: ROLL OUT\nsafeties 0: ROW\nhand 0: TANK 50\nnext: 25")
    assert table.why("50") == "stopped hazard=OUT remedy=GAS"
    table.play("TANK", "50")
    assert table.battle(0) == "ROLL OUT"
    assert table.safeties(0) == "ROW TANK"
    assert table.distance(0) == "50"
    assert table.holds(0) == "? ? ? ? ? 25"


@editions(*ALL)
def test_a_coup_fourre_draws_a_replacement_and_gives_one_turn(edition: str) -> None:
    """S09. Winning Moves, §7; Dujardin 2019, p. 14."""
    table = referee(
        edition,
        """
        battle 1: ROLL
        hand 0: OUT
        hand 1: TANK 100
        next: 25 75
        """,
    )
    pile = table.pile
    table.play("OUT>1")
    assert table.awaits == "window OUT 0>1 asks 1"
    assert table.sizes == (6, 6)
    assert table.pile == pile
    table.play("TANK!")
    assert table.awaits == "turn 1"
    assert table.discard == "OUT"
    assert table.battle(1) == "ROLL"
    assert table.safeties(1) == "TANK!"
    assert table.holds(1) == "100 ? ? ? ? 25 75"
    assert table.pile == pile - 2
    table.play("100")
    assert table.distance(1) == "100"
    assert table.awaits == "turn 0"
    assert table.sizes == (7, 6)
    assert table.sheets_now[1]["safeties"] == 100
    assert table.sheets_now[1]["coups_fourres"] == 300


@editions(*ALL)
def test_players_between_the_attacker_and_the_caller_lose_their_turns(edition: str) -> None:
    """S10. Winning Moves, §7; Parker 1988, How to Play the Cards, E."""
    table = referee(
        edition,
        """
        players: 3
        battle 2: ROLL
        hand 0: FLAT
        hand 2: PROOF
        """,
    )
    table.play("FLAT>2")
    assert table.awaits == "window FLAT 0>2 asks 2"
    table.play("PROOF!")
    assert table.awaits == "turn 2"
    assert table.sizes == (6, 6, 7)
    table.play("x?")
    assert table.awaits == "turn 0"
    assert table.sizes == (7, 6, 6)
    assert table.safeties(2) == "PROOF!"
    assert table.discard == "FLAT ?"


@editions(PARKER, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA)
def test_partners_too_lose_their_turns_to_a_coup_fourre(edition: str) -> None:
    """S11. Parker 1988, How to Play the Cards, E; Winning Moves, §7."""
    table = referee(
        edition,
        """
        players: 4
        battle 1: ROLL
        hand 0: ACC
        hand 3: ACE
        next: 25 50
        """,
    )
    table.play("ACC>1")
    assert table.awaits == "window ACC 0>1 asks 1 3"
    table.play("3:ACE!")
    assert table.awaits == "turn 3"
    assert table.holds(3) == "? ? ? ? ? 25 50"
    assert table.safeties(1) == "ACE!"
    assert table.battle(1) == "ROLL"
    table.play("25")
    assert table.distance(1) == "25"
    assert table.awaits == "turn 0"
    assert table.sizes == (7, 6, 6, 6)
    assert table.discard == "ACC"


@editions(PARKER, WINNING_MOVES)
def test_the_partner_may_call_only_before_a_player_draws(edition: str) -> None:
    """S12. Parker 1988, How to Play the Cards, E; Winning Moves, §7."""
    table = referee(edition, "players: 4\nbattle 1: ROLL\nhand 0: ACC\nhand 3: ACE")
    table.play("ACC>1", "1:-", "3:-")
    assert table.awaits == "turn 1"
    assert table.sizes == (6, 7, 6, 6)
    assert table.why("3:ACE!") == "no_window"
    table.play("x?", "x?", "ACE")
    assert table.awaits == "turn 3"
    assert table.safeties(1) == "ACE"
    assert table.battle(1) == "ROLL ACC"
    assert table.sheets_now == ({}, {"safeties": 100})


@editions(*ALL)
def test_a_safety_drawn_after_the_attack_is_no_coup_fourre(edition: str) -> None:
    """S13. Winning Moves, §7 “BEFORE you draw”."""
    table = referee(
        edition,
        """
        battle 1: ROLL
        distance 0: 25
        distance 1: 25
        hand 0: OUT
        hand 1: REP REP REP REP 50 50
        next: TANK 75
        """,
    )
    table.play("OUT>1")
    assert table.why("TANK!") == "not_in_hand card=TANK"
    table.play("-")
    assert table.holds(1) == "REP REP REP REP 50 50 TANK"
    assert table.why("TANK!") == "no_window"
    table.play("TANK")
    assert table.awaits == "turn 1"
    assert table.holds(1) == "REP REP REP REP 50 50 75"
    assert table.safeties(1) == "TANK"
    assert table.battle(1) == "ROLL OUT"
    assert table.why("50") == "needs_roll top=OUT"
    assert table.sheets_now[1] == {"miles": 25, "safeties": 100}


@editions(PARKER, ENCYCLOPEDIA)
def test_an_uncorrected_hazard_is_revealed_by_a_coup_fourre(edition: str) -> None:
    """S14. Encyclopedia, Legal actions: Coup fourré."""
    table = referee(
        edition,
        """
        battle 1: ROLL FLAT
        hand 0: OUT
        hand 1: TANK SPARE 25
        """,
    )
    table.play("OUT>1", "TANK!")
    assert table.battle(1) == "ROLL FLAT"
    assert table.discard == "OUT"
    assert table.why("25") == "stopped hazard=FLAT remedy=SPARE"
    table.play("SPARE", "x?")
    assert table.battle(1) == "ROLL FLAT SPARE"
    assert table.awaits == "turn 1"
    assert table.why("25") == "needs_roll top=SPARE"


@editions(PARKER, WINNING_MOVES, ARTICLE)
def test_one_end_of_limit_lifts_two_speed_limits(edition: str) -> None:
    """S15, first half. Winning Moves, §12.H."""
    table = referee(
        edition,
        """
        battle 1: ROLL
        speed 1: LIM
        hand 0: LIM
        hand 1: EOL 200
        """,
    )
    table.play("LIM>1")
    assert table.awaits == "window LIM 0>1 asks 1"
    table.play("-")
    assert table.speed(1) == "LIM LIM"
    assert table.why("200") == "speed_limit card=200"
    table.play("EOL", "x?", "200")
    assert table.speed(1) == "LIM LIM EOL"
    assert table.distance(1) == "200"


@editions(ENCYCLOPEDIA, DUJARDIN)
def test_a_speed_limit_needs_a_speed_pile_that_is_empty_or_shows_end_of_limit(
    edition: str,
) -> None:
    """S15, second half. Encyclopedia, Legal actions: Hazard."""
    table = referee(edition, "battle 1: ROLL\nspeed 1: LIM\nhand 0: LIM")
    assert table.why("LIM>1") == "already_limited side=1"
    table = referee(edition, "battle 1: ROLL\nspeed 1: LIM EOL\nhand 0: LIM")
    table.play("LIM>1")
    assert table.speed(1) == "LIM EOL LIM"


@editions(*ALL)
def test_a_roll_cannot_be_played_on_a_roll_but_may_be_discarded(edition: str) -> None:
    """S16. Encyclopedia, Legal actions: Roll."""
    table = referee(edition, "battle 0: ROLL\nhand 0: ROLL")
    assert table.why("ROLL") == "already_rolling"
    table.play("xROLL")
    assert table.discard == "ROLL"
    assert table.battle(0) == "ROLL"
    assert table.awaits == "turn 1"


@pytest.mark.parametrize(
    ("speed", "reason"),
    [
        ("", "not_limited"),
        ("speed 0: LIM EOL", "not_limited"),
        ("speed 0: LIM\nsafeties 0: ROW", "right_of_way_lifts"),
    ],
)
@editions(*ALL)
def test_end_of_limit_may_only_be_played_if_your_speed_has_been_limited(
    edition: str, speed: str, reason: str
) -> None:
    """S17. Article, Remedies."""
    table = referee(edition, f"battle 0: ROLL\n{speed}\nhand 0: EOL")
    assert table.why("EOL") == reason
    assert table.why("xEOL") is None


@editions(*ALL)
def test_no_more_than_two_200_mile_cards_may_be_used(edition: str) -> None:
    """S18. Parker 1988, How to Play the Cards, C; Winning Moves, §6.C; Dujardin 2019, p. 9."""
    table = referee(edition, "battle 0: ROLL\ndistance 0: 200 200\nhand 0: 200 100")
    assert table.why("200") == "no_more_200s most=2"
    table.play("100")
    assert table.distance(0) == "200 200 100"


@editions(PARKER, WINNING_MOVES, ENCYCLOPEDIA)
def test_the_two_200s_are_counted_for_the_team(edition: str) -> None:
    """S19. Encyclopedia, Legal actions “any player or team”."""
    table = referee(
        edition,
        """
        players: 4
        turn: 2
        battle 0: ROLL
        distance 0: 200
        hand 0: 200
        hand 2: 200
        """,
    )
    table.play("200", "x?")
    assert table.awaits == "turn 0"
    assert table.why("200") == "no_more_200s most=2"
    assert table.distance(0) == "200 200"


@editions(*WITH_EXTENSION)
def test_a_trip_is_exactly_700_and_the_first_to_reach_it_is_asked(edition: str) -> None:
    """S20. Winning Moves, §10.B and C."""
    table = referee(edition, "battle 0: ROLL\nmiles 0: 675\nhand 0: 50 25")
    assert table.why("50") == "too_far card=50 miles=675 trip=700 left=25"
    table.play("25")
    assert table.tableau(0).miles == 700
    assert table.awaits == "extension 0"
    assert table.sizes == (6, 6)
    assert table.why("ext") is None
    assert table.why("end") is None


@pytest.mark.parametrize(
    ("edition", "extension"),
    [
        (PARKER, (0, 200, 200)),
        (WINNING_MOVES, (0, 200, 200)),
        (ARTICLE, (0, 0, 200)),
        (ENCYCLOPEDIA, (0, 0, 0)),
    ],
)
def test_who_scores_the_extension_that_another_side_completes(
    edition: str, extension: tuple[int, ...]
) -> None:
    """S21. Parker 1988, Rules for 2 or 3 Players, C.2; Winning Moves, §10.C; Article;
    Encyclopedia, Scoring: Extension.
    """
    table = referee(
        edition,
        """
        players: 3
        called: 0
        turn: 2
        battle 2: ROLL
        distance 0: 100 100 100 100 100 100 100
        distance 1: 50 50 50 75 75 75 75
        distance 2: 200 200 100 100 100 75 75 50
        hand 2: 100
        """,
    )
    table.play("100")
    assert [sheet["miles"] for sheet in table.sheets] == [700, 450, 1000]
    assert [sheet.get("trip", 0) for sheet in table.sheets] == [0, 0, 400]
    assert tuple(sheet.get("extension", 0) for sheet in table.sheets) == extension
    others = {"safeties", "all_four", "coups_fourres", "delayed_action", "safe_trip", "shut_out"}
    assert not any(others & set(sheet) for sheet in table.sheets)
    assert table.match.totals == (700, 450 + extension[1], 1400 + extension[2])


@editions(*WITH_EXTENSION)
def test_a_player_who_declines_the_extension_claims_the_hand_at_once(edition: str) -> None:
    """S22. Encyclopedia, Ending conditions."""
    table = referee(
        edition,
        """
        battle 0: ROLL
        distance 0: 200 200 100 100
        miles 1: 300
        hand 0: 100
        pile: 12
        """,
    )
    table.play("100", "end")
    assert table.sheets == ({"miles": 700, "trip": 400}, {"miles": 300})
    assert table.match.totals == (1100, 300)
    assert table.pile == 12
    assert table.sizes == (6, 6)
    assert table.awaits == "deal by 1"
    assert table.hand.caller is None
    assert table.hand.trip == 700


@editions(*WITH_EXTENSION)
def test_delayed_action_counts_when_the_completer_drew_the_last_card(edition: str) -> None:
    """S23. Winning Moves, §6.C and §8; Encyclopedia, Scoring."""
    table = referee(
        edition,
        """
        players: 4
        turn: 3
        battle 0: ROLL
        distance 0: 200 200 100 100 100 100 100
        distance 1: 25
        pile: 1
        next: 100
        """,
    )
    table.play("x?")
    assert table.pile == 0
    assert table.holds(0) == "? ? ? ? ? ? 100"
    table.play("100")
    assert table.sheets == (
        {"miles": 1000, "trip": 400, "delayed_action": 300},
        {"miles": 25},
    )
    assert table.awaits == "deal by 1"


@pytest.mark.parametrize(
    ("players", "called", "extra", "total"),
    [
        (2, "called: 0", {"shut_out": 500, "extension": 200}, 4600),
        (4, "", {"shut_out": 500}, 4400),
        (3, "called: 0", {"shut_out": 1000, "extension": 200}, 5100),
    ],
)
def test_the_perfect_hand(players: int, called: str, extra: dict[str, int], total: int) -> None:
    """S24. Encyclopedia, Scoring."""
    table = referee(
        ENCYCLOPEDIA,
        f"""
        players: {players}
        {called}
        battle 0: ROLL
        miles 0: 900
        safeties 0: ACE! TANK! PROOF! ROW!
        pile: 0
        hand 0: 100
        """,
    )
    table.play("100")
    perfect = {
        "miles": 1000,
        "safeties": 400,
        "all_four": 300,
        "coups_fourres": 1200,
        "trip": 400,
        "delayed_action": 300,
        "safe_trip": 300,
        **extra,
    }
    assert table.sheets == (perfect, *[{}] * (table.match.sides - 1))
    assert table.match.totals[0] == total


@pytest.mark.parametrize(
    ("edition", "first", "total"),
    [
        (DUJARDIN, {"miles": 600, "trip": 400, "safe_trip": 200}, 1200),
        (PARKER, {"miles": 600}, 600),
        (WINNING_MOVES, {"miles": 600}, 600),
        (ARTICLE, {"miles": 600}, 600),
        (ENCYCLOPEDIA, {"miles": 600}, 600),
    ],
)
def test_who_wins_a_hand_when_the_cards_are_gone(
    edition: str, first: dict[str, int], total: int
) -> None:
    """S25. Dujardin 2019, p. 6 and 8; Parker 1988, Ending a Hand."""
    table = referee(
        edition,
        """
        miles 0: 600
        miles 1: 550
        pile: 0
        hand 0: only REP
        hand 1: only GAS
        """,
    )
    table.play("xREP")
    assert table.awaits == "turn 1"
    table.play("xGAS")
    assert table.sheets == (first, {"miles": 550})
    assert table.match.totals == (total, 550)
    assert table.hand.completed_by is None
    assert table.awaits == "deal by 1"


@pytest.mark.parametrize(
    ("edition", "bonus", "total"),
    [
        (DUJARDIN, {}, 700),
        (PARKER, {"all_four": 300}, 1000),
        (WINNING_MOVES, {"all_four": 300}, 1000),
        (ARTICLE, {"all_four": 300}, 1000),
        (ENCYCLOPEDIA, {"all_four": 300}, 1000),
    ],
)
def test_all_four_safeties_score_a_bonus(edition: str, bonus: dict[str, int], total: int) -> None:
    """S26. Dujardin 2019, p. 8: has none; Parker 1988, Scoring."""
    table = referee(
        edition,
        """
        distance 0: 25
        distance 1: 25
        safeties 0: ACE! TANK PROOF ROW
        pile: 0
        hand 0: only REP
        hand 1: only GAS
        """,
    )
    table.play("xREP", "xGAS")
    assert table.sheets == (
        {"miles": 25, "safeties": 400, "coups_fourres": 300, **bonus},
        {"miles": 25},
    )
    assert table.match.totals == (total + 25, 25)


def test_an_autoroute_gets_rid_of_the_attack_in_progress_and_of_the_limit() -> None:
    """S27. Dujardin 2019, p. 13."""
    table = referee(DUJARDIN, "battle 0: ROLL ACC\nspeed 0: LIM\nhand 0: AUTO 200\nnext: 25")
    table.play("AUTO")
    assert table.discard == "ACC LIM"
    assert table.battle(0) == "ROLL"
    assert table.speed(0) == ""
    assert table.autoroute(0) == (0, 2)
    assert table.awaits == "turn 1"
    assert table.sizes == (6, 7)
    table.play("x?", "200")
    assert table.distance(0) == "200"


def test_an_autoroute_does_not_replace_the_feu_vert_and_is_worth_nothing() -> None:
    """S28. Dujardin 2019, p. 9 and 13."""
    table = referee(DUJARDIN, "distance 1: 50\nhand 0: AUTO 25 ROLL")
    table.play("AUTO", "x?")
    assert table.why("25") == "needs_roll top="
    table.play("ROLL", "x?", "25")
    assert table.distance(0) == "25"
    assert table.sheets_now[0] == {"miles": 25}


def test_an_end_of_limit_is_enough_without_a_new_feu_vert() -> None:
    """S29. Dujardin 2019, p. 6 “l'annulera” and p. 9."""
    table = referee(DUJARDIN, "battle 0: ROLL\nspeed 0: LIM\nhand 0: EOL 100")
    assert table.why("100") == "speed_limit card=100"
    table.play("EOL", "x?", "100")
    assert table.speed(0) == "LIM EOL"
    assert table.battle(0) == "ROLL"
    assert table.distance(0) == "100"


@editions(*ALL)
def test_with_an_empty_pile_the_extra_play_of_a_safety_remains(edition: str) -> None:
    """S30. Winning Moves, §5.B; Dujardin 2019, p. 13 “il faut rejouer ensuite”."""
    table = referee(
        edition,
        """
        battle 0: ROLL
        pile: 0
        hand 0: only TANK 50
        hand 1: only REP REP GAS
        """,
    )
    table.play("TANK")
    assert table.awaits == "turn 0"
    assert table.holds(0) == "50"
    table.play("50")
    assert table.distance(0) == "50"
    assert table.sizes == (0, 3)
    table.play("xREP")
    assert table.awaits == "turn 1"
    table.play("xREP")
    assert table.awaits == "turn 1"
    table.play("xGAS")
    assert table.discard == "REP REP GAS"
    assert table.awaits == "deal by 1"


@pytest.mark.parametrize(
    ("edition", "size", "hazards", "pile"),
    [
        (PARKER, 101, (2, 2, 2, 4, 3), 89),
        (WINNING_MOVES, 101, (2, 2, 2, 4, 3), 89),
        (ARTICLE, 101, (2, 2, 2, 4, 3), 89),
        (ENCYCLOPEDIA, 106, (3, 3, 3, 5, 4), 94),
        (DUJARDIN, 110, (3, 3, 3, 5, 4), 98),
    ],
)
def test_one_of_each_hazard_is_removed_for_two_players(
    edition: str, size: int, hazards: tuple[int, ...], pile: int
) -> None:
    """S31. Parker 1988, Rules for 2 or 3 Players, A; Winning Moves, §10.A; Article;
    Encyclopedia, List of cards; Dujardin 2019, p. 15.
    """
    deck = EDITIONS[edition].deck(2)
    assert len(deck) == size
    attacks = (Card.ACC, Card.OUT, Card.FLAT, Card.STOP, Card.LIM)
    assert tuple(deck.count(card) for card in attacks) == hazards
    match, _ = deal_cards(new_match(EDITIONS[edition], 2), deck)
    assert match.hand is not None
    assert len(match.hand.pile) == pile - 1, "the first player has drawn"


def test_a_third_player_may_not_call_the_coup_fourre() -> None:
    """S32, first half. Parker 1988, How to Play the Cards, E.1."""
    table = referee(PARKER, "players: 3\nbattle 1: ROLL\nhand 0: FLAT\nhand 2: PROOF")
    table.play("FLAT>1")
    assert table.awaits == "window FLAT 0>1 asks 1"
    assert table.why("2:PROOF!") == "window_open side=1 hazard=FLAT seat=0 open_to=side"


def test_a_third_player_may_call_the_coup_fourre_where_the_house_allows_it() -> None:
    """S32, second half. Parker 1988, How to Play the Cards, E “or any other player”."""
    table = referee(
        PARKER,
        """
        rule: coup_fourre_for_third_party = true
        players: 3
        battle 1: ROLL
        distance 0: 25
        distance 1: 25
        distance 2: 25
        hand 0: FLAT
        hand 2: PROOF
        """,
    )
    table.play("FLAT>1")
    assert table.awaits == "window FLAT 0>1 asks 1 2"
    table.play("2:PROOF!")
    assert table.awaits == "turn 2"
    assert table.sizes == (6, 6, 7)
    assert table.battle(1) == "ROLL FLAT"
    assert table.discard == ""
    assert table.safeties(2) == "PROOF!"
    assert table.sheets_now[2] == {"miles": 25, "safeties": 100, "coups_fourres": 300}
    table.play("x?")
    assert table.awaits == "turn 0"


@editions(*ALL)
def test_a_player_may_voluntarily_discard(edition: str) -> None:
    """S33. Encyclopedia, Legal actions: Discard."""
    table = referee(edition, "battle 0: ROLL\nhand 0: 100 25")
    assert table.why("100") is None
    table.play("x25")
    assert table.discard == "25"
    assert table.distance(0) == ""
    assert table.awaits == "turn 1"
    assert table.sizes == (6, 7)


@editions(*ALL)
def test_a_speed_limit_may_be_played_before_the_opponent_has_started(edition: str) -> None:
    """S34. Parker 1988, Playing, C; Winning Moves, §5; Dujardin 2019, p. 5."""
    table = referee(edition, "hand 0: LIM STOP")
    assert table.why("STOP>1") == "not_started side=1 shows="
    table.play("LIM>1")
    assert table.speed(1) == "LIM"
    assert table.battle(1) == ""
    assert table.awaits == "window LIM 0>1 asks 1"


@editions(*ALL)
def test_right_of_way_lets_a_player_travel_on_the_first_turn(edition: str) -> None:
    """S35. Parker 1988, How to Play the Cards, D; Dujardin 2019, p. 12."""
    table = referee(edition, "hand 0: ROW 100\nnext: REP")
    assert table.why("100") == "needs_roll top="
    table.play("ROW")
    assert table.awaits == "turn 0"
    table.play("100")
    assert table.safeties(0) == "ROW"
    assert table.distance(0) == "100"
    assert table.tableau(0).miles == 100
    assert table.holds(0) == "? ? ? ? ? REP"


@editions(*ALL)
def test_with_right_of_way_only_the_proper_remedy_is_needed(edition: str) -> None:
    """S36. Winning Moves, §6.B."""
    table = referee(
        edition,
        """
        turn: 1
        battle 1: ROLL OUT
        safeties 1: ROW
        hand 1: GAS 50
        """,
    )
    assert table.why("50") == "stopped hazard=OUT remedy=GAS"
    table.play("GAS", "x?", "50")
    assert table.battle(1) == "ROLL OUT GAS"
    assert table.distance(1) == "50"


@editions(*WITH_EXTENSION)
def test_no_distance_may_bring_the_total_over_the_thousand_mile_mark(edition: str) -> None:
    """S37. Winning Moves, §6.C."""
    table = referee(
        edition,
        """
        players: 4
        battle 0: ROLL
        miles 0: 950
        distance 1: 25
        hand 0: 75 50
        """,
    )
    assert table.why("75") == "too_far card=75 miles=950 trip=1000 left=50"
    table.play("50")
    assert table.sheets == ({"miles": 1000, "trip": 400, "safe_trip": 300}, {"miles": 25})
    assert table.awaits == "deal by 1"


@pytest.mark.parametrize(
    ("edition", "awaits"),
    [
        (PARKER, "deal by 3"),
        (WINNING_MOVES, "deal by 3"),
        (ARTICLE, "deal by 3"),
        (ENCYCLOPEDIA, "over: drawn"),
    ],
)
def test_a_tie_above_the_target_means_another_hand_or_a_draw(edition: str, awaits: str) -> None:
    """S38. Article, Scoring “play an additional round”; Encyclopedia, Scoring."""
    table = referee(
        edition,
        """
        players: 4
        deal: 7
        dealer: 2
        scores: 4900 5000
        miles 0: 300
        miles 1: 200
        turn: 3
        pile: 0
        hand 0: only
        hand 1: only
        hand 2: only
        hand 3: only REP
        """,
    )
    table.play("xREP")
    assert table.match.totals == (5200, 5200)
    assert table.awaits == awaits


@pytest.mark.parametrize(
    ("scores", "miles", "totals", "awaits"),
    [
        ((4900, 5000), (200, 350), (5100, 5350), "over: side 1"),
        ((4800, 4800), (200, 100), (5000, 4900), "over: side 0"),
        ((4800, 4800), (175, 100), (4975, 4900), "deal by 1"),
    ],
)
@editions(*ALL)
def test_the_highest_total_wins_at_or_above_5000(
    edition: str,
    scores: tuple[int, int],
    miles: tuple[int, int],
    totals: tuple[int, int],
    awaits: str,
) -> None:
    """S39. Parker 1988, Winning; Winning Moves, §9; Dujardin 2019, p. 8."""
    # The rule line keeps Dujardin's bonus for the most kilometres out of the sums.
    table = referee(
        edition,
        f"""
        rule: exhaustion_winner = "nobody"
        scores: {scores[0]} {scores[1]}
        miles 0: {miles[0]}
        miles 1: {miles[1]}
        pile: 0
        hand 0: only
        hand 1: only REP
        turn: 1
        """,
    )
    table.play("xREP")
    assert table.match.totals == totals
    assert table.awaits == awaits


@editions(PARKER, WINNING_MOVES, ENCYCLOPEDIA)
def test_the_extension_is_also_used_in_the_game_for_six(edition: str) -> None:
    """S40. Parker 1988, Rules for 6 Players, C; Winning Moves, §11.C."""
    table = referee(
        edition,
        """
        players: 6
        turn: 3
        battle 0: ROLL
        miles 0: 600
        hand 3: 100
        """,
    )
    table.play("100")
    assert table.awaits == "extension 3"
    assert table.why("0:ext") == "extension_awaited seat=3"
    table.play("ext")
    assert table.hand.caller == 0
    assert table.hand.trip == 1000
    assert table.awaits == "turn 4"


@pytest.mark.parametrize(
    ("distance", "extra"),
    [("200 100 100 100 100", {}), ("100 100 100 100 100 100", {"safe_trip": 200})],
)
def test_four_individuals_may_choose_700_and_there_is_no_extension(
    distance: str, extra: dict[str, int]
) -> None:
    """S41. Dujardin 2019, p. 4 and 8."""
    table = referee(
        DUJARDIN,
        f"""
        players: 4
        trip: 700
        battle 0: ROLL
        distance 0: {distance}
        distance 1: 25
        distance 2: 50
        distance 3: 75
        hand 0: 100
        """,
    )
    table.play("100")
    assert table.sheets == (
        {"miles": 700, "trip": 400, **extra},
        {"miles": 25},
        {"miles": 50},
        {"miles": 75},
    )
    assert table.awaits == "deal by 1"


@editions(PARKER, ENCYCLOPEDIA)
def test_an_older_hazard_beneath_is_inert_if_its_safety_is_now_displayed(edition: str) -> None:
    """S42. Encyclopedia, Legal actions: Coup fourré; Parker 1988, Special Notes, G."""
    table = referee(edition, "battle 1: ROLL OUT\nhand 0: OUT\nhand 1: TANK ROLL 25 GAS")
    table.play("OUT>1", "TANK!")
    assert table.battle(1) == "ROLL OUT"
    assert table.discard == "OUT"
    assert table.why("25") == "needs_roll top=OUT"
    assert table.why("GAS") == "safety_cured_it card=GAS hazard=OUT safety=TANK"
    table.play("ROLL")
    assert table.battle(1) == "ROLL OUT ROLL"


def test_if_the_caller_fails_the_bonus_is_given_to_his_opponents() -> None:
    """S43. Winning Moves, §10.C."""
    table = referee(
        WINNING_MOVES,
        """
        players: 3
        called: 0
        distance 0: 100 100 100 100 100 100 100
        distance 1: 25
        distance 2: 200 50
        safeties 0: ACE! TANK PROOF! ROW
        pile: 0
        turn: 2
        hand 0: only
        hand 1: only
        hand 2: only REP
        """,
    )
    table.play("xREP")
    assert table.sheets == (
        {"miles": 700, "safeties": 400, "all_four": 300, "coups_fourres": 600},
        {"miles": 25, "extension": 200},
        {"miles": 250, "extension": 200},
    )


@pytest.mark.parametrize(
    ("edition", "shut_out"),
    [
        (PARKER, {}),
        (WINNING_MOVES, {}),
        (ARTICLE, {}),
        (ENCYCLOPEDIA, {"shut_out": 500}),
    ],
)
def test_a_shut_out_of_one_of_two_opponents(edition: str, shut_out: dict[str, int]) -> None:
    """S44. Encyclopedia, Scoring “two shutout bonuses are achievable”; Winning Moves, §8."""
    table = referee(
        edition,
        """
        players: 3
        battle 0: ROLL
        miles 0: 600
        distance 2: 25
        hand 0: 100
        """,
    )
    table.play("100", "end")
    assert table.sheets == (
        {"miles": 700, "trip": 400, "safe_trip": 300, **shut_out},
        {},
        {"miles": 25},
    )


@editions(*ALL)
def test_with_no_card_left_after_a_coup_fourre_the_turn_ends(edition: str) -> None:
    """S45. Winning Moves, §7; Dujardin 2019, p. 14."""
    table = referee(
        edition,
        """
        players: 3
        battle 1: ROLL
        distance 0: 25
        distance 1: 25
        distance 2: 25
        pile: 0
        hand 0: only OUT REP
        hand 1: only TANK
        hand 2: only GAS
        """,
    )
    table.play("OUT>1", "TANK!")
    assert table.awaits == "turn 2"
    assert table.sizes == (1, 0, 1)
    assert table.discard == "OUT"
    assert table.battle(1) == "ROLL"
    assert table.safeties(1) == "TANK!"
    table.play("xGAS", "xREP")
    assert table.sheets[1] == {"miles": 25, "safeties": 100, "coups_fourres": 300}


@editions(*WITH_EXTENSION)
def test_only_the_first_to_reach_exactly_700_is_asked(edition: str) -> None:
    """S46. Parker 1988, Rules for 2 or 3 Players, C."""
    table = referee(
        edition,
        """
        called: 0
        turn: 1
        battle 1: ROLL
        miles 0: 700
        distance 1: 50 50 50 50 50 50 75 75 75 75
        hand 1: 100
        """,
    )
    table.play("100")
    assert table.tableau(1).miles == 700
    assert table.awaits == "turn 0"
    assert table.hand.caller == 0
    assert table.hand.trip == 1000


def test_nobody_wins_a_hand_in_which_two_have_the_most_kilometres() -> None:
    """S47. Dujardin 2019, p. 6."""
    table = referee(
        DUJARDIN,
        """
        players: 3
        miles 0: 500
        miles 1: 500
        miles 2: 300
        pile: 0
        turn: 2
        hand 0: only
        hand 1: only
        hand 2: only REP
        """,
    )
    table.play("xREP")
    assert table.sheets == ({"miles": 500}, {"miles": 500}, {"miles": 300})
    assert table.match.totals == (500, 500, 300)

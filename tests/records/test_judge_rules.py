"""The rule behind each verdict of the judge, and the verdicts of all printed editions."""

import pytest
from hypothesis import given, settings

from millebornes.records import Judgement, RecordError, Verdict, judge, judge_all
from millebornes.rules import EDITIONS, edition_named
from millebornes.rules.citations import NOT_RULES
from millebornes.rules.ruling import under
from millebornes.words import words
from tests.strategies import judge_texts

PILE_UP = "battle 1: ROLL ACC\nhand 0: OUT\nmoves: OUT>1\n"
TWO_LIMITS = "speed 1: LIM\nhand 0: LIM\nmoves: LIM>1\n"


def last(text: str, edition: str | None = None) -> Verdict:
    (judgement,) = judge(text, edition_named(edition) if edition else None)
    return judgement.verdicts[-1]


def rule(text: str, edition: str | None = None) -> tuple[str, str, tuple[str, ...]] | None:
    """The code, the place and who refuses a legal move, of the last verdict."""
    found = last(text, edition).rule
    return found and (found.code, words().sentence(found.place), found.refused_by)


def verdicts(text: str) -> dict[str, str]:
    """The last verdict of each edition on one position: `legal`, a code, or `error`."""
    told = {}
    for name, (found,) in judge_all(text).items():
        if isinstance(found, RecordError):
            told[name] = "error"
        else:
            reason = found.verdicts[-1].reason
            told[name] = reason.code if reason else "legal"
    return told


# The rule behind a verdict


def test_a_refusal_names_the_place_of_its_rule() -> None:
    assert rule(PILE_UP) == ("already_stopped", "Winning Moves, §2", ())
    assert rule(PILE_UP, "article") == ("already_stopped", "Article, Hazards", ())


def test_a_refusal_that_is_no_rule_of_the_game_names_no_place() -> None:
    assert last("hand 0: only 25\nmoves: STOP>1\n").reason
    assert rule("hand 0: only 25\nmoves: STOP>1\n") is None


def test_a_legal_move_names_a_rule_only_where_a_printed_edition_refuses_it() -> None:
    assert rule(PILE_UP, "parker-1988") == (
        "already_stopped",
        "Parker 1988, Special Notes, G",
        ("winning-moves", "article", "dujardin-2019"),
    )
    assert rule(TWO_LIMITS) == (
        "already_limited",
        "Winning Moves, §12.H",
        ("encyclopedia", "dujardin-2019"),
    )
    assert rule("hand 0: ROLL\nmoves: ROLL\n") is None
    assert rule("hand 0: ROLL\nmoves: xROLL\n") is None


def test_a_longer_trip_is_a_rule_that_others_refuse() -> None:
    text = "battle 0: ROLL\nmiles 0: 600\nhand 0: 200\nmoves: 200\n"
    assert rule(text, "dujardin-2019") == (
        "too_far",
        "Dujardin 2019, p. 4; p. 9",
        ("parker-1988", "winning-moves", "article", "encyclopedia"),
    )
    assert rule(text) == ("too_far", "Winning Moves, §6.C", ())


@pytest.mark.parametrize(
    "text",
    [
        "battle 0: ROLL\nmiles 0: 700\nhand 0: 200\nmoves: 200\n",  # would have ended the hand
        "hand 0: AUTO\nmoves: AUTO\n",
        "players: 8\nhand 0: ROLL\nmoves: ROLL\n",
        "players: 4\nhand 0: 200 ROLL\nmoves: ROLL\n",  # no teams at four
    ],
)
def test_an_edition_that_cannot_have_the_position_has_no_say_in_it(text: str) -> None:
    assert rule(text, "dujardin-2019") is None
    (judgement,) = judge(text, EDITIONS["dujardin-2019"])
    others = [edition for edition in EDITIONS.values() if edition.id != "dujardin-2019"]
    assert [under(judgement.start, edition) for edition in others] == [None] * 4


def test_an_extension_has_no_place_in_a_text_without_one() -> None:
    dujardin = EDITIONS["dujardin-2019"]
    for text in ("extension: 0\nmiles 0: 700\n", "called: 0\nmiles 0: 700\n"):
        (judgement,) = judge(text)
        assert under(judgement.start, dujardin) is None
        assert under(judgement.start, EDITIONS["parker-1988"]) is not None
    assert rule("moves: ext\n", "dujardin-2019") == (
        "no_extension",
        "Dujardin 2019: has no such rule",
        (),
    )


def test_a_short_trip_is_kept_where_it_can_be_chosen_too() -> None:
    text = "edition: dujardin-2019\nrule: max_200s = 3\nplayers: 4\ntrip: 700\nbattle 0: ROLL\n"
    text += "miles 0: 675\nhand 0: 50\nmoves: 50\n"
    assert rule(text) == ("too_far", "Dujardin 2019, p. 9", ())
    (judgement,) = judge("rule: short_trip_at = [4]\nplayers: 4\ntrip: 700\n")
    assert under(judgement.start, EDITIONS["winning-moves"]) is None


# House rules


def test_a_refusal_of_the_house_alone_is_a_house_rule() -> None:
    text = "rule: max_200s = 1\nbattle 0: ROLL\ndistance 0: 200\nhand 0: 200\nmoves: 200\n"
    assert rule(text) == ("no_more_200s", "house rule", ())


def test_a_refusal_that_the_parent_shares_cites_the_parent() -> None:
    text = "rule: row_empty_attackable = false\nhand 0: STOP\nmoves: STOP>1\n"
    assert rule(text) == ("not_started", "Winning Moves, §2", ())


def test_a_move_that_the_house_alone_allows_is_a_house_rule() -> None:
    text = "rule: max_200s = 4\nbattle 0: ROLL\ndistance 0: 200 200\nhand 0: 200\nmoves: 200\n"
    assert rule(text) == ("no_more_200s", "house rule", tuple(EDITIONS))


def test_a_car_that_starts_rolling_drives_by_a_house_rule() -> None:
    text = "rule: start_rolling = true\nhand 0: 100 ROLL\nmoves: 100\n"
    assert rule(text) == ("needs_roll", "house rule", tuple(EDITIONS))
    assert rule(text.replace("moves: 100", "moves: ROLL")) == ("already_rolling", "house rule", ())


def test_house_rules_whose_parent_cannot_have_the_position_cite_what_they_share_with_it() -> None:
    text = "rule: player_counts = [8]\nrule: teams_at = [8]\nrule: trip = { 8 = 1000 }\n"
    text += "players: 8\nbattle 1: ROLL ACC\nhand 0: OUT\nmoves: OUT>1\n"
    assert rule(text) == ("already_stopped", "Winning Moves, §2", ())


def test_a_third_party_calls_a_coup_fourre_by_a_house_rule() -> None:
    text = "players: 3\nbattle 1: ROLL\nhand 0: STOP\nhand 2: ROW\nmoves: STOP>1 2:ROW!\n"
    assert rule(text) == ("window_open", "Winning Moves, §7", ())
    house = "rule: coup_fourre_for_third_party = true\n"
    found = rule(house + text)
    assert found
    assert found[:2] == ("window_open", "house rule")
    # Where the attacked seat has no cards, the printed editions would ask nobody.
    assert rule(house + text.replace("hand 2", "hand 1: only\nhand 2")) is None


# All editions


def test_every_printed_edition_gives_its_verdict() -> None:
    assert verdicts("edition: article\n" + PILE_UP) == {
        "parker-1988": "legal",
        "winning-moves": "already_stopped",
        "article": "already_stopped",
        "encyclopedia": "legal",
        "dujardin-2019": "already_stopped",
    }


def test_an_edition_that_cannot_have_the_position_says_why() -> None:
    found = judge_all("hand 0: AUTO\nmoves: AUTO\n")
    assert isinstance(found["dujardin-2019"][0], Judgement)
    (error,) = found["parker-1988"]
    assert isinstance(error, RecordError)
    assert "AUTO" in error.found


def test_each_position_is_judged_on_its_own() -> None:
    found = judge_all("players: 8\n---\nplayers: 2\n")
    assert [type(one) for one in found["article"]] == [RecordError, Judgement]
    assert [type(one) for one in found["dujardin-2019"]] == [Judgement, Judgement]


@pytest.mark.parametrize("text", ["", "players: 5\n", "players: 2\n---\nspeed 0: ROLL\n"])
def test_a_position_that_no_edition_can_have_is_an_error(text: str) -> None:
    with pytest.raises(RecordError) as by_all:
        judge_all(text)
    with pytest.raises(RecordError) as by_one:
        judge(text)
    assert str(by_all.value) == str(by_one.value)


@settings(max_examples=60)
@given(judge_texts())
def test_a_refusal_has_a_place_unless_it_is_no_rule(text: str) -> None:
    try:
        judgements = judge(text)
    except RecordError:
        return
    for judgement in judgements:
        for verdict in judgement.verdicts:
            if verdict.reason is not None:
                assert (verdict.rule is None) == (verdict.reason.code in NOT_RULES)
                assert verdict.rule is None or verdict.rule.refused_by == ()
            elif verdict.rule is not None:
                assert verdict.rule.refused_by

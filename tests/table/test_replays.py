"""A record step by step: everything in it, and nothing more."""

import random
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.records import Game, RecordError, cut_game, parse_move, replay
from millebornes.records.tokens import token_of
from millebornes.rules import Card, Edition
from millebornes.table import frame
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from millebornes.table.replays import steps
from tests.strategies import TABLES

from . import worlds
from .driven_table import QUICK, DrivenTable, table_settings

SEEDS = st.integers(0, 2**32 - 1)


def played(edition: Edition = QUICK, players: int = 2) -> DrivenTable:
    driven = DrivenTable(table_settings(edition, players)).join("ann", "bob")
    driven.bots(*range(2, players))
    driven.say("zoe", says.Join("Zoe", watch=True))
    return driven.start().play_to_the_end()


def record_of(driven: DrivenTable) -> Game:
    assert driven.table.game is not None
    return driven.table.game


def look(table: out.TableView) -> tuple[object, ...]:
    assert table.asked is not None
    sizes = tuple(seat.cards for seat in table.seats)
    return table.phase, msgspec.json.encode(table.hand), table.asked.what, table.asked.side, sizes


@pytest.mark.parametrize("table", TABLES, ids=lambda t: f"{t[0].id}-{t[1]}")
def test_a_replay_shows_what_a_spectator_saw_in_the_same_order(table: tuple[Edition, int]) -> None:
    edition, players = table
    driven = played(edition.house({"hands": 2}), players)
    frames = [frame(o.table, o.happened, "zoe").table for o in driven.outcomes]
    seen = [look(shown) for shown in frames if shown.hand is not None]
    replayed = [look(step.table) for step in steps(record_of(driven))]
    # What did not change the game, a word or a part of a shuffle, is no step.
    assert replayed == list(dict.fromkeys(seen))


def test_a_step_says_who_moved_what_happened_and_what_everybody_holds() -> None:
    record = record_of(played(players=3))
    told = list(steps(record))
    for step, known in zip(told, replay(record), strict=True):
        assert step.move == (None if known.token is None else str(known.token))
        assert step.seat == known.seat
        assert len(step.events) == len(known.events)
        assert known.match.hand is not None
        assert step.hands == known.match.hand.hands
        assert step.table.asked is not None
        assert step.table.asked.deadline is None
    assert isinstance(told[0].events[0], out.Dealt)
    assert told[0].events[0].hands == tuple(hand[:6] for hand in told[0].hands)
    assert told[-1].table.phase == "over"
    assert [seat.name for seat in told[-1].table.seats] == ["Ann", "Bob", "Léa"]
    assert b'"?"' not in msgspec.json.encode(told)


def test_a_replay_can_be_sent_and_read() -> None:
    told = list(steps(record_of(played())))
    sent = msgspec.json.encode(told)
    assert msgspec.json.encode(msgspec.json.decode(sent, type=list[out.ReplayStep])) == sent


def test_a_game_without_names_or_of_practice_is_replayed_as_well() -> None:
    record = replace(record_of(played()), seats=(), practice=True)
    told = list(steps(record))
    assert told[0].table.practice
    assert [seat.name for seat in told[0].table.seats] == ["", ""]


def test_a_record_that_does_not_replay_is_refused() -> None:
    record = record_of(played())
    deal = record.deals[0]
    wrong = replace(deal, moves=(token_of(parse_move("ext")), *deal.moves))
    with pytest.raises(RecordError):
        list(steps(replace(record, deals=(wrong,))))


def running_hand(told: list[out.ReplayStep]) -> list[out.ReplayStep]:
    """The steps of the last hand, if it has not ended."""
    hand = told[-1].table.hand
    assert hand is not None
    if hand.sheets is not None:
        return []
    return [step for step in told if step.table.hand and step.table.hand.number == hand.number]


@given(seed=SEEDS)
@settings(max_examples=40)
def test_a_replay_tells_nothing_that_its_reader_may_not_know(seed: int) -> None:
    world = worlds.play(seed)
    record = record_of(world)
    for seat in (*range(record.players), None):
        for step in running_hand(list(steps(cut_game(record, seat)))):
            for holder, held in enumerate(step.hands):
                assert holder == seat or set(held) <= {Card.UNKNOWN}
            drawn = [event for event in step.events if isinstance(event, out.Drawn)]
            assert all(event.seat == seat or event.card == "?" for event in drawn)
    pair = worlds.exchange(world, random.Random(seed))
    if pair is None:
        return
    for viewer in pair.viewers:
        one, other = (
            list(steps(cut_game(record_of(each), worlds.seat_of(each, viewer))))
            for each in (pair.one, pair.other)
        )
        assert one == other

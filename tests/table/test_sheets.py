"""The score sheets of the whole match: with the first frame, and where they change."""

import msgspec

from millebornes.rules import EDITIONS, events
from millebornes.rules.scoring import score
from millebornes.table import first_frame, frame
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out

from .driven_table import PRINTED, DrivenTable, table_settings

TWO_HANDS = PRINTED.house({"hands": 2, "tie": "drawn"})


def played() -> DrivenTable:
    driven = DrivenTable(table_settings(TWO_HANDS)).join("ann").bots(1).start()
    return driven.play_to_the_end()


def frames_of(driven: DrivenTable, guest: str) -> list[out.Frame]:
    return [frame(one.table, one.happened, guest) for one in driven.outcomes]


def test_sheets_come_where_a_hand_ends_or_a_match_begins_and_nowhere_else() -> None:
    driven = played()
    for one, sent in zip(driven.outcomes, frames_of(driven, "ann"), strict=True):
        ended = any(isinstance(event, events.HandEnded) for event in one.happened)
        begun = any(isinstance(e, events.Dealt) and e.number == 1 for e in one.happened)
        assert (sent.sheets is not None) == (ended or begun)
        assert (b'"sheets":[[' in msgspec.json.encode(sent)) == ended


def test_there_is_one_for_every_side_and_every_finished_hand() -> None:
    driven = played()
    last = frames_of(driven, "ann")[-1]
    assert last.sheets is not None
    assert len(last.sheets) == 2
    totals = [sum(hand[side].total for hand in last.sheets) for side in range(2)]
    assert last.table.hand is not None
    assert totals == [side.points for side in last.table.hand.sides]
    assert last.sheets[-1] == last.table.hand.sheets


def test_the_first_frame_of_a_connection_has_them() -> None:
    driven = played()
    whole = first_frame(driven.table, driven.now, "ann")
    assert whole.sheets == frames_of(driven, "ann")[-1].sheets
    resumed = frame(driven.table, (), "ann", is_first=True)
    assert resumed.sheets == whole.sheets
    assert frame(driven.table, (), "ann").sheets is None


def test_a_stranger_gets_none() -> None:
    driven = played()
    assert first_frame(driven.table, driven.now, "zoe").sheets is None
    assert all(one.sheets is None for one in frames_of(driven, "zoe"))


def test_a_rematch_begins_without_any() -> None:
    driven = played()
    driven.say("ann", says.Rematch())
    driven.shuffle()
    assert driven.table.phase == "playing"
    assert frames_of(driven, "ann")[-1].sheets == ()


def test_whoever_goes_back_has_not_ended_the_hand() -> None:
    settings = table_settings(TWO_HANDS, practice=True, seed="1954")
    driven = DrivenTable(settings).join("ann").bots(1).start()
    while not driven.table.results.sheets:
        driven.play_on()
    driven.say("ann", says.Back(driven.view("ann").back[-1]))
    assert driven.table.results.sheets == ()
    assert frames_of(driven, "ann")[-1].sheets == ()


def test_what_lies_on_the_table_is_what_the_hand_scores_at_least() -> None:
    driven = DrivenTable(table_settings(EDITIONS["dujardin-2019"])).join("ann").bots(1).start()
    for _ in range(80):
        match = driven.table.match
        assert match is not None
        assert match.hand is not None
        sheets = score(match.edition, match.hand)
        for side, sheet in zip(driven.hand("ann").sides, sheets, strict=True):
            assert side.earned == out.Earned(sheet.safeties, sheet.all_four, sheet.coups_fourres)
        driven.play_on()

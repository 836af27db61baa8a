"""A question tells a bot all that its seat may see.

It cannot tell more: it is made from a `View`.
"""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.plugins import protocol
from millebornes.plugins.places import places, tables
from millebornes.rules import EDITIONS, PRESETS, Edition, awaited_seats, house_rules, view
from millebornes.table import messages_out
from tests.strategies import Table, every_table, reached_states

HOUSE = 'parent = "dujardin-2019"\nname = "Chez Zoé"\nautoroute_cards = 2\ntarget = 2000\n'


@every_table
@given(data=st.data())
@settings(max_examples=5)
def test_the_view_from_a_question_is_the_view_of_the_rules(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    match = data.draw(reached_states(table))
    for seat in awaited_seats(match):
        seen = view(match, seat, brief=True)
        for asked in (seen, view(match, seat)):
            line = protocol.question(7, asked)
            assert line.count(b"\n") == 1
            told = msgspec.json.decode(line, type=protocol.Choose)
            assert told.id == told.table.asked.decision == 7
            assert protocol.view_from(told) == seen


@pytest.mark.parametrize(
    "edition", [*EDITIONS.values(), *PRESETS.values(), house_rules(HOUSE)], ids=lambda e: e.id
)
def test_an_edition_comes_through_whole(edition: Edition) -> None:
    line = protocol.question(1, next(places(edition, edition.player_counts[0])))
    told = protocol.view_from(msgspec.json.decode(line, type=protocol.Choose)).edition
    assert told == edition
    assert (told.id, told.name, told.parent) == (edition.id, edition.name, edition.parent)


def test_editions_that_differ_only_in_their_name_keep_it() -> None:
    for name in ("Ours", "Yours"):
        edition = EDITIONS["article"].house({"target": 2000}, name)
        line = protocol.question(1, next(places(edition, 2)))
        assert msgspec.json.decode(line)["edition"]["name"] == name


def test_a_position_has_the_names_of_a_table_of_a_server() -> None:
    shared = set(protocol.Position.__struct_fields__)
    assert shared <= set(messages_out.TableView.__struct_fields__)
    shared = set(protocol.SeatCards.__struct_fields__)
    assert shared <= set(messages_out.SeatView.__struct_fields__)


def test_the_places_of_the_check_have_every_kind_of_decision() -> None:
    asked = {table: list(places(*table)) for table in tables()}
    assert {edition.id for edition, _ in asked} > set(EDITIONS)
    for (edition, players), views in asked.items():
        assert all(seen.is_asked and seen.edition == edition for seen in views)
        kinds = {type(seen.awaiting).__name__ for seen in views}
        wanted = {"Turn", "Window"}
        if players in edition.extension_at:
            wanted.add("ExtensionChoice")
        assert kinds == wanted, (edition.id, players)
    moves = {move for views in asked.values() for seen in views for move in seen.legal_moves}
    assert {type(move).__name__ for move in moves} == {
        *("Play", "Discard", "CoupFourre", "Decline", "Extend", "Finish"),
    }
    assert asked == {table: list(places(*table)) for table in tables()}

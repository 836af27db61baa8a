"""A bot elsewhere sees what a bot at the server would see."""

import random
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest
from msgspec import structs

from millebornes.bots import BOTS
from millebornes.client import edition_from, view_from
from millebornes.records import Game
from millebornes.rules import (
    EDITIONS,
    Edition,
    Match,
    View,
    apply,
    awaited_seats,
    deal,
    house_rules,
    legal_moves,
    new_match,
    view,
)
from millebornes.rules.state import Autoroute, Deal, Over, Tableau, Window
from millebornes.server.api.rules import edition_info
from millebornes.table import (
    Settings,
    Table,
    messages_in,
    messages_out,
    open_table,
    picture,
    receive,
    rest,
)
from millebornes.words import words

HOUSE = 'parent = "dujardin-2019"\nname = "Ours"\nautoroute_cards = 2\ntarget = 2000\n'
COUNTS = [(edition, players) for edition in EDITIONS for players in EDITIONS[edition].player_counts]
_decoder = msgspec.json.Decoder(messages_out.TableView)


def matches(edition: Edition, players: int, seed: str) -> Iterator[Match]:
    """A random match, state by state, preferring to lay cards."""
    rng = random.Random(seed)
    match = new_match(
        edition.house({"hands": 2 if players == 2 else 1}), players, dealer=players - 1
    )
    size = len(edition.deck(players))
    while not isinstance(match.awaiting, Over):
        if isinstance(match.awaiting, Deal):
            match, _ = deal(match, rng.sample(range(size), size))
        else:
            seat = rng.choice(awaited_seats(match))
            moves = legal_moves(match, seat)
            lively = [move for move in moves if type(move).__name__ not in ("Discard", "Decline")]
            chosen = rng.choice(lively if lively and rng.random() < 0.8 else moves)
            match, _ = apply(match, seat, chosen)
        yield match


def table_of(match: Match) -> Table:
    """A table of people where this match is being played."""
    settings = Settings(edition=match.edition, players=match.players)
    table = open_table(settings, "game", (), 0)
    for seat in range(match.players):
        table = receive(table, f"guest {seat}", messages_in.Join(f"Guest {seat}"), 0).table
    table = receive(table, "watcher", messages_in.Join("Watcher", watch=True), 0).table
    over = isinstance(match.awaiting, Over)
    return structs.replace(
        table,
        phase="over" if over else "playing",
        match=match,
        game=Game(edition=match.edition, players=match.players),
    )


def told(table: Table, guest: str) -> messages_out.TableView:
    """What a viewer gets, after its way through JSON."""
    return _decoder.decode(msgspec.json.encode(picture(table, guest)))


@pytest.mark.parametrize(("edition", "players"), COUNTS)
def test_the_view_from_frames_is_the_view_of_the_rules(edition: str, players: int) -> None:
    for match in matches(EDITIONS[edition], players, f"{edition} {players}"):
        table = table_of(match)
        viewers: list[tuple[str, int | None]] = [(f"guest {n}", n) for n in range(players)]
        for guest, seat in [*viewers, ("watcher", None)]:
            seen = view(match, seat, brief=True)
            if isinstance(seen.awaiting, Window):
                # Answers are kept by the table until the window closes: there are none here.
                seen = seen._replace(awaiting=replace(seen.awaiting, declined=()))
            assert view_from(told(table, guest), match.edition) == seen


@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize(("edition", "players"), COUNTS)
def test_a_bot_chooses_the_same_from_afar(edition: str, players: int, level: str) -> None:
    near, far = BOTS[level](), BOTS[level]()
    for match in matches(EDITIONS[edition], players, f"{level} {edition} {players}"):
        table = table_of(match)
        for seat in awaited_seats(match):
            seen = view_from(told(table, f"guest {seat}"), match.edition)
            assert seen is not None
            if seen.is_asked:
                assert far.choose(seen) == near.choose(view(match, seat))


def test_there_is_nothing_to_see_before_the_first_deal() -> None:
    table = table_of(new_match(EDITIONS["winning-moves"], 2))
    assert view_from(told(table, "guest 0"), EDITIONS["winning-moves"]) is None
    lobby = structs.replace(table, phase="lobby", match=None, game=None)
    assert view_from(told(lobby, "guest 0"), EDITIONS["winning-moves"]) is None


@pytest.mark.parametrize("edition", [*EDITIONS.values(), house_rules(HOUSE)], ids=lambda e: e.id)
def test_an_edition_comes_through_the_rest_interface_whole(edition: Edition) -> None:
    sent = msgspec.json.encode(edition_info(edition, words()))
    assert edition_from(msgspec.json.decode(sent, type=rest.EditionInfo)) == edition


def test_what_a_view_and_a_frame_both_tell_has_one_name() -> None:
    """A frame's hand differs from a view where its values do: `sides` tell what the piles mean,
    too, `hand.cards` is the hand of the viewer, and a `recap` looks back on a finished hand."""
    shown = set(messages_out.HandView.__struct_fields__)
    assert shown - set(View._fields) == {"sides", "cards", "stakes", "doubts", "recap"}
    assert set(Tableau._fields) <= set(messages_out.SideView.__struct_fields__)
    assert messages_out.Autoroute.__struct_fields__ == Autoroute._fields

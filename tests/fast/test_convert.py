"""Between packed games and readable states: nothing is lost, and nothing hidden is used."""

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.fast import Batch, Engine, canonical, kernel, settled
from millebornes.fast.convert import from_state, from_view
from millebornes.fast.packing import AWAIT_TURN, AWAIT_WINDOW, KIND
from millebornes.records import position
from millebornes.rules import (
    EDITIONS,
    Card,
    CoupFourre,
    Decline,
    Match,
    View,
    apply,
    awaited_seats,
    deal_cards,
    legal_moves,
    new_match,
    view,
)
from millebornes.rules.cards import ALL_CARDS
from millebornes.rules.state import Autoroute, Deal, Hand, Over, Turn, Window
from tests.properties.worlds import exchanged
from tests.strategies import (
    STYLES,
    TABLES,
    Driver,
    Table,
    drivers,
    every_table,
    hands,
    matches,
    places,
    play_hand,
    play_match,
    table_id,
)


def hand_of(match: Match) -> Hand:
    assert match.hand is not None
    return match.hand


def engine_for(match: Match) -> Engine:
    short = match.trip != match.edition.trip_at(match.players)
    return Engine(match.edition, match.players, short_trip=short)


def play_on(batch: Batch, match: Match, driver: Driver) -> Match:
    """Play the hand to its end in both engines; they must agree all the way."""
    while True:
        match = settled(match)
        assert batch.state() == canonical(match)
        if isinstance(match.awaiting, Deal | Over):
            assert batch.moves() == []
            return match
        (seat,) = awaited_seats(match)
        allowed = {batch.readable(number) for number in batch.moves()}
        assert allowed == set(legal_moves(match, seat))
        _, move = driver.choose(match)
        batch.step([batch.number(move)])
        match, _ = apply(match, seat, move)


# From a state


@every_table
@given(data=st.data())
@settings(max_examples=3)
def test_every_state_of_a_match_comes_back(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    played = data.draw(matches(table))
    engine = engine_for(played[0].start)
    for hand in played:
        for match in (*hand.states[:: data.draw(st.integers(2, 5))], hand.final):
            assert engine.from_state(match).state() == canonical(match)


@every_table
@given(data=st.data())
@settings(max_examples=3)
def test_a_state_is_played_on_alike_in_both_engines(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    played = data.draw(matches(table))
    states = [state for hand in played for state in hand.states]
    driver = data.draw(drivers())
    for _ in range(2):
        match = states[data.draw(st.integers(0, len(states) - 1))]
        batch = engine_for(match).from_state(match)
        match = play_on(batch, match, driver)
        if isinstance(match.awaiting, Deal):
            deck = driver.deck(match)
            batch.deal_cards(deck)
            assert batch.state() == canonical(deal_cards(match, deck)[0])


KINDS = {
    *("Turn", "Window", "Window with some declined", "ExtensionChoice", "Deal", "Over"),
    *("Turn in an extension", "Window in an extension", "Deal in an extension"),
}


def kind_of(match: Match) -> str:
    kind = type(match.awaiting).__name__
    if isinstance(match.awaiting, Window) and match.awaiting.declined:
        kind += " with some declined"
    return kind + " in an extension" * (hand_of(match).caller is not None)


def test_states_of_every_kind_come_back() -> None:
    missing = set(KINDS)
    for players in (6, 2):
        start = new_match(EDITIONS["parker-1988"], players)
        for style in ("race", "asleep"):
            for hand in play_match(start, Driver(1954, STYLES[style]), 20):
                for match in hand.states:
                    if kind_of(match) in missing:
                        missing.remove(kind_of(match))
                        assert engine_for(match).from_state(match).state() == canonical(match)
                if not missing:
                    return
    raise AssertionError(missing)


WINDOW = """
edition: winning-moves
players: 4
window: STOP 0>1
battle 1: ROLL STOP
hand 1: 25 25 25 25 25 25
hand 3: ROW 50 50 50 50 50
hand 0: 75 75 75 75 75 75
hand 2: REP GAS SPARE REP GAS SPARE
discard: ROLL
"""


def whole(text: str) -> Match:
    """A position, its unknown cards dealt in the order of the deck."""
    match = position.from_text(text)
    hand = hand_of(match)
    left = Counter(match.edition.deck(match.players))
    left.subtract(card for cards in hand.hands for card in cards)
    left.subtract((*hand.pile, *hand.discard))
    for tableau in hand.tableaux:
        left.subtract(tableau.battle + tableau.speed + tableau.distance + tableau.safeties)
        left[Card.AUTO] -= tableau.autoroute is not None
    del left[Card.UNKNOWN]
    unseen = iter([*left.elements(), *[Card.UNKNOWN] * 200])

    def named(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(next(unseen) if card is Card.UNKNOWN else card for card in cards)

    held = tuple(map(named, hand.hands))
    return match._replace(hand=hand._replace(hands=held, pile=named(hand.pile)))


def test_a_window_waits_only_for_the_seat_that_can_answer() -> None:
    match = whole(WINDOW)
    assert awaited_seats(match) == (1, 3)
    batch = engine_for(match).from_state(match)
    assert batch.games["seat"] == 3
    assert batch.state().awaiting == Window(0, 1, Card.STOP, (1, 3), (1,))
    declined, _ = apply(match, 1, Decline())
    assert engine_for(match).from_state(declined).state() == batch.state()
    play_on(batch, match, Driver(1, STYLES["ambush"]))


def test_a_window_that_the_holder_has_declined_is_no_window() -> None:
    match, _ = apply(whole(WINDOW), 3, Decline())
    assert isinstance(match.awaiting, Window)
    state = engine_for(match).from_state(match).state()
    assert state.awaiting == Turn(1)
    assert state == canonical(apply(match, 1, Decline())[0])


def test_a_turn_skipped_for_an_empty_hand_counts_for_the_autoroute() -> None:
    match = position.from_text(
        "edition: dujardin-2019\nplayers: 3\npile: 0\ndiscard: AUTO AUTO AUTO ACE TANK PROOF ROW\n"
        "autoroute 1: 2\nhand 0: only 25 25 25\nhand 1: only\nhand 2: only 50 50\n"
    )
    protected = [tableau.autoroute for tableau in hand_of(match).tableaux]
    assert protected == [None, Autoroute(1, 2), None]
    batch = engine_for(match).from_state(match)
    match = play_on(batch, match, Driver(1, STYLES["scrap"]))
    assert [tableau.autoroute for tableau in hand_of(match).tableaux] == [None] * 3


def test_a_match_before_its_first_deal_is_refused() -> None:
    match = new_match(EDITIONS["article"], 2)
    with pytest.raises(ValueError, match="no hand has been dealt yet"):
        engine_for(match).from_state(match)


@pytest.mark.parametrize("text", ["", "discard: ?\n", "hand 0: only ROLL\nhand 1: only ?\n"])
def test_a_state_with_unknown_cards_is_refused(text: str) -> None:
    match = position.from_text(text)
    with pytest.raises(ValueError, match="the match has unknown cards"):
        engine_for(match).from_state(match)


# From a view


def known_part(shown: View) -> tuple[object, ...]:
    """What must be the same in every redeal of a view."""
    return (
        *(shown.edition, shown.players, shown.forward, shown.totals, shown.number),
        *(shown.dealer, shown.trip, shown.caller, shown.began_empty, shown.completed_by),
        *(shown.tableaux, Counter(shown.discard), shown.pile, shown.hand_sizes),
        *(Counter(shown.hand), shown.sheets),
    )


def all_cards(match: Match) -> Counter[Card]:
    hand = hand_of(match)
    cards: Counter[Card] = Counter((*hand.pile, *hand.discard))
    for held in hand.hands:
        cards.update(held)
    for tableau in hand.tableaux:
        cards.update(tableau.battle + tableau.speed + tableau.distance + tableau.safeties)
        cards[Card.AUTO] += tableau.autoroute is not None
    return +cards


def check_redeal(shown: View, dealt: Match) -> None:
    """A redeal that the viewer could be looking at."""
    assert all_cards(dealt) == Counter(shown.edition.deck(shown.players))
    awaiting = shown.awaiting
    if isinstance(awaiting, Window):
        if isinstance(dealt.awaiting, Window):
            assert (dealt.awaiting.attacker, dealt.awaiting.side, dealt.awaiting.hazard) == (
                *(awaiting.attacker, awaiting.side, awaiting.hazard),
            )
            assert not set(awaiting.declined) - set(dealt.awaiting.declined)
        else:
            return  # nobody has anything to answer with, and the game has gone on
    else:
        assert dealt.awaiting == awaiting
    again = view(dealt, shown.seat)
    tableaux = canonical_view(shown).tableaux
    assert known_part(again) == known_part(shown._replace(tableaux=tableaux))


def canonical_view(shown: View) -> View:
    """The view with its tableaux in canonical order."""
    match = new_match(shown.edition, shown.players)
    hand = Hand(1, 0, ((),) * shown.players, (), (), shown.tableaux, shown.trip)
    return shown._replace(tableaux=hand_of(canonical(match._replace(hand=hand))).tableaux)


@every_table
@given(data=st.data())
@settings(max_examples=3)
def test_a_redeal_keeps_what_the_viewer_knows(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    played = data.draw(matches(table))
    states = [state for hand in played for state in hand.states]
    chosen = [states[data.draw(st.integers(0, len(states) - 1))] for _ in range(4)]
    for match in (*chosen, played[-1].final):
        for seat in (None, *range(match.players)):
            shown = view(match, seat)
            check_redeal(shown, engine_for(match).from_view(shown, seed=3).state())


@every_table
@given(data=st.data())
@settings(max_examples=3)
def test_a_redeal_is_played_on_alike_in_both_engines(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    played = data.draw(hands(table))
    match = played.states[data.draw(st.integers(0, len(played.states) - 1))]
    seat = data.draw(st.integers(0, match.players - 1))
    batch = engine_for(match).from_view(view(match, seat), index=7)
    batch.games["lazy"] = 0  # from here on, the cards lie as they lie
    play_on(batch, batch.state(), data.draw(drivers()))


def test_the_same_seed_and_index_deal_the_same_hidden_cards_and_others_do_not() -> None:
    edition = EDITIONS["winning-moves"]
    shown = view(play_hand(new_match(edition, 4), Driver(1, STYLES["even"])).dealt, 2)
    engine = Engine(edition, 4)

    def hidden(seed: int, index: int) -> object:
        return hand_of(engine.from_view(shown, seed=seed, index=index).state()).hands

    keys = [(seed, index) for seed in range(10) for index in range(20)]
    dealt = [hidden(*key) for key in keys]
    assert len(set(map(str, dealt))) == len(keys)
    assert dealt == [hidden(*key) for key in keys]


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_exchanging_hidden_cards_gives_the_identical_packed_game(table: Table) -> None:
    edition, players = table
    rng = random.Random(players)
    engine = Engine(edition, players)
    compared = 0
    for style in ("ambush", "even"):
        hand = play_hand(new_match(edition, players), Driver(players, STYLES[style]))
        for moves in rng.sample(range(len(hand.steps)), 12):
            match = hand.states[moves]
            where = places(match)
            groups = [held for held in (*where.hands, where.pile) if held]
            first, second = (rng.choice(rng.choice(groups)) for _ in range(2))
            other = swapped(match, hand.deck, exchanged(hand.deck, first, second))
            for seat in (None, *range(players)):
                if seat is not None and {first, second} & set(where.hands[seat]):
                    continue
                one, two = (view(world, seat) for world in (match, other))
                assert from_view(one).tobytes() == from_view(two).tobytes()
                ours, theirs = engine.from_view(one, seed=5), engine.from_view(two, seed=5)
                assert ours.games.tobytes() == theirs.games.tobytes()
                compared += 1
    assert compared > 20


def swapped(match: Match, ours: Sequence[Card], theirs: Sequence[Card]) -> Match:
    """The same moment, had the hidden cards been those of the other deck."""
    hand, where = hand_of(match), places(match)
    held = tuple(tuple(theirs[i] for i in cards) for cards in where.hands)
    assert all(
        Counter(ours[i] for i in cards) == Counter(hand.hands[seat])
        for seat, cards in enumerate(where.hands)
    )
    return match._replace(hand=hand._replace(hands=held, pile=tuple(theirs[i] for i in where.pile)))


def redeals(shown: View, count: int, seed: int) -> Batch:
    """The first redeals of a view, all at once."""
    engine = Engine(shown.edition, shown.players)
    batch = Batch(engine, np.repeat(from_view(shown), count), seed)
    kernel.settle(batch.games, engine.rules, np.uint64(seed), np.uint64(0), batch.legal)
    for index in (0, 1, count - 1):
        alone = engine.from_view(shown, seed=seed, index=index)
        assert alone.games.tobytes() == batch.games[index : index + 1].tobytes()
    return batch


def test_every_unseen_card_is_equally_likely_in_every_hidden_place() -> None:
    text = "players: 3\nbattle 0: ROLL\nhand 0: only 25 25 50 STOP ACE ROLL 100\ndiscard: 200 200\n"
    shown = view(position.from_text(text), 0)
    count = 10_000
    games = redeals(shown, count, 1954).games
    unseen = Counter(shown.edition.deck(3)) - Counter([*shown.hand, *shown.discard, Card.ROLL])
    hidden = unseen.total()
    assert hidden == shown.pile + 12
    held = {card: games["hand"] >> np.uint64(3 * KIND[card]) & np.uint64(7) for card in ALL_CARDS}
    for seat in (1, 2):
        square = 0.0
        for card in ALL_CARDS:
            expected = count * 6 * unseen[card] / hidden
            found = int(held[card][:, seat].sum())
            square += (found - expected) ** 2 / expected if expected else found
        assert len(unseen) == 18
        assert square < 40.8, "exceeded once in a thousand times with 17 degrees of freedom"
    for one, other in ((Card.TANK, Card.ROW), (Card.ROW, Card.TANK), (Card.PROOF, Card.ROW)):
        both = int((held[one][:, 1] * held[other][:, 2]).sum())
        expected = count * 6 * 6 / (hidden * (hidden - 1))
        assert abs(both - expected) < 4 * expected**0.5


def test_the_hands_after_a_redeal_come_from_its_seed_and_index() -> None:
    shown = view(position.from_text("hand 0: ROLL STOP 25 25 50 50 75\n"), 0)
    engine = Engine(EDITIONS["winning-moves"], 2)

    def next_hand(seed: int, index: int) -> tuple[Card, ...]:
        batch = engine.from_view(shown, seed=seed, index=index)
        while not batch.ended[0]:
            batch.step(batch.moves()[-1:])
        batch.step([0])
        return batch.deck()

    decks = [next_hand(seed, index) for seed in (1, 2) for index in (0, 1, 2)]
    assert len(set(decks)) == 6
    assert decks[:3] == [next_hand(1, index) for index in (0, 1, 2)]


def test_a_viewer_with_the_safety_keeps_the_window_open() -> None:
    shown = view(whole(WINDOW), 3)
    for index in range(50):
        dealt = Engine(shown.edition, 4).from_view(shown, index=index)
        assert dealt.games["seat"] == 3
        assert dealt.state().awaiting == Window(0, 1, Card.STOP, (1, 3), (1,))
        assert {dealt.readable(n) for n in dealt.moves()} == {CoupFourre(Card.ROW), Decline()}


def test_a_viewer_that_has_declined_is_asked_no_more() -> None:
    shown = view(apply(whole(WINDOW), 3, Decline())[0], 3)
    for index in range(50):
        state = Engine(shown.edition, 4).from_view(shown, index=index).state()
        assert state.awaiting == Turn(1)


def test_an_attacker_does_not_know_whether_there_is_an_answer() -> None:
    shown = view(whole(WINDOW), 0)
    batch = redeals(shown, 2000, 1)
    assert batch.state(0).awaiting in {
        Turn(1),
        Window(0, 1, Card.STOP, (1, 3), (1,)),
        Window(0, 1, Card.STOP, (1, 3), (3,)),
    }
    answers = Counter(zip(batch.games["awaiting"].tolist(), batch.games["seat"], strict=True))
    assert set(answers) == {(AWAIT_TURN, 1), (AWAIT_WINDOW, 1), (AWAIT_WINDOW, 3)}
    # The Right of Way is any of the cards it does not see: of 12 in two hands, or elsewhere.
    hidden = shown.pile + 18
    for seat in (1, 3):
        assert abs(answers[AWAIT_WINDOW, seat] - 2000 * 6 / hidden) < 45


def test_a_spectator_knows_the_table_and_no_hand() -> None:
    match = play_hand(new_match(EDITIONS["dujardin-2019"], 6), Driver(4, STYLES["toll"])).states[30]
    engine = engine_for(match)
    dealt = [hand_of(engine.from_view(view(match, None), index=i).state()) for i in range(30)]
    for seat in range(6):
        assert len({hand.hands[seat] for hand in dealt}) > 20
        assert {len(hand.hands[seat]) for hand in dealt} == {len(hand_of(match).hands[seat])}


@pytest.mark.parametrize("text", ["discard: ?\n", "hand 0: ROLL\n"])
def test_a_view_with_unknown_cards_is_refused(text: str) -> None:
    shown = view(position.from_text(text), 0)
    with pytest.raises(ValueError, match="the view has unknown cards"):
        Engine(shown.edition, 2).from_view(shown)


@pytest.mark.parametrize("pile", [0, 3, 82])
def test_a_view_that_does_not_add_up_is_refused(pile: int) -> None:
    text = f"hand 0: only ROLL STOP 25 25 50 50 75\npile: {pile}\n"
    shown = view(position.from_text(text), 0)
    with pytest.raises(ValueError, match="do not add up to the deck"):
        Engine(shown.edition, 2).from_view(shown)


def test_a_card_that_is_seen_too_often_is_refused() -> None:
    shown = view(position.from_text("hand 0: only ROLL STOP 25 25 50 50 75\n"), 0)
    shown = shown._replace(discard=(Card.ACE, Card.ACE), pile=shown.pile - 2)
    with pytest.raises(ValueError, match="do not add up to the deck"):
        Engine(shown.edition, 2).from_view(shown)


def test_a_hand_of_another_size_than_is_said_is_refused() -> None:
    shown = view(position.from_text("hand 0: only ROLL STOP 25 25 50 50 75\n"), 0)
    shown = shown._replace(hand_sizes=(6, 6))
    with pytest.raises(ValueError, match="do not add up to the deck"):
        Engine(shown.edition, 2).from_view(shown)


OTHERS = [
    (Engine(EDITIONS["article"], 4), "plays article with 4, not dujardin-2019 with 4"),
    (Engine(EDITIONS["dujardin-2019"], 8), "plays dujardin-2019 with 8, not dujardin-2019 with 4"),
    (Engine(EDITIONS["dujardin-2019"], 4, short_trip=True), "trips of 700, not of 1000"),
]


@pytest.mark.parametrize(("engine", "message"), OTHERS, ids=[message for _, message in OTHERS])
def test_another_edition_player_count_or_trip_is_refused(engine: Engine, message: str) -> None:
    match = play_hand(new_match(EDITIONS["dujardin-2019"], 4), Driver(1, STYLES["even"])).dealt
    with pytest.raises(ValueError, match=message):
        engine.from_state(match)
    with pytest.raises(ValueError, match=message):
        engine.from_view(view(match, 1))
    with pytest.raises(ValueError, match=message):
        engine.rollouts(view(match, 1), 5)
    with pytest.raises(ValueError, match=message):
        engine.choose(view(match, 1), "greedy")


def test_a_view_is_packed_without_what_is_hidden() -> None:
    match = whole(WINDOW)
    packed = from_view(view(match, 0))
    assert packed["hidden"][0].tolist() == [0, 6, 6, 6, 0, 0, 0, 0]
    assert packed["hand"][0][1:].tolist() == [0] * 7
    assert packed["left"] == len(hand_of(match).pile) + 18
    assert from_state(match)["hidden"].sum() == 0

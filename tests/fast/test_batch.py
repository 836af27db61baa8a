"""Batches: many games side by side, each as if it were alone."""

import pickle
from collections.abc import Sequence

import numpy as np
import pytest

from millebornes.fast import MOVES, Batch, Engine, kernel
from millebornes.fast.packing import COUP_FOURRE, DISTANCE, GAME, LINES, STATUSES
from millebornes.rules import EDITIONS, Card, Edition, view
from millebornes.rules.cards import ALL_CARDS
from millebornes.rules.state import Deal, Over
from tests.strategies import STYLES, TABLES, Driver, Table, table_id

WINNING_MOVES = EDITIONS["winning-moves"]
TWO_HANDS = {"hands": 2, "tie": "drawn"}


def lowest(words: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> list[int]:
    """The number of the lowest bit of each word."""
    return [(word & -word).bit_length() - 1 for word in map(int, words)]


def picked(batch: Batch, step: int, first: int = 0) -> list[int]:
    """A move for each game that depends on nothing but the game, its number and the step."""
    plays, discards = lowest(batch.legal[:, 0]), lowest(batch.legal[:, 1])
    moves = []
    for at, (play, discard) in enumerate(zip(plays, discards, strict=True)):
        prefers_discard = (first + at + step) * 2654435761 % 7 < 2
        use_discard = discard >= 0 and (prefers_discard or play < 0)
        moves.append(discard + 64 if use_discard else max(play, 0))
    return moves


def test_thousands_of_games_together_play_as_each_alone() -> None:
    engine = Engine(WINNING_MOVES, 3)
    batch = engine.batch(3000, seed=2)
    numbers = (0, 1, 2, 777, 1500, 2999)
    alone = {number: engine.batch(1, seed=2, first=number) for number in numbers}
    same = [name for name in GAME.names or () if name != "index"]
    for step in range(200):
        batch.step(picked(batch, step))
        for number, single in alone.items():
            single.step(picked(single, step, number))
            assert single.games[same][0] == batch.games[same][number]
            assert single.moves() == batch.moves(number)
    assert batch.games["number"].max() > 1
    assert len({game.tobytes() for game in batch.games}) == 3000


@pytest.mark.parametrize("dealer", ["rotates", "fixed"])
def test_hands_follow_hands_and_matches_follow_matches(dealer: str) -> None:
    edition = WINNING_MOVES.house({**TWO_HANDS, "dealer": dealer})
    players, size, first = 3, 4, 6
    engine = Engine(edition, players)
    batch = engine.batch(size, seed=5, first=first)
    dealt = [[(1, batch.state(at).hand)] for at in range(size)]
    before = [batch.state(at) for at in range(size)]
    for step in range(900):
        ended, over = batch.ended, batch.over
        totals = [state.totals for state in before]
        batch.step(picked(batch, step))
        for at in range(size):
            state = before[at] = batch.state(at)
            assert state.hand is not None
            if ended[at]:
                assert batch.moves(at)
                assert state.forward == ((0,) * players if over[at] else totals[at])
                assert state.hand.number == (1 if over[at] else 2)
                dealt[at].append((state.hand.number, state.hand))
            assert isinstance(state.awaiting, Deal | Over) == batch.ended[at]
            assert isinstance(state.awaiting, Over) == batch.over[at]
    for at in range(size):
        assert len(dealt[at]) > 4
        for place, (number, hand) in enumerate(dealt[at]):
            assert number == place % 2 + 1
            match = first + at + size * (place // 2)
            turns = match + number - 1 if dealer == "rotates" else 0
            assert hand is not None
            assert hand.dealer == turns % players
            if number == 1:
                alone = engine.batch(1, seed=5, first=match).state().hand
                assert alone is not None
                assert hand.hands == alone.hands
    hands = [hand.hands for games in dealt for _, hand in games if hand is not None]
    assert len(set(hands)) == len(hands)


def until_one_has_ended(batch: Batch) -> int:
    step = 0
    while not batch.ended.any():
        batch.step(picked(batch, step))
        step += 1
    return int(np.flatnonzero(batch.ended)[0])


def test_nothing_is_dealt_by_itself() -> None:
    batch = Engine(WINNING_MOVES, 2).batch(40, seed=3)
    ended = until_one_has_ended(batch)
    other = int(np.flatnonzero(~batch.ended)[0])
    before, running = (batch.games[at].tobytes() for at in (ended, other))
    assert batch.moves(ended) == []
    batch.deal()
    assert batch.moves(ended)
    assert batch.games[ended].tobytes() != before
    assert batch.games[other].tobytes() == running
    dealt = batch.games.tobytes()
    batch.deal()
    assert batch.games.tobytes() == dealt


# All games at once


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_the_mask_marks_the_legal_moves_of_every_game(table: Table) -> None:
    batch = Engine(*table).batch(30, seed=4)
    ended = 0
    for step in range(150):
        mask = batch.mask
        assert mask.shape == (30, MOVES)
        assert mask.dtype == np.bool_
        assert [np.flatnonzero(row).tolist() for row in mask] == [
            batch.moves(at) for at in range(30)
        ]
        assert (mask.any(axis=1) == ~batch.ended).all()
        ended += int(batch.ended.sum())
        batch.step(picked(batch, step))
    assert ended


def test_the_mask_belongs_to_whoever_asked_for_it() -> None:
    """Code that changes its mask must not change the rules; the next step does not change it."""
    batch = Engine(WINNING_MOVES, 2).batch(5, seed=4)
    legal = batch.legal.tobytes()
    mask = batch.mask
    before = mask.copy()
    mask[:] = False
    assert batch.legal.tobytes() == legal
    assert (batch.mask == before).all()
    kept = batch.mask
    batch.step(picked(batch, 0))
    assert (kept == before).all()


def test_random_moves_are_legal_and_all_of_them_come_up() -> None:
    batch = Engine(WINNING_MOVES, 2).batch(200, seed=6)
    rng = np.random.default_rng(2)
    for step in range(120):
        mask, moves = batch.mask, batch.random_moves(rng)
        assert (mask[np.arange(200), moves] | batch.ended).all()
        assert not moves[batch.ended].any()
        if step == 50:
            drawn = np.array([batch.random_moves(rng) for _ in range(400)])
            for at in range(0, 200, 20):
                counts = np.bincount(drawn[:, at], minlength=MOVES)
                legal = batch.moves(at)
                assert np.flatnonzero(counts).tolist() == legal
                expected = 400 / len(legal)
                assert (abs(counts[legal] - expected) < 5 * expected**0.5).all()
        batch.step(moves)
    assert batch.games["number"].max() > 1


def test_the_last_game_of_a_batch_may_have_ended() -> None:
    batch = Engine(WINNING_MOVES, 2).batch(1, seed=6)
    rng = np.random.default_rng(2)
    while not batch.ended[0]:
        batch.step(batch.random_moves(rng))
    assert batch.random_moves(rng).tolist() == [0]


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_what_may_be_laid_on_a_car_is_known_whenever_the_car_or_the_trip_has_changed(
    table: Table,
) -> None:
    engine = Engine(*table)
    rules = engine.rules[0]
    batch = engine.batch(300, seed=8)
    rng = np.random.default_rng(3)
    for _ in range(250):
        batch.step(batch.random_moves(rng))
        cars = batch.games["car"][:, : engine.sides]
        far = np.repeat(batch.games["caller"][:, None] >= 0, engine.sides, axis=1).astype(int)
        reach = rules["reach"][far, (cars >> np.uint64(DISTANCE)).astype(int)]
        status = rules["status"][(cars % np.uint64(STATUSES)).astype(int)]
        assert (batch.games["accepts"][:, : engine.sides] == status & reach).all()


def test_a_copy_plays_on_by_itself() -> None:
    batch = Engine(WINNING_MOVES, 2).batch(20, seed=6)
    rng = np.random.default_rng(2)
    for _ in range(30):
        batch.step(batch.random_moves(rng))
    copy = batch.copy()
    games, legal = batch.games.tobytes(), batch.legal.tobytes()
    assert (copy.games.tobytes(), copy.legal.tobytes()) == (games, legal)
    for _ in range(200):
        copy.step(copy.random_moves(rng))
    assert (batch.games.tobytes(), batch.legal.tobytes()) == (games, legal)
    # Both are dealt the same hands, which depend on the seed of the batch.
    one, two = batch.copy(), batch.copy()
    for step in range(200):
        for each in (one, two):
            each.step(picked(each, step))
    assert one.games.tobytes() == two.games.tobytes()


def test_a_batch_from_a_view_deals_other_hidden_cards_in_each_game() -> None:
    engine = Engine(WINNING_MOVES, 3)
    shown = view(engine.batch(1, seed=1).state(), 1)
    batch = engine.from_view(shown, size=50, seed=4, index=7)
    own = [batch.state(at).hand for at in range(50)]
    assert {hand.hands[1] for hand in own if hand} == {tuple(sorted(shown.hand, key=place))}
    assert len({hand.hands for hand in own if hand}) == 50
    for at in (0, 1, 49):
        alone = engine.from_view(shown, seed=4, index=7 + at)
        assert batch.state(at) == alone.state()
        assert batch.moves(at) == alone.moves()
    # What follows is not the same in all games.
    rng = np.random.default_rng(1)
    while batch.games["number"].min() < 2:
        batch.step(batch.random_moves(rng))
    assert len({game.tobytes() for game in batch.games["hand"]}) == 50
    with pytest.raises(ValueError, match="size = 0: must be a whole number, 1 or more"):
        engine.from_view(shown, size=0)


def place(card: Card) -> int:
    return ALL_CARDS.index(card)


def test_an_engine_and_a_batch_that_were_pickled_need_no_other_code() -> None:
    """Numba would compile again for tables that can be written."""
    engine = Engine(EDITIONS["dujardin-2019"], 4, short_trip=False)
    compiled = len(kernel.run.signatures)
    again = pickle.loads(pickle.dumps(engine))
    assert (again.edition, again.players) == (engine.edition, engine.players)
    assert not again.rules.flags.writeable
    assert again.hands(5, seed=1).tobytes() == engine.hands(5, seed=1).tobytes()
    assert len(kernel.run.signatures) == max(compiled, 1)
    batch = engine.batch(3, seed=1)
    other = pickle.loads(pickle.dumps(batch))
    for step in range(100):
        for each in (batch, other):
            each.step(picked(each, step))
    assert other.games.tobytes() == batch.games.tobytes()
    assert not other.engine.rules.flags.writeable


@pytest.mark.parametrize("short_trip", [False, True])
def test_a_short_trip_stays_short_when_its_engine_is_pickled(short_trip: bool) -> None:
    (edition, players), *_ = ((e, p) for e, p in TABLES if p in e.short_trip_at)
    engine = pickle.loads(pickle.dumps(Engine(edition, players, short_trip=short_trip)))
    assert engine.short_trip == short_trip


def test_arrays_of_moves_play_random_games_as_the_random_policy_does() -> None:
    engine = Engine(WINNING_MOVES, 2)
    batch = engine.batch(2000, seed=1)
    rng = np.random.default_rng(1)
    while not batch.ended.all():
        # The policy always calls its coup fourré.
        moves = np.where(batch.mask[:, COUP_FOURRE], COUP_FOURRE, batch.random_moves(rng))
        # A hand that has ended stays as it is until all others have ended, too.
        ended = np.flatnonzero(batch.ended)
        games, legal = batch.games[ended].copy(), batch.legal[ended].copy()
        batch.step(moves)
        batch.games[ended], batch.legal[ended] = games, legal
    rows = engine.hands(2000, seed=2, bots=["random"])
    for one, other in (
        (batch.games["decisions"], rows["decisions"]),
        (batch.games["total"][:, 0], rows["total"][:, 0]),
        (batch.games["total"][:, 1], rows["total"][:, 1]),
    ):
        error = ((one.var() + other.var()) / 2000) ** 0.5
        assert abs(one.mean() - other.mean()) < 4 * error


@pytest.mark.parametrize("wrong", [1, 63, 126, 127, 128, 2**32, 2**63, 2**64 - 1, -1, -128])
def test_one_illegal_move_changes_nothing_in_any_game(wrong: int) -> None:
    batch = Engine(WINNING_MOVES, 2).batch(40, seed=1)
    ended = until_one_has_ended(batch)
    moves = picked(batch, 0)
    place = 17 if ended != 17 else 18
    moves[place] = wrong
    games, legal = batch.games.tobytes(), batch.legal.tobytes()
    allowed = ", ".join(map(str, batch.moves(place)))
    given = np.array(moves, np.int64) if -(2**63) <= wrong < 2**63 else np.array(moves, np.uint64)
    with pytest.raises(
        ValueError, match=f"^{wrong} is not a legal move of game {place}: "
    ) as refused:
        batch.step(given)
    assert str(refused.value).endswith(f"must be one of {allowed}")
    assert (batch.games.tobytes(), batch.legal.tobytes()) == (games, legal)
    moves[place] = batch.moves(place)[0]
    batch.step(moves)
    assert not batch.ended[ended]


def test_the_move_of_a_game_whose_hand_has_ended_is_not_looked_at() -> None:
    batches = [Engine(WINNING_MOVES, 2).batch(10, seed=1) for _ in range(2)]
    for batch, unused in zip(batches, (0, 127), strict=True):
        ended = until_one_has_ended(batch)
        moves = picked(batch, 0)
        moves[ended] = unused
        batch.step(moves)
    assert batches[0].games.tobytes() == batches[1].games.tobytes()


def test_every_legal_move_is_accepted_and_every_other_refused() -> None:
    engine = Engine(EDITIONS["dujardin-2019"], 4)
    batch = engine.batch(1, seed=3)
    for step in range(40):
        for number in range(130):
            copy = Batch(engine, batch.games.copy(), 3)
            copy.legal[:] = batch.legal
            if number in batch.moves():
                copy.step([number])
                assert copy.games.tobytes() != batch.games.tobytes()
            else:
                with pytest.raises(ValueError, match=f"^{number} is not a legal move of game 0"):
                    copy.step([number])
                assert copy.games.tobytes() == batch.games.tobytes()
        batch.step(picked(batch, step))


@pytest.mark.parametrize(
    "moves",
    [[], [64], [64] * 4, [[64], [64], [64]], 64, [64.0] * 3, [64.5] * 3, [None] * 3, [2**70] * 3],
    ids=str,
)
def test_anything_but_one_number_for_each_game_is_refused(moves: Sequence[int]) -> None:
    batch = Engine(WINNING_MOVES, 2).batch(3)
    before = batch.games.tobytes()
    with pytest.raises(ValueError, match="moves must be 3 whole numbers, one for each game"):
        batch.step(moves)
    assert batch.games.tobytes() == before


def test_a_hand_is_dealt_from_given_cards_only_when_one_has_ended() -> None:
    engine = Engine(WINNING_MOVES, 2)
    batch = engine.match(dealer=1)
    deck = WINNING_MOVES.deck(2)
    with pytest.raises(ValueError, match=f"not the {len(deck)} cards of winning-moves with 2"):
        batch.deal_cards(deck[1:])
    with pytest.raises(ValueError, match=f"not the {len(deck)} cards of winning-moves with 2"):
        batch.deal_cards((*deck[1:], deck[-1]))
    assert batch.ended[0]
    batch.deal_cards(deck)
    assert batch.deck() == deck
    assert batch.games["dealer"] == 1
    before = batch.games.tobytes()
    with pytest.raises(ValueError, match="only when the previous one has ended"):
        batch.deal_cards(deck)
    assert batch.games.tobytes() == before


def test_given_cards_and_chance_may_take_turns() -> None:
    engine = Engine(WINNING_MOVES, 2)
    batch = engine.batch(3, seed=1)
    driver = Driver(1, STYLES["even"])
    until_one_has_ended(batch)
    ended = int(np.flatnonzero(batch.ended)[0])
    deck = driver.deck(batch.state(ended))
    batch.deal_cards(deck, ended)
    assert batch.deck(ended) == deck
    assert batch.games["lazy"].tolist() == [int(at != ended) for at in range(3)]
    step = 0
    while not batch.ended[ended]:
        batch.step(picked(batch, step))
        step += 1
    assert batch.deck(ended) == deck
    batch.step(picked(batch, 0))
    assert batch.games["lazy"][ended] == 1
    assert batch.deck(ended) != deck


def test_the_deck_of_a_hand_that_was_not_dealt_here_is_not_made_up() -> None:
    engine = Engine(WINNING_MOVES, 2)
    match = engine.batch(1, seed=1).state()
    begun = [engine.match(), engine.from_state(match), engine.from_view(view(match, 0))]
    for batch in begun:
        with pytest.raises(ValueError, match="only for a hand that this batch has dealt"):
            batch.deck()
        while not batch.ended[0]:
            batch.step(batch.moves()[:1])
        batch.step([0])
        assert sorted(batch.deck()) == sorted(WINNING_MOVES.deck(2))


# The same hands as `matches`


def check_against_matches(edition: Edition, players: int, count: int) -> None:
    """Greedy advice on what each seat sees must play the matches that the kernel plays."""
    edition = edition.house(TWO_HANDS)
    engine = Engine(edition, players)
    rows = engine.matches(count, seed=4)
    batch = engine.batch(count, seed=4)
    lines = np.zeros((count, engine.sides, LINES), int)
    decisions = np.zeros(count, int)
    while not batch.over.all():
        moves = []
        for at in range(count):
            move = 0
            if not batch.ended[at]:
                seat = int(batch.games[at]["seat"])
                chosen = engine.choose(view(batch.state(at), seat, brief=True), "greedy")
                move = batch.number(chosen, at)
            moves.append(move)
        going = ~batch.ended
        over = batch.games[batch.over].copy()
        places = np.flatnonzero(batch.over)
        batch.step(moves)
        batch.games[places] = over  # a match that is over is left as it is
        for at in map(int, np.flatnonzero(batch.ended & going)):
            lines[at] += batch.games[at]["sheet"][: engine.sides]
            decisions[at] += int(batch.games[at]["decisions"])
    assert (rows["lines"][:, : engine.sides] == lines).all()
    assert (rows["total"] == batch.games["total"]).all()
    assert (rows["winner"] == batch.games["winner"]).all()
    assert (rows["decisions"] == decisions).all()


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_a_batch_is_dealt_the_hands_of_matches_and_greedy_advice_plays_them(table: Table) -> None:
    check_against_matches(*table, count=1)


def test_advice_and_kernel_agree_under_house_rules_about_the_empty_pile() -> None:
    rules = {"must_play_out": True, "replay_on_empty_pile": True}
    check_against_matches(EDITIONS["parker-1988"].house(rules), 3, count=3)
    rules = {"coup_fourre_for_third_party": True, "must_play_out": True}
    check_against_matches(EDITIONS["dujardin-2019"].house(rules), 8, count=2)

"""Simulations and rollouts: the same for the same seed, however they are divided."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pytest

from millebornes.fast import POLICIES, Batch, Engine, canonical
from millebornes.fast.convert import from_view
from millebornes.fast.kernel.constants import LINE
from millebornes.fast.kernel.policies.commuter.weights import weights_of
from millebornes.records import position
from millebornes.rules import (
    EDITIONS,
    Decline,
    Discard,
    Edition,
    Match,
    Move,
    Play,
    View,
    apply,
    awaited_seats,
    deal_cards,
    new_match,
    view,
)
from millebornes.rules.cards import Card
from millebornes.rules.state import Turn, Window
from tests.strategies import STYLES, TABLES, Driver, Table, play_hand, table_id

WINNING_MOVES = EDITIONS["winning-moves"]
DUJARDIN = EDITIONS["dujardin-2019"]
every_kind = pytest.mark.parametrize("kind", ["hands", "matches"])
every_table = pytest.mark.parametrize("table", TABLES, ids=table_id)


# Simulations


@every_kind
@pytest.mark.parametrize("table", [(WINNING_MOVES, 2), (DUJARDIN, 8)], ids=table_id)
def test_any_number_of_jobs_gives_the_same(table: Table, kind: str) -> None:
    play = partial(getattr(Engine(*table), kind), 150, seed=7, bots=["greedy", "random"])
    alone = play(jobs=1).tobytes()
    for jobs in (2, 3, 8):
        assert play(jobs=jobs).tobytes() == alone


@every_kind
@pytest.mark.parametrize("parts", [(1000,), (1, 999), (500, 500), (7, 300, 693), (0, 1000)])
def test_any_split_gives_the_same(kind: str, parts: tuple[int, ...]) -> None:
    play = partial(getattr(Engine(EDITIONS["article"], 3), kind), seed=3, bots=["random"])
    found, first = [], 0
    for count in parts:
        found.append(play(count, first=first))
        first += count
    assert np.concatenate(found).tobytes() == play(1000).tobytes()


@pytest.mark.parametrize("is_match", [False, True])
def test_chunks_are_the_same_piece_by_piece(is_match: bool) -> None:
    engine = Engine(WINNING_MOVES, 2)
    chunks = list(engine.chunks(9000, seed=5, bots=["random"], jobs=2, is_match=is_match))
    assert len(chunks) > 2
    whole = engine.matches if is_match else engine.hands
    assert np.concatenate(chunks).tobytes() == whole(9000, seed=5, bots=["random"]).tobytes()


def test_very_many_jobs_get_no_crumbs() -> None:
    chunks = list(Engine(WINNING_MOVES, 2).chunks(200, jobs=256))
    assert [chunk.size for chunk in chunks] == [64, 64, 64, 8]


def test_chunks_that_nobody_wants_any_more_are_not_played() -> None:
    chunks = Engine(WINNING_MOVES, 2).chunks(10**9, jobs=2)
    assert next(chunks).size == 4096
    assert isinstance(chunks, Iterator)
    del chunks


def test_other_seeds_give_other_hands() -> None:
    engine = Engine(WINNING_MOVES, 2)
    found = {engine.hands(3, seed=seed).tobytes() for seed in range(300)}
    assert len(found) == 300
    rows = engine.hands(300, bots=["random"])
    assert len({row.tobytes() for row in rows}) > 290


@pytest.mark.parametrize("policy", POLICIES)
@every_table
def test_hands_are_the_first_hands_of_matches(table: Table, policy: str) -> None:
    edition, players = table
    single = edition.house({"hands": 1, "tie": "drawn"})
    # The commuter plays otherwise if a hand decides the match, unless its weights say no.
    blind = {**weights_of("duel"), "wins": 0, "loses": 0}
    hands = Engine(edition, players, weights=[blind]).hands(60, seed=9, bots=[policy])
    matches = Engine(single, players, weights=[blind]).matches(60, seed=9, bots=[policy])
    assert hands.tobytes() == matches.tobytes()
    assert (hands["hands"] == 1).all()


@every_kind
@every_table
def test_totals_are_the_sums_of_the_score_lines(table: Table, kind: str) -> None:
    engine = Engine(*table)
    sides = engine.sides
    rows = getattr(engine, kind)(100, seed=1, bots=["greedy", "random", "random"])
    assert (rows["lines"].sum(axis=2) == rows["total"]).all()
    assert not rows["total"][:, sides:].any()
    assert (rows["completed"].sum(axis=1) <= rows["hands"]).all()
    assert (rows["extension_made"] <= rows["extended"]).all()
    points = engine.edition.coup_fourre_points
    assert (rows["coups_fourres"] * points == rows["lines"][:, :, LINE.coups_fourres]).all()
    best = rows["total"][:, :sides].max(axis=1)
    for row, most in zip(rows, best, strict=True):
        leaders = np.flatnonzero(row["total"][:sides] == most)
        assert row["winner"] == (leaders[0] if leaders.size == 1 else -1)


def test_a_match_goes_on_to_its_target() -> None:
    rows = Engine(EDITIONS["parker-1988"], 2).matches(50)
    assert (rows["total"].max(axis=1) >= EDITIONS["parker-1988"].target).all()
    assert (rows["winner"] >= 0).all()
    assert rows["hands"].min() > 1


@pytest.mark.parametrize("players", [4, 8])
def test_a_short_trip_is_700_miles(players: int) -> None:
    engine = Engine(DUJARDIN, players, short_trip=True)
    rows = engine.hands(300)
    miles = rows["lines"][:, : engine.sides, LINE.miles]
    assert miles.max() == 700
    assert rows["completed"].sum() == (miles == 700).sum() > 50
    assert Engine(DUJARDIN, players).hands(300)["lines"][:, :, LINE.miles].max() > 700
    assert engine.batch(1).state().trip == 700


def test_a_short_trip_is_refused_where_there_is_no_choice() -> None:
    with pytest.raises(ValueError, match="short_trip = true: expected 4 or 8 players"):
        Engine(DUJARDIN, 2, short_trip=True)


@pytest.mark.parametrize("players", [0, 1, 5, 6])
def test_a_player_count_that_the_edition_does_not_have_is_refused(players: int) -> None:
    message = f"players = {players}: expected one of 2, 3, 4 in article"
    with pytest.raises(ValueError, match=message):
        Engine(EDITIONS["article"], players)


REFUSED = {
    "a negative count": ({"count": -1}, "count = -1: must be a whole number, 0 or more"),
    "no jobs": ({"jobs": 0}, "jobs = 0: must be a whole number from 1 to 256"),
    "negative jobs": ({"jobs": -2}, "jobs = -2: must be a whole number from 1 to 256"),
    "too many jobs": ({"jobs": 257}, "jobs = 257: must be a whole number from 1 to 256"),
    "a negative first": ({"first": -1}, "first = -1: must be a whole number, 0 or more"),
    "an unknown policy": (
        {"bots": ["greedy", "clever"]},
        "clever is not a policy of the engine: must be one of random, greedy",
    ),
    "no policy": ({"bots": []}, "a list of at least one name"),
    "a name for a list": ({"bots": "greedy"}, "a list of at least one name"),
}


@pytest.mark.parametrize(("changed", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused_before_anything_is_played(
    changed: dict[str, object], message: str
) -> None:
    engine = Engine(WINNING_MOVES, 2)
    rollouts = partial(engine.rollouts, middle(WINNING_MOVES, 2, 1))
    work: list[Callable[..., object]] = [engine.hands, engine.matches, engine.chunks, rollouts]
    for play in work:
        values: dict[str, object] = {"count": 10, **changed}
        with pytest.raises(ValueError, match=message):
            play(values.pop("count"), **values)


def test_nothing_may_be_asked_for() -> None:
    engine = Engine(WINNING_MOVES, 2)
    assert engine.hands(0).size == 0
    assert list(engine.chunks(0)) == []
    assert engine.rollouts(middle(WINNING_MOVES, 2, 1), 0).shape == (0, 2)


# The same hand in the readable engine


@every_table
def test_the_deck_of_a_hand_replays_in_the_readable_engine(table: Table) -> None:
    edition, players = table
    engine = Engine(edition, players)
    rng = np.random.default_rng(players)
    for first in (0, 1, players - 1):
        batch = engine.batch(1, seed=11, first=first)
        made: list[Move] = []
        states = [batch.state()]
        while not batch.ended[0]:
            number = int(rng.choice(batch.moves()))
            made.append(batch.readable(number))
            batch.step([number])
            states.append(batch.state())
        dealer = first if edition.dealer == "rotates" else 0
        match, _ = deal_cards(new_match(edition, players, dealer=dealer), batch.deck())
        for move, state in zip([*made, None], states, strict=True):
            match = canonical(match)
            assert anyhow(match) == anyhow(state)
            if move is not None:
                match, _ = apply(match, awaited_seats(match)[0], move)
        assert batch.state() == match


def anyhow(match: Match) -> Match:
    """The match without the order of its pile, which chance settles only when it is drawn."""
    assert match.hand is not None
    return match._replace(hand=match.hand._replace(pile=tuple(sorted(match.hand.pile))))


# Rollouts


def middle(edition: Edition, players: int, seed: int) -> View:
    """What the seat on turn sees in the middle of a hand."""
    hand = play_hand(new_match(edition, players), Driver(seed, STYLES["even"]))
    turns = [match for match in hand.states if isinstance(match.awaiting, Turn)]
    match = turns[len(turns) // 3]
    return view(match, awaited_seats(match)[0])


def greedy_from(batch: Batch) -> list[int]:
    """Play the hand of a batch of one to its end by advice; the points of each side."""
    engine = batch.engine
    while not batch.ended[0]:
        seat = int(batch.games[0]["seat"])
        move = engine.choose(view(batch.state(), seat), "greedy")
        batch.step([batch.number(move)])
    points = batch.games[0]["total"] - batch.games[0]["forward"]
    return [int(side) for side in points[: engine.sides]]


@pytest.mark.parametrize(
    "table", [(WINNING_MOVES, 2), (DUJARDIN, 6), (EDITIONS["article"], 3)], ids=table_id
)
def test_a_rollout_is_a_redeal_then_the_move_then_the_policies(table: Table) -> None:
    engine = Engine(*table)
    shown = middle(*table, seed=2)
    moves = [None, shown.legal_moves[0], shown.legal_moves[-1]]
    for move in moves:
        points = engine.rollouts(shown, 12, seed=4, move=move)
        for index in (0, 5, 11):
            batch = engine.from_view(shown, seed=4, index=index)
            if move is not None:
                batch.step([batch.number(move)])
            assert greedy_from(batch) == points[index].tolist()


@pytest.mark.parametrize("policy", POLICIES)
def test_rollouts_are_the_same_however_they_are_divided(policy: str) -> None:
    engine = Engine(WINNING_MOVES, 4)
    shown = middle(WINNING_MOVES, 4, 3)
    play = partial(engine.rollouts, shown, seed=6, bots=[policy], move=shown.legal_moves[0])
    whole = play(1000)
    assert whole.shape == (1000, 2)
    for jobs in (2, 5):
        assert (play(1000, jobs=jobs) == whole).all()
    parts = [play(300), play(0, first=300), play(700, first=300)]
    assert (np.concatenate(parts) == whole).all()
    assert (play(1000) == whole).all()
    assert not (engine.rollouts(shown, 1000, seed=7, bots=[policy]) == whole).all()


def test_rollouts_of_two_moves_have_the_same_hidden_cards() -> None:
    """Two discards that change nothing: who has 25s to spare scores the same with either."""
    text = "hand 0: only ROLL STOP LIM 25 50 REP GAS\nbattle 0: ROLL\nbattle 1: ROLL STOP\n"
    shown = view(position.from_text(text), 0)
    engine = Engine(shown.edition, 2)
    one, two = (
        engine.rollouts(shown, 2000, move=Discard(card), seed=8) for card in (Card.REP, Card.GAS)
    )
    other = engine.rollouts(shown, 2000, move=Discard(Card.GAS), seed=9)
    together = (one - two)[:, 0].std()
    apart = (one - other)[:, 0].std()
    assert together < 0.8 * apart
    assert (one == two).all(axis=1).mean() > 0.3
    assert (one == other).all(axis=1).mean() < 0.1


def test_a_rollout_of_a_hand_that_has_ended_is_its_score() -> None:
    hand = play_hand(new_match(WINNING_MOVES, 3), Driver(1, STYLES["race"]))
    shown = view(hand.final, 1)
    assert shown.sheets is not None
    points = [sheet.total for sheet in shown.sheets]
    assert Engine(WINNING_MOVES, 3).rollouts(shown, 3).tolist() == [points] * 3


def test_a_rollout_counts_only_the_hand_in_view() -> None:
    text = "hand 0: only ROLL STOP LIM 25 50 REP GAS\n"
    shown, later = (
        view(position.from_text(text + scores), 0) for scores in ("", "scores: 1000 1000\n")
    )
    engine = Engine(shown.edition, 2)
    assert (engine.rollouts(shown, 50) == engine.rollouts(later, 50)).all()


@pytest.mark.parametrize("move", [Play(Card.D200), Discard(Card.ACE), Decline()])
def test_a_rollout_of_an_illegal_move_is_refused(move: Move) -> None:
    shown = view(position.from_text("hand 0: only ROLL STOP LIM 25 50 REP GAS\n"), 0)
    before = from_view(shown).tobytes()
    with pytest.raises(ValueError, match="is not a legal move of this view"):
        Engine(shown.edition, 2).rollouts(shown, 10, move=move)
    assert from_view(shown).tobytes() == before


def test_a_spectator_has_rollouts_but_no_moves() -> None:
    match = play_hand(new_match(WINNING_MOVES, 2), Driver(1, STYLES["even"])).dealt
    shown = view(match, None)
    engine = Engine(WINNING_MOVES, 2)
    assert engine.rollouts(shown, 200).std(axis=0).min() > 0
    with pytest.raises(ValueError, match="is not a legal move of this view"):
        engine.rollouts(shown, 10, move=Discard(Card.D25))
    with pytest.raises(ValueError, match="this viewer has no decision to make"):
        engine.choose(shown, "greedy")


@pytest.mark.parametrize("players", [2, 4])
def test_declining_without_the_safety_is_no_decision(players: int) -> None:
    text = f"players: {players}\nwindow: STOP 0>1\nbattle 1: ROLL STOP\nhand 1: 25 25 50 50 75 75\n"
    shown = view(position.from_text(text), 1)
    assert isinstance(shown.awaiting, Window)
    assert shown.legal_moves == (Decline(),)
    engine = Engine(shown.edition, players)
    assert (engine.rollouts(shown, 300, move=Decline()) == engine.rollouts(shown, 300)).all()
    assert engine.choose(shown, "greedy") == Decline()


@pytest.mark.parametrize("policy", ["clever", ""])
def test_advice_by_an_unknown_policy_is_refused_even_if_there_is_no_choice(policy: str) -> None:
    text = "window: STOP 0>1\nbattle 1: ROLL STOP\nhand 1: 25 25 50 50 75 75\n"
    shown = view(position.from_text(text), 1)
    with pytest.raises(ValueError, match="must be one of random, greedy"):
        Engine(shown.edition, 2).choose(shown, policy)


@pytest.mark.parametrize("index", [-1, -100])
def test_a_negative_index_is_refused(index: int) -> None:
    shown = view(position.from_text("hand 0: only ROLL STOP LIM 25 50 REP GAS\n"), 0)
    engine = Engine(shown.edition, 2)
    for work in (partial(engine.choose, shown, "random"), partial(engine.from_view, shown)):
        with pytest.raises(ValueError, match=f"index = {index}: must be a whole number"):
            work(index=index)
    with pytest.raises(ValueError, match=f"first = {index}: must be a whole number"):
        engine.batch(3, first=index)
    with pytest.raises(ValueError, match="size = 0: must be a whole number, 1 or more"):
        engine.batch(0)

"""The fast engine: simulations, rollouts, comparisons of moves, and games to step through."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import Decline, Edition, Match, Move, View, new_match
from millebornes.rules.state import Deal, Window

from . import convert, kernel
from .arguments import check_jobs, check_number, seed_word
from .batch import Batch
from .comparison import Comparison
from .kernel.policies import POLICIES, number_of
from .kernel.policies.commuter import FEATURES
from .moves import from_number, to_number
from .packing import (
    AWAIT_DEAL,
    AWAIT_OVER,
    GAME,
    MOST_SEATS,
    MOVES,
    NO_CARD,
    RESULT,
)
from .parts import in_order
from .tables import rules_for, with_weights
from .weighing import Weighing, unit_weights

__all__ = ["POLICIES", "Engine"]

_LEAST_AT_ONCE, _MOST_AT_ONCE = 64, 4096
"""Hands per kernel call: enough to make calls cheap, few enough to stop quickly."""
_NO_MOVE = MOVES
Part = TypeVar("Part")
Result = TypeVar("Result")
Row = TypeVar("Row", np.void, np.int64)
_DEFAULT = ("greedy",)


class Engine:
    """Plays one edition with one number of players, compiled: 10 to 30 nanoseconds per decision.

    The same seed gives the same hands on every machine and with any number of threads.
    """

    def __init__(
        self,
        edition: Edition,
        players: int,
        *,
        short_trip: bool = False,
        weights: Sequence[Mapping[str, int]] = (),
    ) -> None:
        """Make an engine. `weights` are for the policy `commuter`: by seat, repeated in turn.

        By default every seat has those of the package.
        """
        self.edition = edition
        self.players = players
        self.short_trip = short_trip
        self.weights = tuple(dict(of_seat) for of_seat in weights)
        self.rules = rules_for(edition, players, short_trip=short_trip)
        if self.weights:
            self.rules = with_weights(self.rules, self.weights)
        self.sides = int(self.rules[0]["sides"])
        self.deck_size = int(self.rules[0]["size"])

    def __reduce__(self) -> tuple[Any, ...]:
        # The tables must stay read-only: for Numba, an array that can be written is another type.
        make = partial(Engine, short_trip=self.short_trip, weights=self.weights)
        return make, (self.edition, self.players)

    # Simulations

    def hands(
        self,
        count: int,
        *,
        seed: int = 0,
        bots: Sequence[str] = _DEFAULT,
        first: int = 0,
        jobs: int = 1,
    ) -> NDArray[np.void]:
        """Play single hands: one `RESULT` each. Hand *n* is dealt by seat *n* modulo players.

        `bots` names the policies of the seats, repeated in turn. `first` is the number of the
        first hand: `count=100, first=900` gives the last 100 of the first thousand hands.
        """
        return self._all(count, seed, bots, first, jobs, is_match=False)

    def matches(
        self,
        count: int,
        *,
        seed: int = 0,
        bots: Sequence[str] = _DEFAULT,
        first: int = 0,
        jobs: int = 1,
    ) -> NDArray[np.void]:
        """Play whole matches: one `RESULT` each, with the sums over its hands."""
        return self._all(count, seed, bots, first, jobs, is_match=True)

    def chunks(
        self,
        count: int,
        *,
        seed: int = 0,
        bots: Sequence[str] = _DEFAULT,
        first: int = 0,
        jobs: int = 1,
        is_match: bool = False,
    ) -> Iterator[NDArray[np.void]]:
        """As `hands` or `matches`, in chunks: for runs that do not fit into memory."""
        chunk = _chunk(count, jobs)
        parts = (np.zeros(min(chunk, count - at), RESULT) for at in range(0, count, chunk))
        return self._play(parts, seed, bots, first, jobs, is_match=is_match)

    def _all(
        self, count: int, seed: int, bots: Sequence[str], first: int, jobs: int, *, is_match: bool
    ) -> NDArray[np.void]:
        rows = np.zeros(check_number("count", count, 0), RESULT)
        parts = _slices(rows, _chunk(count, jobs))
        deque(self._play(parts, seed, bots, first, jobs, is_match=is_match), maxlen=0)
        return rows

    def _play(
        self,
        parts: Iterable[NDArray[np.void]],
        seed: int,
        bots: Sequence[str],
        first: int,
        jobs: int,
        *,
        is_match: bool,
    ) -> Iterator[NDArray[np.void]]:
        """Fill the rows of each part in turn."""
        policies = self._policies(bots)
        word = seed_word(seed)
        starts = _numbered(check_number("first", first, 0), parts)

        def play(part: tuple[int, NDArray[np.void]]) -> NDArray[np.void]:
            index, rows = part
            games = np.zeros(1, GAME)
            games["policy"] = policies
            kernel.run(games, self.rules, word, np.uint64(index), rows, is_match)
            return rows

        return _in_threads(play, starts, jobs)

    # Rollouts

    def rollouts(
        self,
        view: View,
        count: int,
        *,
        seed: int = 0,
        move: Move | None = None,
        bots: Sequence[str] = _DEFAULT,
        first: int = 0,
        jobs: int = 1,
    ) -> NDArray[np.int64]:
        """Play the hand in view to its end, with the hidden cards dealt anew each time.

        One row per rollout: the points of each side in this hand. `move`, if given, is the
        viewer's first decision. All seats, the viewer's too, play on by the policies of `bots`.
        Rollout *n* has the same hidden cards for every move.
        """
        self._check_fits(view)
        if move is not None:
            _check_legal(view, move)
        points = np.zeros((check_number("count", count, 0), 1, self.sides), np.int64)
        parts = _slices(points, _chunk(count, jobs))
        played = self._roll_out(view, [move], parts, seed=seed, bots=bots, first=first, jobs=jobs)
        deque(played, maxlen=0)
        return points[:, 0]

    def rollouts_by_move(
        self,
        view: View,
        count: int,
        *,
        moves: Sequence[Move] | None = None,
        seed: int = 0,
        bots: Sequence[str] = _DEFAULT,
        first: int = 0,
        jobs: int = 1,
    ) -> NDArray[np.int64]:
        """The rollouts of several moves: the points by rollout, move and side.

        They are those of `rollouts` for each move, all legal moves of the viewer or some. One
        call is cheaper than one for each move: the view is converted once, and the hidden cards
        of a rollout are dealt once for all moves.
        """
        tried = self._tried(view, moves)
        shape = (check_number("count", count, 0), len(tried), self.sides)
        points = np.zeros(shape, np.int64)
        parts = _slices(points, _chunk(count, jobs))
        played = self._roll_out(view, tried, parts, seed=seed, bots=bots, first=first, jobs=jobs)
        deque(played, maxlen=0)
        return points

    def compare(
        self,
        view: View,
        count: int,
        *,
        moves: Sequence[Move] | None = None,
        seed: int = 0,
        bots: Sequence[str] = _DEFAULT,
        first: int = 0,
        jobs: int = 1,
    ) -> Comparison:
        """Sum up the rollouts of several moves, without keeping them: see `rollouts_by_move`."""
        tried = self._tried(view, moves)
        chunk = _chunk(count, jobs)
        shape = (len(tried), self.sides)
        parts = (
            np.zeros((min(chunk, count - at), *shape), np.int64) for at in range(0, count, chunk)
        )
        played = self._roll_out(view, tried, parts, seed=seed, bots=bots, first=first, jobs=jobs)
        side = view.side or 0
        none = Comparison.of(tried, np.zeros((0, *shape), np.int64), side)
        return sum((Comparison.of(tried, points, side) for points in played), none)

    def _tried(self, view: View, moves: Sequence[Move] | None) -> Sequence[Move]:
        """The moves to roll out: those given, which must be legal, or all legal ones."""
        self._check_decides(view)
        if moves is None:
            return view.legal_moves
        if not moves:
            raise ValueError("moves must name at least one legal move of this view")
        for move in moves:
            _check_legal(view, move)
        return moves

    def _roll_out(
        self,
        view: View,
        moves: Sequence[Move | None],
        parts: Iterable[NDArray[np.int64]],
        *,
        seed: int,
        bots: Sequence[str],
        first: int,
        jobs: int,
    ) -> Iterator[NDArray[np.int64]]:
        """Fill each part in turn: the points by rollout, move and side."""
        numbers = np.array([_number_in(view, move) for move in moves], np.uint64)
        base = convert.from_view(view)
        base["policy"] = self._policies(bots)
        word = seed_word(seed)
        starts = _numbered(check_number("first", first, 0), parts)

        def play(part: tuple[int, NDArray[np.int64]]) -> NDArray[np.int64]:
            index, points = part
            games = base.repeat(3)
            kernel.rollouts(games, self.rules, numbers, word, np.uint64(index), points)
            return points

        return _in_threads(play, starts, jobs)

    def choose(self, view: View, policy: str, *, seed: int = 0, index: int = 0) -> Move:
        """The move that a built-in policy chooses in this view."""
        chosen = number_of(policy)
        self._check_decides(view)
        word, start = seed_word(seed), np.uint64(check_number("index", index, 0))
        if len(view.legal_moves) == 1:
            return view.legal_moves[0]
        number = kernel.advise(self._seen(view), self.rules, chosen, word, start)
        hazard = view.awaiting.hazard if isinstance(view.awaiting, Window) else None
        return from_number(int(number), view.side or 0, view.sides, hazard)

    def features(self, view: View) -> Weighing:
        """What the policy `commuter` finds in each legal move of this view."""
        self._check_decides(view)
        moves = view.legal_moves
        games = self._seen(view)
        numbers = np.array([_number_in(view, move) for move in moves], np.uint64)
        found = np.zeros((len(moves), len(FEATURES)), np.int64)
        if not isinstance(view.awaiting, Window):
            kernel.weigh(games, self.rules, unit_weights(), numbers, found)
        weights = self.rules[0]["commuter"]["weights"][view.seat]
        return Weighing(tuple(FEATURES), moves, found, np.array([weights]).view(np.int64))

    def _seen(self, view: View) -> NDArray[np.void]:
        """The game as this viewer knows it, for a decision of this viewer."""
        games = convert.from_view(view)
        games["seat"] = view.seat
        games["left"] = view.pile  # nothing will be dealt, so hidden cards can stay hidden
        return games

    def _check_decides(self, view: View) -> None:
        self._check_fits(view)
        if not view.legal_moves:
            raise ValueError("this viewer has no decision to make")

    # Games to step through

    def batch(self, size: int, *, seed: int = 0, first: int = 0) -> Batch:
        """A batch of `size` matches, the first hand of each dealt at random.

        The hands are those that `matches` deals with the same seed.
        """
        check_number("first", first, 0)
        batch = Batch(self, np.zeros(check_number("size", size, 1), GAME), seed)
        batch.games["awaiting"] = AWAIT_OVER
        batch.games["index"] = np.arange(first, first + size)
        batch.deal()
        return batch

    def match(self, *, dealer: int = 0) -> Batch:
        """One match before its first deal: see `Batch.deal_cards`.

        There is no seed: hands that are dealt at random later are always the same.
        """
        match = new_match(self.edition, self.players, dealer=dealer, short_trip=self.short_trip)
        batch = Batch(self, np.zeros(1, GAME), 0)
        batch.games["awaiting"] = AWAIT_DEAL
        batch.games["deck"] = NO_CARD
        assert isinstance(match.awaiting, Deal)
        batch.games["seat"] = match.awaiting.dealer
        return batch

    def from_state(self, match: Match) -> Batch:
        """One game in the state of this match.

        There is no seed: hands that are dealt at random later are always the same.
        """
        self._check_fits(match)
        batch = Batch(self, convert.from_state(match), 0)
        kernel.settle(batch.games, self.rules, np.uint64(0), np.uint64(0), batch.legal)
        return batch

    def from_view(self, view: View, *, size: int = 1, seed: int = 0, index: int = 0) -> Batch:
        """Games as this viewer knows them, in each of which the hidden cards are dealt at random.

        The first has the hidden cards of rollout number `index`, the others those that follow.
        """
        self._check_fits(view)
        games = np.repeat(convert.from_view(view), check_number("size", size, 1))
        games["index"] = np.arange(size)
        batch = Batch(self, games, seed)
        word, start = seed_word(seed), np.uint64(check_number("index", index, 0))
        kernel.settle(batch.games, self.rules, word, start, batch.legal)
        return batch

    def _check_fits(self, shown: View | Match) -> None:
        if (shown.edition, shown.players) != (self.edition, self.players):
            raise ValueError(
                f"this engine plays {self.edition.id} with {self.players}, "
                f"not {shown.edition.id} with {shown.players}"
            )
        base = shown.trip if isinstance(shown, Match) or shown.caller is None else None
        own = 25 * int(self.rules[0]["trip"])
        if base is not None and base != own:
            raise ValueError(f"this engine plays trips of {own}, not of {base}")

    def _policies(self, bots: Sequence[str]) -> NDArray[np.uint64]:
        if not bots or isinstance(bots, str):
            raise ValueError("bots must be a list of at least one name")
        numbers = list(map(number_of, bots))
        return np.array([numbers[seat % len(bots)] for seat in range(MOST_SEATS)])


def _check_legal(view: View, move: Move) -> None:
    if move not in view.legal_moves:
        raise ValueError(f"{move} is not a legal move of this view")


def _number_in(view: View, move: Move | None) -> int:
    """The number of a viewer's move; `_NO_MOVE` if there is none to make."""
    # A forced `Decline` is not a decision: the game waits for others, or continues.
    if move is None or view.legal_moves == (Decline(),):
        return _NO_MOVE
    return to_number(move, view.side or 0, view.sides)


def _numbered(first: int, parts: Iterable[NDArray[Row]]) -> Iterator[tuple[int, NDArray[Row]]]:
    """Parts of an array, each with the number of its first row."""
    for part in parts:
        yield first, part
        first += len(part)


def _slices(rows: NDArray[Row], size: int) -> Iterator[NDArray[Row]]:
    """An array in parts of some rows each."""
    return (rows[at : at + size] for at in range(0, len(rows), size))


def _chunk(count: int, jobs: int) -> int:
    """The size of a chunk, such that all threads finish at about the same time."""
    even = check_number("count", count, 0) // (8 * check_jobs(jobs))
    return max(_LEAST_AT_ONCE, min(_MOST_AT_ONCE, even))


def _in_threads(
    work: Callable[[Part], Result], parts: Iterable[Part], jobs: int
) -> Iterator[Result]:
    """The results of `work`, in order, by `jobs` threads, which run a little ahead."""
    if jobs == 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(jobs) as pool:
        yield from in_order(pool, work, parts, 4 * jobs)

"""The fast engine: simulations, rollouts, and batches of games, for one edition."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import Card, Decline, Edition, Match, Move, View, new_match
from millebornes.rules.cards import ALL_CARDS
from millebornes.rules.state import Deal, Window

from . import convert, kernel
from .comparison import Comparison
from .kernel.policies import POLICIES, number_of
from .moves import from_number, to_number
from .packing import (
    AWAIT_DEAL,
    AWAIT_OVER,
    AWAIT_WINDOW,
    GAME,
    KIND,
    MOST_SEATS,
    MOVES,
    NO_CARD,
    RESULT,
)
from .parts import in_order
from .tables import rules_for

__all__ = ["MOST_JOBS", "POLICIES", "Batch", "Engine", "check_jobs"]

MOST_JOBS = 256
"""More threads do not help, and some thousands bring a machine down."""
_LEAST_AT_ONCE, _MOST_AT_ONCE = 64, 4096
"""Hands per kernel call: enough to make calls cheap, few enough to stop quickly."""
_NO_MOVE = MOVES
Part = TypeVar("Part")
Result = TypeVar("Result")
_DEFAULT = ("greedy",)


class Engine:
    """Plays one edition with one number of players, compiled: tens of nanoseconds per decision.

    The same seed gives the same hands on every machine and with any number of threads.
    """

    def __init__(self, edition: Edition, players: int, *, short_trip: bool = False) -> None:
        self.edition = edition
        self.players = players
        self.short_trip = short_trip
        self.rules = rules_for(edition, players, short_trip=short_trip)
        self.sides = int(self.rules[0]["sides"])
        self.deck_size = int(self.rules[0]["size"])

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
        chunk = _chunk(count, jobs)
        rows = np.zeros(count, RESULT)
        parts = (rows[at : at + chunk] for at in range(0, count, chunk))
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
        word = _seed_word(seed)
        starts = _numbered(_check_number("first", first, 0), parts)

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
        viewer's first decision. Rollout *n* has the same hidden cards for every move, so the
        difference between two moves is more precise than either result.
        """
        played = self._rollouts(view, [move], count, seed=seed, bots=bots, first=first, jobs=jobs)
        parts = [points[0] for points in played]
        return np.concatenate(parts) if parts else np.zeros((0, self.sides), np.int64)

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
        """Roll out each of these moves `count` times: all legal moves of the viewer, or some.

        Rollout *n* of every move has the same hidden cards, those of `rollouts` with the same
        seed. One call is cheaper than one for each move: the view is converted once, and its
        hidden cards are dealt once for all moves.
        """
        if view.side is None or not view.legal_moves:
            raise ValueError("this viewer has no decision to make")
        tried = view.legal_moves if moves is None else tuple(moves)
        if not tried:
            raise ValueError("moves must name at least one legal move of this view")
        played = self._rollouts(view, tried, count, seed=seed, bots=bots, first=first, jobs=jobs)
        none = Comparison.of(tried, np.zeros((len(tried), 0, self.sides), np.int64), view.side)
        return sum((Comparison.of(tried, points, view.side) for points in played), none)

    def _rollouts(
        self,
        view: View,
        moves: Sequence[Move | None],
        count: int,
        *,
        seed: int,
        bots: Sequence[str],
        first: int,
        jobs: int,
    ) -> Iterator[NDArray[np.int64]]:
        """The points by move, rollout and side, in parts."""
        self._check_fits(view)
        policies = self._policies(bots)
        numbers = np.array([_number_in(view, move) for move in moves], np.uint64)
        base = convert.from_view(view)
        chunk = _chunk(count, jobs)
        word = _seed_word(seed)
        _check_number("first", first, 0)

        def play(start: int) -> NDArray[np.int64]:
            games = np.zeros(3, GAME)
            games[0] = base[0]
            games["policy"] = policies
            points = np.zeros((numbers.size, min(chunk, count - start), self.sides), np.int64)
            index = np.uint64(first + start)
            kernel.rollouts(games, self.rules, numbers, word, index, points)
            return points

        return _in_threads(play, range(0, count, chunk), jobs)

    def choose(self, view: View, policy: str, *, seed: int = 0, index: int = 0) -> Move:
        """The move that a built-in policy chooses in this view."""
        self._check_fits(view)
        chosen = number_of(policy)
        word, start = _seed_word(seed), np.uint64(_check_number("index", index, 0))
        if not view.legal_moves:
            raise ValueError("this viewer has no decision to make")
        if len(view.legal_moves) == 1:
            return view.legal_moves[0]
        games = convert.from_view(view)
        games["seat"] = view.seat
        games["left"] = view.pile  # nothing will be dealt, so hidden cards can stay hidden
        number = kernel.advise(games, self.rules, chosen, word, start)
        hazard = view.awaiting.hazard if isinstance(view.awaiting, Window) else None
        return from_number(int(number), view.side or 0, view.sides, hazard)

    # Games to step through

    def batch(self, size: int, *, seed: int = 0, first: int = 0) -> "Batch":
        """A batch of `size` matches, the first hand of each dealt at random.

        The hands are those that `matches` deals with the same seed.
        """
        _check_number("first", first, 0)
        batch = Batch(self, np.zeros(_check_number("size", size, 1), GAME), seed)
        batch.games["awaiting"] = AWAIT_OVER
        batch.games["index"] = np.arange(first, first + size)
        batch.deal()
        return batch

    def match(self, *, dealer: int = 0) -> "Batch":
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

    def from_state(self, match: Match) -> "Batch":
        """One game in the state of this match.

        There is no seed: hands that are dealt at random later are always the same.
        """
        self._check_fits(match)
        batch = Batch(self, convert.from_state(match), 0)
        kernel.settle(batch.games, self.rules, np.uint64(0), np.uint64(0), batch.legal)
        return batch

    def from_view(self, view: View, *, seed: int = 0, index: int = 0) -> "Batch":
        """One game as this viewer knows it, with the hidden cards dealt at random."""
        self._check_fits(view)
        batch = Batch(self, convert.from_view(view), seed)
        word, start = _seed_word(seed), np.uint64(_check_number("index", index, 0))
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


class Batch:
    """Games that are stepped together: all arrays have one row per game.

    Every game plays match after match: if its hand has ended, the next `step` deals the next
    hand, or the first of a new match, and ignores the move given for that game.
    """

    games: NDArray[np.void]
    """The packed games (see `packing.GAME`): `seat` is to decide, `total` holds the points."""
    legal: NDArray[np.uint64]
    """Two words per game, one bit per legal move: see `packing`."""

    def __init__(self, engine: Engine, games: NDArray[np.void], seed: int) -> None:
        self.engine = engine
        self.games = games
        self.legal = np.zeros((games.size, 2), np.uint64)
        self._seed = _seed_word(seed)
        self._stride = np.uint64(games.size)

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Whether each move is legal: a row for each game, a column for each number of a move.

        `docs/simulating.md` lists what the numbers mean. A game whose hand has ended has no
        legal move.
        """
        octets = self.legal.astype("<u8", copy=False).reshape(-1).view(np.uint8)
        return np.unpackbits(octets, bitorder="little").view(np.bool_).reshape(-1, MOVES)

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Whether the hand of each game has ended."""
        return np.asarray(self.games["awaiting"] >= AWAIT_DEAL)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether the match of each game has ended."""
        return np.asarray(self.games["awaiting"] == AWAIT_OVER)

    def step(self, moves: Sequence[int] | NDArray[np.integer]) -> None:
        """Make one decision in every game; if its hand has ended, deal the next one instead.

        If any of the moves is illegal, no game changes.
        """
        numbers = np.asarray(moves)
        if numbers.shape != self.games.shape or numbers.dtype.kind not in "iu":
            raise ValueError(f"moves must be {self.games.size} whole numbers, one for each game")
        words = numbers.astype(np.uint64, copy=False)
        rules = self.engine.rules
        made = kernel.step(self.games, rules, words, self._seed, self._stride, self.legal)
        if made < numbers.size:
            allowed = ", ".join(map(str, self.moves(made)))
            raise ValueError(
                f"{numbers[made]} is not a legal move of game {made}: must be one of {allowed}"
            )

    def deal(self) -> None:
        """Deal the next hand at random in every game whose hand has ended."""
        self._deal(np.flatnonzero(self.ended))

    def deal_cards(self, cards: Sequence[Card], at: int = 0) -> None:
        """Deal the next hand of one game from a given deck, as `rules.deal_cards` does."""
        engine = self.engine
        if Counter(cards) != Counter(engine.edition.deck(engine.players)):
            raise ValueError(
                f"these are not the {engine.deck_size} cards of {engine.edition.id} "
                f"with {engine.players} players"
            )
        if not self.ended[at]:
            raise ValueError("a hand can be dealt only when the previous one has ended")
        self.games[at]["deck"][: engine.deck_size] = [KIND[card] for card in reversed(cards)]
        self._deal(np.array([at]), lazy=False)

    def _deal(self, places: NDArray[np.intp], *, lazy: bool = True) -> None:
        if places.size:
            self.games["lazy"][places] = lazy
            rules = self.engine.rules
            kernel.deal(self.games, places, rules, self._seed, self._stride, self.legal)

    def moves(self, at: int = 0) -> list[int]:
        """The legal moves of one game, as numbers."""
        words = int(self.legal[at, 0]) | int(self.legal[at, 1]) << 64
        return [number for number in range(MOVES) if words >> number & 1]

    def readable(self, number: int, at: int = 0) -> Move:
        """The move with this number, made by the seat that is to decide in one game."""
        game = self.games[at]
        is_window = game["awaiting"] == AWAIT_WINDOW
        hazard = ALL_CARDS[int(game["hazard"])] if is_window else None
        return from_number(number, int(game["seat"]) % self.engine.sides, self.engine.sides, hazard)

    def number(self, move: Move, at: int = 0) -> int:
        """The number of a move of the seat that is to decide in one game."""
        return to_number(move, int(self.games[at]["seat"]) % self.engine.sides, self.engine.sides)

    def state(self, at: int = 0) -> Match:
        """One game as a readable match, in canonical order."""
        engine = self.engine
        return convert.to_state(
            self.games[at], engine.edition, engine.players, short_trip=engine.short_trip
        )

    def deck(self, at: int = 0) -> tuple[Card, ...]:
        """The deck of one game's hand, in the order in which it was dealt and drawn.

        In a randomly dealt hand the cards not drawn yet come last, in arbitrary order. With
        `rules.deal_cards` the readable engine plays the same hand. The first hand of a batch
        that was made from a match or a view has no known deck: that is a ValueError.
        """
        kinds = self.games[at]["deck"][: self.engine.deck_size][::-1].tolist()
        if NO_CARD in kinds:
            raise ValueError("the deck is known only for a hand that this batch has dealt")
        return tuple(ALL_CARDS[kind] for kind in kinds)


def _number_in(view: View, move: Move | None) -> int:
    """The number of a viewer's move; `_NO_MOVE` if there is none to make."""
    if move is None:
        return _NO_MOVE
    if move not in view.legal_moves:
        raise ValueError(f"{move} is not a legal move of this view")
    # A forced `Decline` is not a decision: the game waits for others, or continues.
    if move == Decline() and len(view.legal_moves) == 1:
        return _NO_MOVE
    return to_number(move, view.side or 0, view.sides)


def check_jobs(jobs: int) -> int:
    """The number of threads or processes, if it is a valid one."""
    if not 1 <= jobs <= MOST_JOBS:
        raise ValueError(f"jobs = {jobs}: must be a whole number from 1 to {MOST_JOBS}")
    return jobs


def _numbered(
    first: int, parts: Iterable[NDArray[np.void]]
) -> Iterator[tuple[int, NDArray[np.void]]]:
    """Parts of an array, each with the number of its first row."""
    for part in parts:
        yield first, part
        first += part.size


def _chunk(count: int, jobs: int) -> int:
    """The size of a chunk, such that all threads finish at about the same time."""
    even = _check_number("count", count, 0) // (8 * check_jobs(jobs))
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


def _check_number(name: str, value: int, least: int) -> int:
    if value < least:
        raise ValueError(f"{name} = {value}: must be a whole number, {least} or more")
    return value


def _seed_word(seed: int) -> np.uint64:
    return np.uint64(seed & 0xFFFF_FFFF_FFFF_FFFF)

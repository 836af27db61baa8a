"""A batch of games that are stepped together."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import Card, Match, Move
from millebornes.rules.cards import ALL_CARDS

from . import convert, kernel
from .arguments import seed_word
from .moves import from_number, to_number
from .packing import AWAIT_DEAL, AWAIT_OVER, AWAIT_WINDOW, KIND, MOVES, NO_CARD

if TYPE_CHECKING:
    from .engine import Engine

__all__ = ["Batch"]


class Batch:
    """Games that are stepped together: all arrays have one row per game.

    Every game plays match after match: if its hand has ended, the next `step` deals the next
    hand, or the first of a new match, and ignores the move given for that game.
    """

    games: NDArray[np.void]
    """The packed games (see `packing.GAME`): `seat` is to decide, `total` holds the points."""
    legal: NDArray[np.uint64]
    """Two words per game, one bit per legal move: see `packing`."""

    def __init__(self, engine: "Engine", games: NDArray[np.void], seed: int) -> None:
        self.engine = engine
        self.games = games
        self.legal = np.zeros((games.size, 2), np.uint64)
        self._seed = seed_word(seed)
        self._stride = np.uint64(games.size)

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Whether each move is legal: a row for each game, a column for each number of a move.

        `docs/simulating.md` lists what the numbers mean. A game whose hand has ended has no
        legal move until the next hand is dealt. The array is new each time, and yours.
        """
        octets = self.legal.astype("<u8", copy=False).reshape(-1).view(np.uint8)
        return np.unpackbits(octets, bitorder="little").view(np.bool_).reshape(-1, MOVES)

    def random_moves(self, rng: np.random.Generator) -> NDArray[np.intp]:
        """A legal move of each game, all equally likely; 0 where the hand has ended."""
        mask = self.mask
        counts = np.count_nonzero(mask, axis=1)
        chosen = np.cumsum(counts) - counts + (rng.random(len(mask)) * counts).astype(np.intp)
        numbers = np.append(np.flatnonzero(mask) % MOVES, 0)[chosen]
        return np.where(self.ended, 0, numbers)

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

    def copy(self) -> "Batch":
        """The same games once more, to be played on by themselves."""
        batch = Batch(self.engine, self.games.copy(), int(self._seed))
        batch.legal = self.legal.copy()
        return batch

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

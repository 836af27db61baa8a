"""Why a move is refused: a stable code with parameters. `words` makes it a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from .moves import Move

__all__ = ["Code", "IllegalMove", "Reason"]

Code = Literal[
    # whose move it is
    "no_such_seat",
    "no_hand_dealt",
    "match_over",
    "not_your_turn",
    "window_open",
    "answer_first",
    "already_answered",
    "extension_awaited",
    "no_window",
    "no_extension",
    # the card and its target
    "not_in_hand",
    "not_named",
    "unknown_card",
    "no_unknown_card",
    "needs_target",
    "no_target",
    "no_such_side",
    "own_side",
    "not_a_safety",
    "wrong_safety",
    # distance
    "stopped",
    "needs_roll",
    "speed_limit",
    "too_far",
    "no_more_200s",
    # your own battle and speed piles
    "already_rolling",
    "right_of_way_rolls",
    "cure_first",
    "no_hazard",
    "other_hazard",
    "safety_cured_it",
    "not_limited",
    "right_of_way_lifts",
    # attacks
    "safety_protects",
    "autoroute_protects",
    "not_started",
    "not_rolling",
    "already_stopped",
    "already_limited",
    # the end of the pile
    "must_play_out",
]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is refused: a stable `code`, and `params` that fill in its sentence.

    Parameters named `card`, `hazard`, `remedy`, `safety`, `top` and `shows` are card codes;
    `side` and `seat` are numbers from 0. `top`, `shows`, `open_to`, `possible` and `most` also
    choose between sentences: the same refusal has different causes under different rules.
    """

    section: ClassVar = "reasons"
    code: Code
    params: tuple[tuple[str, str | int], ...] = ()

    @staticmethod
    @lru_cache(maxsize=4096)  # legal_moves asks for the same few reasons all the time
    def of(code: Code, **params: str | int) -> "Reason":
        """A reason from keyword parameters."""
        return Reason(code, tuple(params.items()))

    def __getitem__(self, name: str) -> str | int:
        return self.mapping[name]

    @property
    def mapping(self) -> Mapping[str, str | int]:
        """The parameters by name."""
        return dict(self.params)


class IllegalMove(ValueError):  # noqa: N818 (the game's own word)
    """A move that the rules refuse. The state is unchanged."""

    def __init__(self, seat: int, move: Move, reason: Reason) -> None:
        self.seat = seat
        self.move = move
        self.reason = reason
        details = ", ".join(f"{key}={value}" for key, value in reason.params)
        super().__init__(f"seat {seat}: {move} is refused: {reason.code}({details})")

"""Twelve arguments that people have over the box, each as a text for the judge.

The last move of each text is the one in question. Every move names its seat, so that clients
without rules can show whose it is. The words have a title and an explanation for each. The number
of players is one at which the editions differ only about the question: four people drive 1000
miles in each of them, and six play in teams wherever six can play.
"""

from typing import NamedTuple

__all__ = ["ARGUMENTS", "Argument"]


class Argument(NamedTuple):
    """A question that comes up at many tables."""

    id: str
    """Its key in the words."""
    text: str
    """A position and moves; the last move is the one in question."""


ARGUMENTS = (
    Argument(
        "already_stopped",
        "battle 1: ROLL ACC\nhand 0: FLAT\nmoves: 0:FLAT>1\n",
    ),
    Argument(
        "roll_after_remedy",
        "battle 0: ROLL ACC REP\nhand 0: 100\nmoves: 0:100\n",
    ),
    Argument(
        "roll_after_safety",
        "battle 0: ROLL OUT\nhand 0: TANK 100\nmoves: 0:TANK 0:100\n",
    ),
    Argument(
        "limit_on_limit",
        "battle 1: ROLL\nspeed 1: LIM\nhand 0: LIM\nmoves: 0:LIM>1\n",
    ),
    Argument(
        "limit_before_start",
        "hand 0: LIM\nmoves: 0:LIM>1\n",
    ),
    Argument(
        "limit_and_right_of_way",
        "battle 0: ROLL\nspeed 0: LIM\nhand 0: ROW 200\nmoves: 0:ROW 0:200\n",
    ),
    Argument(
        "hit_without_roll",
        "safeties 1: ROW\nhand 0: FLAT\nmoves: 0:FLAT>1\n",
    ),
    Argument(
        "third_200",
        "battle 0: ROLL\ndistance 0: 200 200\nhand 0: 200\nmoves: 0:200\n",
    ),
    Argument(
        "past_the_trip",
        "players: 4\nbattle 0: ROLL\nmiles 0: 975\nhand 0: 50\nmoves: 0:50\n",
    ),
    Argument(
        "coup_fourre_after_drawing",
        "battle 1: ROLL\nhand 0: OUT\nhand 1: TANK\nmoves: 0:OUT>1 1:- 1:TANK!\n",
    ),
    Argument(
        "coup_fourre_by_partner",
        "players: 6\nbattle 1: ROLL\nhand 0: OUT\nhand 4: TANK\nmoves: 0:OUT>1 4:TANK!\n",
    ),
    Argument(
        "discard_playable",
        "battle 0: ROLL\nhand 0: 25\nmoves: 0:x25\n",
    ),
)

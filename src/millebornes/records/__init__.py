"""Positions and games as short texts, like FEN and PGN; replay; the judge."""

from . import game, position
from .error import RecordError
from .game import DealRecord, Game, Step, cut_game, replay
from .judge import Judgement, Verdict, judge, judge_all, legal_tokens
from .tokens import Token, parse_move

__all__ = [
    "DealRecord",
    "Game",
    "Judgement",
    "RecordError",
    "Step",
    "Token",
    "Verdict",
    "cut_game",
    "game",
    "judge",
    "judge_all",
    "legal_tokens",
    "parse_move",
    "position",
    "replay",
]

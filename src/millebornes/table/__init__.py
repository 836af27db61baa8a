"""A table from its opening to its end: seats, windows, clocks, chat, rematches. No I/O."""

from . import inputs, messages_in, messages_out, rest
from .frames import Frames, first_frame, frame, past_events, picture
from .inputs import Driver
from .messages_in import In
from .messages_out import Out
from .receive import hint_for, open_table, receive, resume_table
from .settings import EMOTES, Settings, with_teams
from .table import NeedSeed, Outcome, Refused, Table, Think
from .validation import admitted

__all__ = [
    "EMOTES",
    "Driver",
    "Frames",
    "In",
    "NeedSeed",
    "Out",
    "Outcome",
    "Refused",
    "Settings",
    "Table",
    "Think",
    "admitted",
    "first_frame",
    "frame",
    "hint_for",
    "inputs",
    "messages_in",
    "messages_out",
    "open_table",
    "past_events",
    "picture",
    "receive",
    "rest",
    "resume_table",
    "with_teams",
]

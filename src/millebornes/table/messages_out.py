"""What a table says to one viewer: one tagged union, `Out`.

A viewer gets one `Frame` for every accepted input (its `seq`), whatever it may see of it, so
gaps tell nothing. A refused message is answered by `Rejected`, to its sender alone.
"""

from typing import Any, ClassVar, Literal

from msgspec import Struct

__all__ = [
    "Asked",
    "Autoroute",
    "ChatSaid",
    "Countered",
    "Dealt",
    "Discarded",
    "Drawn",
    "Emoted",
    "Event",
    "Expired",
    "Extended",
    "Fair",
    "FairRevealed",
    "Frame",
    "HandEnded",
    "HandView",
    "Hinted",
    "MatchEnded",
    "Out",
    "Passed",
    "Played",
    "Refusal",
    "Rejected",
    "ReplayStep",
    "SeatView",
    "Sheet",
    "SideView",
    "Stake",
    "Stall",
    "Stopping",
    "Superseded",
    "TableView",
    "Told",
]


class _Value(Struct, frozen=True):
    pass


class _Event(Struct, frozen=True, tag_field="type", tag=str.lower):
    pass


class Sheet(_Value, frozen=True):
    """The score sheet of one side for one hand."""

    miles: int
    safeties: int
    all_four: int
    coups_fourres: int
    trip: int
    delayed_action: int
    safe_trip: int
    shut_out: int
    extension: int
    total: int


# Events: the rules' own, cut for the viewer (`?` is a face the viewer may not see) …


class Dealt(_Event, frozen=True):
    """A new hand."""

    number: int
    dealer: int
    hands: tuple[tuple[str, ...], ...]
    pile: int


class Drawn(_Event, frozen=True):
    """A seat drew a card."""

    seat: int
    card: str


class Played(_Event, frozen=True):
    """A seat laid a card on a side; `cleared` went to the discard pile."""

    seat: int
    card: str
    side: int
    cleared: tuple[str, ...]


class Discarded(_Event, frozen=True):
    """A seat discarded a card."""

    seat: int
    card: str


class Passed(_Event, frozen=True):
    """Nobody called a coup fourré."""

    side: int
    hazard: str


class Countered(_Event, frozen=True):
    """A coup fourré."""

    seat: int
    card: str
    hazard: str
    side: int
    cleared: tuple[str, ...]


class Expired(_Event, frozen=True):
    """An Autoroute has ended."""

    side: int


class Extended(_Event, frozen=True):
    """A seat called the extension."""

    seat: int


class HandEnded(_Event, frozen=True, tag="hand_ended"):
    """The hand is over."""

    completed_by: int | None
    sheets: tuple[Sheet, ...]
    totals: tuple[int, ...]


class MatchEnded(_Event, frozen=True, tag="match_ended"):
    """The match is over; no winner means a draw."""

    totals: tuple[int, ...]
    winner: int | None


# … and what happens around the game.


class ChatSaid(_Event, frozen=True, tag="chat"):
    """A member said something."""

    member: int
    name: str
    text: str


class Emoted(_Event, frozen=True, tag="emote"):
    """A member showed an emote."""

    member: int
    name: str
    emote: str


class Told(_Event, frozen=True):
    """Something at the table changed: a code and who it is about."""

    code: Literal[
        "joined",
        "watching",
        "sat",
        "stood",
        "bot_added",
        "seat_freed",
        "sent_away",
        "left",
        "connected",
        "disconnected",
        "bot_wanted",
        "bot_plays_on",
        "returned",
        "started",
        "rematch_wanted",
        "rematch",
        "went_back",
        "fair_commit",
        "fair_ready",
    ]
    name: str = ""
    seat: int | None = None


class FairRevealed(_Event, frozen=True, tag="fair_revealed"):
    """The shuffle of the hand that has ended, for everybody to check (MB-FAIR-1)."""

    hand: int
    transcript: dict[str, Any]


Event = (
    Dealt
    | Drawn
    | Played
    | Discarded
    | Passed
    | Countered
    | Expired
    | Extended
    | HandEnded
    | MatchEnded
    | ChatSaid
    | Emoted
    | Told
    | FairRevealed
)


class SeatView(_Value, frozen=True):
    """Who sits where."""

    kind: Literal["empty", "person", "bot"]
    name: str
    member: int | None
    level: str | None
    """A bot's level."""
    connected: bool
    away: bool
    """A bot plays on for this person."""
    cards: int
    """How many cards it holds."""


class Autoroute(_Value, frozen=True):
    """An Autoroute on the table, and how long it still protects."""

    seat: int
    """Who laid it: the turns counted are those of this seat."""
    turns: int
    """Turns that it still protects."""


class SideView(_Value, frozen=True):
    """The cards in front of one side, and what they mean for its car."""

    battle: tuple[str, ...]
    speed: tuple[str, ...]
    distance: tuple[str, ...]
    safeties: tuple[str, ...]
    crosswise: tuple[str, ...]
    autoroute: Autoroute | None
    miles: int
    rolling: bool
    limited: bool
    hazard: str | None
    """The hazard that stops the car."""
    points: int
    """In the match so far."""


class Refusal(_Value, frozen=True):
    """A card that cannot be played, and why: the words turn it into a sentence."""

    move: str
    code: str
    params: dict[str, str | int]


class Stake(_Value, frozen=True):
    """Something that hangs on the viewer's answer: the words turn it into a sentence."""

    section: ClassVar = "stakes"
    code: str
    params: dict[str, str | int]


class Stall(_Value, frozen=True):
    """Without a clock: the others need not wait for a person for ever."""

    at: int
    """From when on they may let a bot play on, in server time."""
    votes: tuple[int, ...]
    """The seats that would."""
    needed: int
    """How many must, of those who play and are here now."""


class Asked(_Value, frozen=True):
    """What the table waits for."""

    what: Literal["turn", "window", "extension", "deal", "next", "over"]
    seats: tuple[int, ...]
    """Whose answer; in a window every seat asked, answered or not."""
    decision: int
    deadline: int | None
    """Server time in milliseconds; None: no hurry."""
    attacker: int | None = None
    side: int | None = None
    hazard: str | None = None
    winner: int | None = None
    stall: Stall | None = None
    """None: there is a clock, a bot is asked, nobody else could be held up, or it is neither a
    turn nor an extension."""


class HandView(_Value, frozen=True):
    """The hand as the viewer may know it."""

    number: int
    dealer: int
    trip: int
    caller: int | None
    """The side that called the extension."""
    completed_by: int | None
    """The side that completed the trip."""
    began_empty: bool
    """Was the pile empty before the first draw of the turn in progress?"""
    pile: int
    discard: tuple[str, ...]
    sides: tuple[SideView, ...]
    cards: tuple[str, ...]
    """The viewer's own hand."""
    legal_moves: tuple[str, ...]
    """The viewer's legal moves now."""
    refused: tuple[Refusal, ...]
    """On the viewer's turn: why each other way to lay a card of the hand is refused."""
    stakes: tuple[Stake, ...]
    """What hangs on the viewer's answer, when asked in a window or about the extension."""
    doubts: dict[str, Literal["safety", "winning"]]
    """Legal moves that are hardly meant, so ask first: a safety discarded, the card that
    completes the trip passed by."""
    sheets: tuple[Sheet, ...] | None


class Fair(_Value, frozen=True):
    """Where the next shuffle stands (MB-FAIR-1)."""

    hand: int
    ctx: str
    commit: str
    stage: Literal["commit", "reveal", "ready"]
    commits: dict[str, str]
    deadline: int | None


class TableView(_Value, frozen=True):
    """The whole table as one viewer may know it."""

    phase: Literal["lobby", "playing", "over", "closed"]
    edition: str
    players: int
    teams: bool
    practice: bool
    is_open: bool
    clock: int | None
    host: int
    """The member who may start, add bots and send others away."""
    you: int | None
    """The viewer's seat; None: watching."""
    member: int | None
    seats: tuple[SeatView, ...]
    watching: tuple[str, ...]
    levels: tuple[str, ...]
    """The bots that can be seated."""
    asked: Asked | None
    hand: HandView | None
    fair: Fair | None
    continued: tuple[int, ...]
    """Seats that are ready for the next hand, or want a rematch; in a window only the viewer's
    own, once it has declined."""
    muted: tuple[int, ...]
    """The members that the viewer hears nothing of."""
    back: tuple[int, ...]
    """At a practice table: the decisions that the viewer may go back to."""
    watchers: tuple[int, ...] = ()
    """The members who watch, in the order of `watching`."""
    sent_away: bool = False
    """The host has sent the viewer away: they cannot come back to this table."""


class ReplayStep(_Value, frozen=True):
    """One step of a record played again: a deal or a move, and the table after it."""

    move: str | None
    """As the record writes it; None: a deal."""
    seat: int | None
    """Who moved; None for a deal, and for an attack that was let stand."""
    events: tuple[Event, ...]
    table: TableView
    """As a spectator saw it, but without any deadline. Records do not tell who was a bot: every
    seat is a person's."""
    hands: tuple[tuple[str, ...], ...]
    """The cards of every seat; `?` is a face that the record does not tell."""


class _Out(Struct, frozen=True, tag_field="type", tag=str.lower):
    pass


class Frame(_Out, frozen=True):
    """One accepted input: what happened, and the table afterwards. `now` is server time."""

    seq: int
    now: int
    events: tuple[Event, ...]
    table: TableView


class Rejected(_Out, frozen=True):
    """A message that changed nothing: why, and the table as it is."""

    code: str
    sentence: str
    params: dict[str, str | int]
    id: str | None
    table: TableView | None


class Hinted(_Out, frozen=True):
    """A hint: a move and its reason."""

    decision: int
    move: str
    code: str
    params: dict[str, str | int]


class Superseded(_Out, frozen=True):
    """A newer connection of the same guest is the active one now."""


class Stopping(_Out, frozen=True):
    """The server stops for a while; come back and resume."""


Out = Frame | Rejected | Hinted | Superseded | Stopping

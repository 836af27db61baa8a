"""The messages that the server sends to one viewer: one tagged union, `Out`.

A viewer gets one `Frame` for every accepted input (its `seq`), even if it may see nothing of it,
so the numbering reveals nothing. A refused message is answered with `Rejected`, to its sender
alone.
"""

from typing import Any, ClassVar, Literal

from msgspec import Struct

__all__ = [
    "Asked",
    "Autoroute",
    "BotEmoted",
    "ChatSaid",
    "Countered",
    "Dealt",
    "Discarded",
    "Drawn",
    "Earned",
    "Emoted",
    "Event",
    "Expired",
    "Extended",
    "Fact",
    "Fair",
    "FairRevealed",
    "Frame",
    "HandEnded",
    "HandView",
    "Hinted",
    "MatchEnded",
    "Out",
    "Passed",
    "Past",
    "PastInput",
    "PastMatch",
    "Played",
    "Pong",
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


# Events of the rules, with `?` for each face that the viewer may not see.


class Dealt(_Event, frozen=True):
    """A new hand was dealt."""

    number: int
    dealer: int
    hands: tuple[tuple[str, ...], ...]
    pile: int


class Drawn(_Event, frozen=True):
    """A seat drew a card."""

    seat: int
    card: str


class Played(_Event, frozen=True):
    """A seat played a card on a side; the cards in `cleared` went to the discard pile."""

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
    """A seat called a coup fourré; the cards in `cleared` went to the discard pile."""

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
    """The match is over; it is a draw if `winner` is null."""

    totals: tuple[int, ...]
    winner: int | None


# Events around the game.


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


class BotEmoted(_Event, frozen=True, tag="bot_emote"):
    """A bot showed an emote: its reaction to something that everybody saw."""

    seat: int
    name: str
    emote: str


class Told(_Event, frozen=True):
    """Something at the table changed: a code, and whom it concerns."""

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
        "bot_replaced",
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
    """The shuffle transcript of the hand that has ended, for everyone to check (MB-FAIR-1)."""

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
    | BotEmoted
    | Told
    | FairRevealed
)


class SeatView(_Value, frozen=True):
    """One seat and who sits there."""

    kind: Literal["empty", "person", "bot"]
    name: str
    member: int | None
    level: str | None
    """A bot's level."""
    connected: bool
    away: bool
    """A bot plays for this person."""
    cards: int
    """Number of cards in hand."""
    replaced_by: str | None = None
    """The level that plays until the end of the hand for a bot that has failed."""


class Autoroute(_Value, frozen=True):
    """An Autoroute on the table."""

    seat: int
    """The seat that played it, whose turns are counted."""
    turns: int
    """Number of turns for which it still protects."""


class Earned(_Value, frozen=True, omit_defaults=True):
    """Points that nobody can take from a side any more, whatever becomes of the hand."""

    safeties: int = 0
    all_four: int = 0
    coups_fourres: int = 0


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
    """Points in the match so far."""
    earned: Earned
    """Points that lie on the table in this hand, besides those for `miles`."""


class Refusal(_Value, frozen=True):
    """A card that cannot be played, and why. `millebornes.words` turns the code into a sentence."""

    move: str
    code: str
    params: dict[str, str | int]


class Stake(_Value, frozen=True):
    """A consequence of the viewer's answer. `millebornes.words` turns the code into a sentence."""

    section: ClassVar = "stakes"
    code: str
    params: dict[str, str | int]


class Fact(_Value, frozen=True):
    """Something true of the hand or the match that has ended.

    `millebornes.words` turns the code into a sentence.
    """

    section: ClassVar = "facts"
    code: str
    params: dict[str, str | int]


class Stall(_Value, frozen=True):
    """When the others may let a bot play for a slow person, at a table without a clock."""

    at: int
    """Server time from which they may vote for it."""
    votes: tuple[int, ...]
    """The seats that have voted for it."""
    needed: int
    """Number of votes needed, given the players who are connected now."""


class Asked(_Value, frozen=True):
    """The decision that the table waits for."""

    what: Literal["turn", "window", "extension", "deal", "next", "over"]
    seats: tuple[int, ...]
    """The seats asked; in a window also those that have already answered."""
    decision: int
    deadline: int | None
    """Server time in milliseconds; None: no time limit."""
    attacker: int | None = None
    side: int | None = None
    hazard: str | None = None
    winner: int | None = None
    stall: Stall | None = None
    """None: there is a clock, a bot is asked, nobody else is waiting, or the decision is neither
    a turn nor an extension."""


class HandView(_Value, frozen=True, omit_defaults=True):
    """The current hand as the viewer may see it."""

    number: int
    dealer: int
    trip: int
    caller: int | None
    """The side that called the extension."""
    completed_by: int | None
    """The side that completed the trip."""
    began_empty: bool
    """Whether the draw pile was empty before the first draw of the current turn."""
    pile: int
    discard: tuple[str, ...]
    sides: tuple[SideView, ...]
    cards: tuple[str, ...]
    """The viewer's own hand."""
    legal_moves: tuple[str, ...]
    """The moves that the viewer may make now."""
    refused: tuple[Refusal, ...]
    """On the viewer's turn: every other way to play a card from the hand, and why it is refused."""
    stakes: tuple[Stake, ...]
    """Consequences of the viewer's answer in a window or about the extension."""
    doubts: dict[str, Literal["safety", "winning"]]
    """Legal moves that are probably mistakes, so ask the player to confirm them: `safety`
    discards a safety, `winning` does not play the card that completes the trip."""
    sheets: tuple[Sheet, ...] | None
    recap: tuple[Fact, ...] = ()
    """Once the hand has ended: why the viewer's side has won or lost it."""


class Fair(_Value, frozen=True):
    """Progress of the shuffle for the next hand (MB-FAIR-1)."""

    hand: int
    ctx: str
    commit: str
    stage: Literal["commit", "reveal", "ready"]
    commits: dict[str, str]
    deadline: int | None


class TableView(_Value, frozen=True):
    """The whole table as one viewer may see it."""

    phase: Literal["lobby", "playing", "over", "closed"]
    edition: str
    players: int
    teams: bool
    practice: bool
    is_open: bool
    clock: int | None
    host: int
    """The member who can start, seat bots and send others away."""
    you: int | None
    """The viewer's seat; None: no seat."""
    member: int | None
    seats: tuple[SeatView, ...]
    watching: tuple[str, ...]
    levels: tuple[str, ...]
    """The levels of bots that can be seated."""
    asked: Asked | None
    hand: HandView | None
    fair: Fair | None
    continued: tuple[int, ...]
    """Seats that are ready for the next hand or want a rematch; in a window, only the viewer's
    own seat once it has declined."""
    muted: tuple[int, ...]
    """The members that the viewer has muted."""
    back: tuple[int, ...]
    """At a practice table: the decisions that the viewer can go back to."""
    watchers: tuple[int, ...] = ()
    """The member numbers of the watchers, in the order of `watching`."""
    sent_away: bool = False
    """The host has sent the viewer away, who cannot join this table again."""
    muted_bots: tuple[int, ...] = ()
    """The seats of the bots that the viewer has muted."""
    moments: tuple[Fact, ...] = ()
    """The best moments of the match that has ended."""


class ReplayStep(_Value, frozen=True):
    """One step in the replay of a record: a deal or a move, and the table after it."""

    move: str | None
    """The move as a token of the record; None: a deal."""
    seat: int | None
    """Who moved; None: a deal, or an attack that nobody countered."""
    events: tuple[Event, ...]
    table: TableView
    """The table as a spectator saw it, without deadlines. Records do not say who was a bot, so
    every seat is a person's."""
    hands: tuple[tuple[str, ...], ...]
    """The cards of every seat; `?` is a card that the record does not show."""


class _Out(Struct, frozen=True, tag_field="type", tag=str.lower):
    pass


class Frame(_Out, frozen=True, omit_defaults=True):
    """One accepted input: its events, and the table after it. `now` is server time."""

    seq: int
    now: int
    events: tuple[Event, ...]
    table: TableView
    sheets: tuple[tuple[Sheet, ...], ...] | None = None
    """For each finished hand of this match, the score sheet of each side. Only in the first frame
    of a connection, and where a hand ends or a match begins; otherwise they are unchanged."""


class Rejected(_Out, frozen=True):
    """Your message was refused and changed nothing: why, and the current table."""

    code: str
    sentence: str
    params: dict[str, str | int]
    id: str | None
    table: TableView | None


class Hinted(_Out, frozen=True):
    """The answer to `hint`: a move and its reason."""

    decision: int
    move: str
    code: str
    params: dict[str, str | int]


class Superseded(_Out, frozen=True):
    """A newer connection of the same guest has replaced this one."""


class Stopping(_Out, frozen=True):
    """The server is restarting; reconnect and resume."""


class PastInput(_Value, frozen=True):
    """The events of one earlier input, as its viewer may know them."""

    seq: int
    hand: int
    """The number of the hand; 0: before the first deal of a match."""
    events: tuple[Event, ...]


class PastMatch(_Value, frozen=True):
    """A part of the past in which the seats did not change, and its inputs in order."""

    seats: tuple[str, ...]
    """The name at each seat."""
    sides: int
    you: int | None
    """The viewer's seat; None: no seat."""
    inputs: tuple[PastInput, ...]


class Past(_Out, frozen=True):
    """What the viewer may know of the time before this connection, if it was asked for.

    From the moment they came to the table, except for what they have muted. Draws of other seats
    and shuffle transcripts are left out. It comes once, after the frames that the connection
    begins with.
    """

    until: int
    """Number of the last input that this is about. Frames tell of all later ones."""
    matches: tuple[PastMatch, ...]


class Pong(_Out, frozen=True):
    """The answer to `ping`: the connection is alive."""


Out = Frame | Rejected | Hinted | Superseded | Stopping | Past | Pong

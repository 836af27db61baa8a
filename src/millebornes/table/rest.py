"""Request and response types of the REST interface.

The docstring of each field appears in the OpenAPI document and on the protocol page.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from millebornes.rules.edition import Kind
from millebornes.rules.editions import DEFAULT_EDITION, TOML_LENGTH

from .messages_out import Sheet
from .settings import (
    BOT_WINDOW,
    CLOCK,
    PACE,
    SEED_LENGTH,
    USUAL_BOT_WINDOW,
    USUAL_PACE,
    USUAL_WINDOW,
    WINDOW,
)

__all__ = [
    "ArgumentInfo",
    "ArgumentVerdict",
    "BotInfo",
    "Created",
    "DeviceInfo",
    "EditionInfo",
    "EditionVerdict",
    "ErrorBody",
    "FieldInfo",
    "GameInfo",
    "GuestInfo",
    "Health",
    "HouseRules",
    "JoinTable",
    "Judge",
    "JudgeAnswer",
    "JudgedMove",
    "JudgedPosition",
    "LinkCode",
    "MyGames",
    "NewGuest",
    "NewTable",
    "OpenTable",
    "PadFault",
    "PadHand",
    "PadSafety",
    "PadScore",
    "PadScores",
    "PresetInfo",
    "RuleChoice",
    "RuleGroup",
    "RuleInfo",
    "ScorePad",
    "Status",
    "TableInfo",
    "TextError",
]

Name = Annotated[str, Meta(min_length=1, max_length=64)]
_Side = Annotated[int, Meta(ge=0, le=7)]
_Seat = Annotated[int, Meta(ge=0, le=7)]


class ErrorBody(Struct, frozen=True, omit_defaults=True):
    """An error: what was wrong, and what is allowed."""

    code: str
    """A stable code for programs."""
    sentence: str
    """A sentence for people, in the language of the request."""
    rule: str | None = None
    """The key of the house rules that the sentence is about; not there if it is about no key."""


class Status(Struct, frozen=True):
    """Readiness of the server."""

    status: str
    """`ready`, `starting`, `cannot_write`, or `warming_up`: some bots cannot play yet."""


class Health(Struct, frozen=True):
    """Proof that the process is running, and which program it is."""

    status: str = "ok"
    """Always `ok`."""
    program: str = "millebornes"
    """Always `millebornes`, which distinguishes it from other programs."""


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to become a guest; it has no fields yet."""


class GuestInfo(Struct, frozen=True):
    """A guest's token, which a program keeps and sends as a bearer token."""

    token: str | None
    """None: you are a browser and get a cookie that scripts cannot read, or the token or cookie
    that you sent is already that guest's."""


class LinkCode(Struct, frozen=True, forbid_unknown_fields=True):
    """A one-time code that signs a guest in on another device, valid for ten minutes."""

    code: Annotated[str, Meta(min_length=1, max_length=64)]
    """The code that the other device sends to become the same guest."""


class DeviceInfo(Struct, frozen=True):
    """A device where a guest is signed in, with a token of its own."""

    device: str
    """The id of the device, for signing it out."""
    label: str | None
    """A readable label such as `Firefox, Linux`; None: a program, or unknown."""
    created: int
    """When it signed in, in milliseconds since 1970."""
    seen: int
    """When it was last used, in milliseconds since 1970, to within a day."""
    is_this: bool
    """Whether it is the device that sent this request."""


class FieldInfo(Struct, frozen=True):
    """One rule of an edition."""

    name: str
    """Its key in house rules."""
    value: Any
    """Its value as in house rules: a number, a text, a list, true or false, or a table."""
    means: str
    """The meaning of the rule, in English."""
    source: str
    """Where the printed rules state it."""


class RuleChoice(Struct, frozen=True):
    """One of the values of a choice."""

    value: str
    """The value in house rules."""
    label: str
    """What it means, in the language of the request."""


class RuleInfo(Struct, frozen=True):
    """What a form needs to ask for one rule."""

    name: str
    """Its key in house rules."""
    kind: Kind
    """The type of its values: true or false, one of `choices`, a number, a number of points, a
    list of player counts, or a table from player counts to miles."""
    label: str
    """Its name, in the language of the request."""
    means: str
    """Its meaning in one line, in the language of the request."""
    choices: tuple[RuleChoice, ...] = ()
    """The values of a choice."""
    least: int = 0
    """The least number, points or miles."""
    most: int = 0
    """The greatest number, points or miles."""
    step: int = 1
    """Numbers, points and miles are multiples of this."""


class RuleGroup(Struct, frozen=True):
    """Rules that belong together in a form, in the order of the form."""

    group: str
    """`length` of the match, `common` rules that people often change, and the others."""
    title: str
    """The heading of the group, in the language of the request."""
    rules: tuple[RuleInfo, ...]
    """The rules."""


class EditionInfo(Struct, frozen=True):
    """An edition with all its rules."""

    id: str
    """The id of a printed edition, or `house-` followed by a hash of all rules."""
    name: str | None
    """The name that people use; None: house rules without a name."""
    character: str
    """Its character in one line; for house rules other than a preset, that of their parent."""
    parent: str | None
    """The printed edition that house rules are based on; None: a printed edition."""
    player_counts: tuple[int, ...]
    """The possible numbers of players."""
    teams_at: tuple[int, ...]
    """Numbers of players that play in teams of two."""
    short_trip_at: tuple[int, ...]
    """Numbers of players that may choose a trip of 700."""
    rules: tuple[FieldInfo, ...]
    """All rules, in the order of the house-rules page."""


class PresetInfo(Struct, frozen=True):
    """House rules that come with the program, for everyone who wants no rules of their own."""

    preset: str
    """The name to give as `edition` of a new table."""
    edition: EditionInfo
    """The rules; their `parent` is the printed edition that they are based on."""


class BotInfo(Struct, frozen=True):
    """A bot that can be seated."""

    level: str
    """The level to use in `add_bot`."""
    ready: bool = True
    """False while it is warming up after the server has started: it cannot be seated yet."""
    against: str | None = None
    """The level that it was measured against."""
    wins: int | None = None
    """How many of 100 matches it wins against that level, with two players."""
    outside: bool = False
    """Whether the operator of this server has added it."""


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules as TOML text."""

    toml: Annotated[str, Meta(max_length=TOML_LENGTH)]
    """The text of a house-rules file: its `parent`, and the rules that differ."""


class Judge(Struct, frozen=True, forbid_unknown_fields=True):
    """A position and moves to judge; nothing of it is stored or logged."""

    text: str
    """One position and up to 16 moves, as in a judge's file."""
    edition: Annotated[str, Meta(max_length=40)] | None = None
    """The id of a printed edition, or the name of a preset; null: the edition of the text."""
    toml: Annotated[str, Meta(max_length=TOML_LENGTH)] | None = None
    """House rules as TOML text; they replace `edition`."""


class TextError(Struct, frozen=True):
    """Why a text cannot be judged: where, and what was expected there."""

    line: int
    """The line of the text, from 1."""
    column: int
    """The column in that line, from 1."""
    sentence: str
    """The place, what was found there and what was expected, in the language of the request."""
    problem: str
    """The same without the place, for those who have not seen the text."""
    code: str | None
    """A stable code of what the rules or the cards contradict; null: it was not understood."""


class JudgedMove(Struct, frozen=True):
    """The verdict on one move."""

    token: str
    """The move as it was read."""
    seat: int | None
    """Who moved; null: several seats declined together."""
    legal: bool
    """Whether the rules allow it."""
    code: str | None
    """A stable code of the reason; null: the move is legal."""
    sentence: str
    """Why the move is refused, or what it did, in the language of the request."""
    rule: str | None
    """The place in the text of the edition that decides; null: no rule is in question."""


class JudgedPosition(Struct, frozen=True):
    """A position with a verdict on each of its moves."""

    title: str
    """Its title; empty if it has none."""
    moves: tuple[JudgedMove, ...]
    """The verdicts, in the order of the moves."""
    sheets: tuple[Sheet, ...] | None
    """The score sheet of each side; null: the hand is not over."""


class EditionVerdict(Struct, frozen=True):
    """The verdicts by the rules of one edition."""

    edition: str
    """The id of the edition."""
    name: str | None
    """The name that people use; null: house rules without a name."""
    error: TextError | None
    """Why this edition cannot judge the text; null: it can."""
    positions: tuple[JudgedPosition, ...]
    """The position with its moves; empty if there is an error."""


class JudgeAnswer(Struct, frozen=True):
    """The verdicts by your edition, and by every printed edition."""

    own: EditionVerdict
    """By the edition or house rules of the request, or else of the text."""
    editions: dict[str, EditionVerdict]
    """By each printed edition, with its id as the key."""
    text: str | None
    """The text as your edition reads it, with codes and numbers in place of names; null: it cannot
    be read."""


class ArgumentVerdict(Struct, frozen=True):
    """How one edition settles an argument."""

    legal: bool | None
    """Whether the move in question is allowed; null: it cannot come up in this edition."""
    sentence: str
    """Why it is refused or cannot come up, or what it does, in the language of the request."""
    rule: str | None
    """The place in the text of the edition that decides; null: no rule is in question."""


class ArgumentInfo(Struct, frozen=True):
    """One of the arguments that people have most often."""

    id: str
    """Its id, the same for ever."""
    text: str
    """The position and its moves as a judge's file; the last move is the one in question."""
    editions: dict[str, ArgumentVerdict]
    """The verdict of each printed edition, with its id as the key."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings for a new table. Times are in milliseconds."""

    name: Name
    """Your name at the table."""
    edition: Annotated[str, Meta(max_length=40)] | None = None
    """The id of a printed edition, or the name of a preset; None: `winning-moves`."""
    house_rules: Annotated[str, Meta(max_length=TOML_LENGTH)] | None = None
    """House rules as TOML text; they replace `edition`."""
    players: Annotated[int, Meta(ge=2, le=8)] = 2
    """Number of seats; the edition limits the choice."""
    teams: bool | None = None
    """Whether to play in teams of two; None: the edition decides."""
    short_trip: bool = False
    """Whether to play a trip of 700, if the edition offers the choice."""
    is_open: bool = False
    """Whether to list the table in the lobby; otherwise people need its link."""
    clock: Annotated[int, Meta(ge=CLOCK.least, le=CLOCK.most)] | None = None
    """Time for a turn, after which a bot takes over; None: no time limit."""
    window: Annotated[int, Meta(ge=WINDOW.least, le=WINDOW.most)] = USUAL_WINDOW
    """Time for a side with a person to answer an attack."""
    bot_window: Annotated[int, Meta(ge=BOT_WINDOW.least, le=BOT_WINDOW.most)] = USUAL_BOT_WINDOW
    """Time for a side of bots only to answer an attack."""
    pace: Annotated[int, Meta(ge=PACE.least, le=PACE.most)] = USUAL_PACE
    """Time that a bot pretends to think."""
    practice: bool = False
    """Whether this is a practice table for one person and bots, with hints and undo; the
    record says so."""
    seed: Annotated[str, Meta(min_length=1, max_length=SEED_LENGTH)] | None = None
    """The seed for the decks of a practice table; None: a random one."""


class Created(Struct, frozen=True):
    """The id of the new table."""

    table: str
    """The secret id: anyone who knows it can join. The link to share is `/t/` followed by it."""


class JoinTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to join a table: at any free seat, at this seat, or only to watch."""

    name: Name
    """Your name at the table. If it is taken, a number is added. An invisible name, or one that
    merely looks like a taken name, is refused."""
    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    """The seat you want, from 0; None: any free one."""
    watch: bool = False
    """Whether to watch without a seat."""


class TableInfo(Struct, frozen=True):
    """Summary of a running table."""

    table: str
    """The id of the table."""
    phase: str
    """`lobby`, `playing` or `over`."""
    edition: str
    """The id of its edition."""
    players: int
    """Number of seats."""
    names: tuple[str, ...]
    """Names by seat; empty for a free seat."""
    created: int
    """When it was opened, in milliseconds since 1970."""
    edition_name: str | None = None
    """The name of its edition; None: house rules without a name."""


class OpenTable(Struct, frozen=True):
    """A table listed in the lobby."""

    table: str
    """The id of the table."""
    edition: str
    """The id of its edition."""
    edition_name: str | None
    """The name of its edition; None: house rules without a name."""
    players: int
    """Number of seats."""
    names: tuple[str, ...]
    """Names of those already seated."""
    free: int
    """Number of free seats."""
    clock: int | None
    """Time for a turn in milliseconds; None: no time limit."""


class GameInfo(Struct, frozen=True):
    """A finished game."""

    game: str
    """The id of its record."""
    ended: int
    """When it ended, in milliseconds since 1970."""
    edition: str
    """The id of its edition."""
    names: tuple[str, ...]
    """Names by seat."""
    totals: tuple[int, ...]
    """Final points of each side; empty if the match was not finished."""
    edition_name: str | None = None
    """The name of its edition; None: house rules without a name."""


class MyGames(Struct, frozen=True):
    """A guest's running and recent games."""

    running: tuple[TableInfo, ...]
    """Tables that are not closed, the newest first."""
    recent: tuple[GameInfo, ...]
    """Games that have ended, the newest first."""


class PadSafety(Struct, frozen=True, forbid_unknown_fields=True):
    """A safety that was played in a hand with the box."""

    card: Literal["ACE", "TANK", "PROOF", "ROW"]
    """The safety."""
    side: _Side
    """The side that played it."""
    crosswise: bool = False
    """Whether it was a coup fourré."""


class PadHand(Struct, frozen=True, forbid_unknown_fields=True):
    """What people say of a hand that they played with the box. Bonuses follow from it."""

    miles: Annotated[tuple[Annotated[int, Meta(ge=0, le=10_000)], ...], Meta(max_length=8)]
    """The miles of each side."""
    completed_by: _Side | None = None
    """The side that completed the trip; None: the cards ran out."""
    with_200s: Annotated[tuple[_Side, ...], Meta(max_length=8)] = ()
    """The sides that played a 200. Of the side that wins the hand, it must be known; of the
    others, it may be left out."""
    pile_empty: bool = False
    """Whether the pile was empty when the trip was completed; if the rules say so, before the
    first draw of that turn."""
    caller: _Side | None = None
    """The side that called the extension; None: nobody did."""
    safeties: Annotated[tuple[PadSafety, ...], Meta(max_length=8)] = ()
    """The safeties that were played."""


class ScorePad(Struct, frozen=True, forbid_unknown_fields=True):
    """A match played with the box: its rules, and what people say of each hand."""

    edition: Annotated[str, Meta(max_length=40)] = DEFAULT_EDITION.id
    """The id of a printed edition."""
    toml: Annotated[str, Meta(max_length=TOML_LENGTH)] | None = None
    """House rules as TOML text; they replace `edition`."""
    players: Annotated[int, Meta(ge=2, le=8)] = 2
    """Number of players; the edition limits the choice."""
    teams: bool | None = None
    """Whether to play in teams of two; None: the edition decides."""
    short_trip: bool = False
    """Whether to play a trip of 700, if the edition offers the choice."""
    dealer: _Seat = 0
    """The seat that deals the first hand."""
    names: Annotated[tuple[Name, ...], Meta(max_length=8)] = ()
    """Names by seat, for the sentences of the answer; empty: seats and sides are numbered."""
    hands: Annotated[tuple[PadHand, ...], Meta(max_length=60)] = ()
    """The hands, in order."""


class PadScore(Struct, frozen=True):
    """The score of one hand."""

    sheets: tuple[Sheet, ...]
    """The score sheet of each side."""
    totals: tuple[int, ...]
    """Points of each side after this hand."""


class PadFault(Struct, frozen=True):
    """The first hand that cannot have been played like this, and why."""

    hand: int
    """Its index in `hands`, from 0."""
    code: str
    """A stable code for programs."""
    sentence: str
    """A sentence for people, in the language of the request."""
    rule: str | None
    """The place in the printed rules that it rests on; None: it follows from the cards, or the
    house decided."""


class PadScores(Struct, frozen=True):
    """The scores of a match played with the box."""

    sides: int
    """Number of sides; seat *s* plays for side *s* modulo this number."""
    trip: int
    """Miles of a trip."""
    extended_trip: int | None
    """Miles of a trip after the extension is called; None: there is no extension."""
    asks: tuple[Literal["called", "pile", "two_hundreds"], ...]
    """What must be known of a hand besides the miles and safeties: who called the extension,
    whether the pile was empty when the trip was completed, whether the winner played a 200."""
    leader_wins: bool
    """Whether the side with the most miles wins the hand when the cards run out, so that it is
    asked about its 200s."""
    hands: tuple[PadScore, ...]
    """The score of each hand, up to the first fault."""
    dealer: int | None
    """The seat that deals the next hand; None: the match is over."""
    over: bool
    """Whether the match is over."""
    winner: int | None
    """The side that won; None: the match is not over, or it is a draw."""
    tied: bool
    """Whether the match goes on only because its leaders are tied."""
    fault: PadFault | None
    """The first hand that is impossible. It and the hands after it have no score."""

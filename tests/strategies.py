"""Every Hypothesis generator of the tests: tables, house rules, decks, whole games, texts.

A game is played by a `Driver`: from a seed and a style, both drawn by Hypothesis, it chooses
random legal moves with a bias, so that rare things happen often.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from millebornes.records import Game, game, position
from millebornes.rules import (
    EDITIONS,
    CoupFourre,
    Discard,
    Edition,
    Event,
    Extend,
    Match,
    Move,
    Play,
    apply,
    awaited_seats,
    deal_cards,
    legal_moves,
    new_match,
)
from millebornes.rules.cards import (
    ALL_CARDS,
    BATTLE_HAZARDS,
    COPIES,
    DISTANCES,
    HAZARDS,
    MILES,
    REMEDIES,
    SAFETIES,
    Card,
)
from millebornes.rules.edition import PLAYER_COUNTS
from millebornes.rules.events import Countered, Dealt, Discarded, Drawn, Played
from millebornes.rules.score_sheet import POINTS_RULES
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn

# Tables: an edition and a number of players

Table = tuple[Edition, int]

TABLES: tuple[Table, ...] = tuple(
    (edition, players) for edition in EDITIONS.values() for players in edition.player_counts
)


def table_id(table: Table) -> str:
    return f"{table[0].id}-{table[1]}"


_CHOICES: dict[str, st.SearchStrategy[object]] = {
    "hazards_removed_at": st.sets(st.sampled_from(PLAYER_COUNTS)).map(sorted),
    "autoroute_cards": st.integers(0, 4),
    "extension_if_caller_completes": st.sampled_from(["caller", "nobody"]),
    "extension_if_other_completes": st.sampled_from(["each_opponent", "completer", "nobody"]),
    "extension_if_nobody_completes": st.sampled_from(["each_opponent", "nobody"]),
    "battle_hazard_on": st.sampled_from(["rolling", "started"]),
    "limit_on_limit": st.booleans(),
    "right_of_way_discards": st.booleans(),
    "max_200s": st.integers(0, 4),
    "exhaustion_winner": st.sampled_from(["nobody", "most_miles"]),
    "shut_out": st.sampled_from(["all", "each", "any"]),
    "tie": st.sampled_from(["another_hand", "drawn"]),
    "target": st.integers(1, 4000).map(lambda n: 25 * n),
    "hands": st.integers(0, 100),
    "dealer": st.sampled_from(["rotates", "fixed"]),
    "row_replaces_roll": st.booleans(),
    "replay_on_empty_pile": st.booleans(),
    "row_empty_attackable": st.booleans(),
    "safety_restores_roll": st.booleans(),
    "must_play_out": st.booleans(),
    "delayed_action_needs_empty_start": st.booleans(),
    "autoroute_is_safety": st.booleans(),
    "coup_fourre_for_third_party": st.booleans(),
    "start_rolling": st.booleans(),
    "remedy_restores_roll": st.booleans(),
    **{rule: st.integers(0, 200).map(lambda n: 25 * n) for rule in POINTS_RULES.values()},
}
TOGETHER = ("player_counts", "teams_at", "trip", "short_trip_at", "extension_at")
"""Rules that hang together; `house_overrides` draws them."""


@st.composite
def house_overrides(draw: st.DrawFn) -> dict[str, object]:
    """Valid values for some of the rules, those that hang together included."""
    chosen = draw(st.sets(st.sampled_from(sorted(_CHOICES)), max_size=12))
    overrides = {key: draw(_CHOICES[key]) for key in sorted(chosen)}
    if draw(st.booleans()):
        counts = draw(st.sets(st.sampled_from(PLAYER_COUNTS), min_size=1).map(sorted))
        trips = {n: draw(st.integers(4, 40)) * 25 for n in PLAYER_COUNTS}
        overrides["player_counts"] = counts
        overrides["teams_at"] = draw(st.sets(st.sampled_from([4, 6, 8])).map(sorted))
        overrides["trip"] = {str(n): miles for n, miles in trips.items()}
        overrides["short_trip_at"] = [n for n in counts if draw(st.booleans())]
        overrides["extension_at"] = [n for n in counts if trips[n] < 1000 and draw(st.booleans())]
    return overrides


@st.composite
def house_editions(draw: st.DrawFn) -> Edition:
    parent = EDITIONS[draw(st.sampled_from(sorted(EDITIONS)))]
    return parent.house(draw(house_overrides()))


@st.composite
def house_tables(draw: st.DrawFn) -> Table:
    edition = draw(house_editions())
    return edition, draw(st.sampled_from(edition.player_counts))


def tables() -> st.SearchStrategy[Table]:
    """A printed edition or house rules, and a number of players."""
    return st.sampled_from(TABLES) | house_tables()


every_table = pytest.mark.parametrize(
    "table",
    [pytest.param(st.just(table), id=table_id(table)) for table in TABLES]
    + [pytest.param(house_tables(), id="house-rules")],
)
"""Run a property for every printed edition and player count, and for house rules."""

# Games


class Style(NamedTuple):
    """How likely each kind of move is, in proportion."""

    distance: int = 10
    attack: int = 10
    safety: int = 10
    other: int = 10
    discard: int = 10
    counter: float = 0.5
    extend: float = 0.5
    early: frozenset[Card] = frozenset()
    """Cards that come to the front of the deck, so that they are dealt."""


STYLES = {
    "even": Style(),
    "race": Style(distance=60, other=60, attack=5, discard=1),
    "fight": Style(attack=80, other=30, discard=2, early=HAZARDS),
    "ambush": Style(attack=80, other=40, safety=0, discard=1, counter=0.9, early=SAFETIES),
    "asleep": Style(attack=60, other=40, safety=0, discard=2, counter=0.0, early=SAFETIES),
    "toll": Style(other=60, distance=5, attack=30, discard=3, early=frozenset({Card.AUTO})),
    "scrap": Style(distance=1, attack=20, discard=60),
    "safe": Style(safety=60, distance=30, other=40, discard=1, early=SAFETIES),
}


class Driver:
    """Chooses decks, seats and moves; the same seed and style give the same game."""

    def __init__(self, seed: int, style: Style) -> None:
        self.rng = random.Random(seed)
        self.style = style

    def deck(self, match: Match) -> tuple[Card, ...]:
        """A shuffled deck, its early cards among those dealt."""
        cards = list(match.edition.deck(match.players))
        self.rng.shuffle(cards)
        early = [i for i, card in enumerate(cards) if card in self.style.early]
        fronts = self.rng.sample(range(6 * match.players), min(len(early), 6 * match.players))
        for i, front in zip(early, fronts, strict=False):
            cards[i], cards[front] = cards[front], cards[i]
        return tuple(cards)

    def choose(self, match: Match) -> tuple[int, Move]:
        seat = self.rng.choice(awaited_seats(match))
        moves = legal_moves(match, seat)
        weights = [self.weight(move) for move in moves]
        if not any(weights):
            return seat, self.rng.choice(moves)
        return seat, self.rng.choices(moves, weights)[0]

    def weight(self, move: Move) -> float:
        style = self.style
        match move:
            case Play(card, None):
                if card in DISTANCES:
                    return style.distance
                return style.safety if card in SAFETIES else style.other
            case Play():
                return style.attack
            case Discard():
                return style.discard
            case CoupFourre():
                return style.counter
            case Extend():
                return style.extend
            case _:
                return 1 - (style.counter + style.extend) / 2

    def __repr__(self) -> str:
        return f"Driver({self.style})"


def drivers() -> st.SearchStrategy[Driver]:
    return st.builds(
        Driver, st.integers(0, 2**32 - 1), st.sampled_from(sorted(STYLES)).map(STYLES.__getitem__)
    )


class Step(NamedTuple):
    """One move of a game, with the table before and after it."""

    before: Match
    seat: int
    move: Move
    after: Match
    events: tuple[Event, ...]


class HandPlayed(NamedTuple):
    """One hand as it was played."""

    start: Match
    """Before the deal."""
    deck: tuple[Card, ...]
    dealt: Match
    events: tuple[Event, ...]
    """Those of the deal."""
    steps: tuple[Step, ...]

    @property
    def states(self) -> tuple[Match, ...]:
        """The table after the deal and after each move."""
        return (self.dealt, *(step.after for step in self.steps))

    @property
    def final(self) -> Match:
        return self.states[-1]


def play_hand(match: Match, driver: Driver) -> HandPlayed:
    """Play one hand to its end."""
    start, deck = match, driver.deck(match)
    dealt, events = deal_cards(match, deck)
    match, steps = dealt, []
    while not isinstance(match.awaiting, Deal | Over):
        seat, move = driver.choose(match)
        after, told = apply(match, seat, move)
        steps.append(Step(match, seat, move, after, told))
        match = after
    return HandPlayed(start, deck, dealt, events, tuple(steps))


def play_match(match: Match, driver: Driver, hands: int) -> Iterator[HandPlayed]:
    """Play hands until the match is over, up to this number."""
    for _ in range(hands):
        if isinstance(match.awaiting, Over):
            return
        played = play_hand(match, driver)
        yield played
        match = played.final


@st.composite
def starts(draw: st.DrawFn, table: st.SearchStrategy[Table]) -> Match:
    """A match before its first deal."""
    edition, players = draw(table)
    short = players in edition.short_trip_at and draw(st.booleans())
    return new_match(edition, players, dealer=draw(st.integers(0, players - 1)), short_trip=short)


@st.composite
def hands(draw: st.DrawFn, table: st.SearchStrategy[Table]) -> HandPlayed:
    """One hand, played to its end."""
    return play_hand(draw(starts(table)), draw(drivers()))


@st.composite
def matches(
    draw: st.DrawFn, table: st.SearchStrategy[Table], hands: int = 2
) -> tuple[HandPlayed, ...]:
    """The first hands of a match."""
    return tuple(play_match(draw(starts(table)), draw(drivers()), hands))


def recorded(played: tuple[HandPlayed, ...], moves_of_last: int | None = None, **tags: str) -> Game:
    """The record of these hands; the last one may be cut off after some moves."""
    start = played[0].start
    assert isinstance(start.awaiting, Deal)
    record = Game(
        edition=start.edition,
        players=start.players,
        short_trip=start.trip != start.edition.trip_at(start.players),
        dealer=start.awaiting.dealer,
        seed=tags.get("seed"),
        date=tags.get("date"),
    )
    for hand in played:
        record = record.with_deal(hand.deck)
        last = moves_of_last is not None and hand is played[-1]
        for before, seat, move, after, events in hand.steps[: moves_of_last if last else None]:
            record = record.with_move(before, seat, move, after, events)
    return record


class Places(NamedTuple):
    """Which card of the deck order lies where: hands by seat, then the draw pile."""

    hands: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]


def places(match: Match) -> Places:
    """Where the cards of the deck are, according to the uncut history of the hand."""
    hand = match.hand
    assert hand is not None
    size = len(match.edition.deck(match.players))
    held: list[list[tuple[int, Card]]] = []
    next_card = 0
    for event in hand.history:
        match event:
            case Dealt(_, dealer, cards):
                held = [[] for _ in cards]
                for seat, faces in enumerate(cards):
                    place = (seat - dealer - 1) % len(cards)
                    for turn, face in enumerate(faces):
                        held[seat].append((place + turn * len(cards), face))
                next_card = sum(map(len, cards))
            case Drawn(seat, card):
                held[seat].append((next_card, card))
                next_card += 1
            case Played(seat, card) | Discarded(seat, card) | Countered(seat, card):
                held[seat].remove(next(pair for pair in held[seat] if pair[1] is card))
            case _:
                pass
    return Places(
        tuple(tuple(index for index, _ in cards) for cards in held),
        tuple(range(next_card, size)),
    )


# Positions


@st.composite
def reached_states(draw: st.DrawFn, table: st.SearchStrategy[Table]) -> Match:
    """A table as it may stand at any moment of a match."""
    played = draw(matches(table))
    states = [state for hand in played for state in hand.states]
    return states[draw(st.integers(0, len(states) - 1))]


@st.composite
def extension_choices(draw: st.DrawFn, table: st.SearchStrategy[Table]) -> Match:
    """A table at which somebody has just completed the trip and may extend it."""
    edition, players = draw(table)
    if players not in edition.extension_at:
        trip = min(edition.trip_at(players), 700)
        changes = {"extension_at": [players], "trip": {str(players): trip}}
        edition = edition.house(changes)
    played = draw(hands(st.just((edition, players))))
    turns = [state for state in played.states if isinstance(state.awaiting, Turn)]
    match = turns[draw(st.integers(0, len(turns) - 1))]
    hand, awaiting = match.hand, match.awaiting
    assert hand is not None
    assert isinstance(awaiting, Turn)
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    distance: list[Card] = []
    kinds = sorted(DISTANCES - ({Card.D200} if draw(st.booleans()) else set()))
    while left := match.trip - 25 - sum(MILES[card] for card in distance):
        distance.append(rng.choice([card for card in kinds if MILES[card] <= left]))
    tableaux = [
        tableau._replace(distance=()) if rng.random() < 0.3 else tableau
        for tableau in hand.tableaux
    ]
    side = match.side_of(awaiting.seat)
    tableaux[side] = tableaux[side]._replace(
        battle=(Card.ROLL,), speed=(), distance=tuple(distance)
    )
    held = [*hand.hands]
    held[awaiting.seat] += (Card.D25,)
    hand = hand._replace(hands=tuple(held), tableaux=tuple(tableaux), trip=match.trip, caller=None)
    if draw(st.booleans()):
        hand = hand._replace(pile=(), began_empty=draw(st.booleans()))
    choice, _ = apply(match._replace(hand=hand), awaiting.seat, Play(Card.D25))
    assert isinstance(choice.awaiting, ExtensionChoice)
    return choice


_BATTLE = sorted(BATTLE_HAZARDS | REMEDIES | {Card.ROLL})
_ANY = [card.value for card in Card]


@st.composite
def partial_positions(draw: st.DrawFn) -> str:
    """Some lines of a position, in any order. It may ask for what cannot be."""
    edition, players = draw(tables())
    sides = edition.sides_at(players)

    def some(codes: list[str], most: int) -> str:
        return " ".join(draw(st.lists(st.sampled_from(codes), max_size=most)))

    seat, side = st.integers(0, players - 1), st.integers(0, sides - 1)
    text = position.to_text(deal_cards(new_match(edition, players), edition.deck(players))[0])
    lines = [line for line in text.split("\n") if line.startswith(("edition", "rule", "players"))]
    options = {
        "deal": lambda: str(draw(st.integers(1, 30))),
        "dealer": lambda: str(draw(seat)),
        "scores": lambda: " ".join(str(25 * draw(st.integers(0, 300))) for _ in range(sides)),
        "pile": lambda: str(draw(st.integers(0, 40))),
        "began": lambda: draw(st.sampled_from(["cards", "empty"])),
        "discard": lambda: some(_ANY, 8),
        "next": lambda: some(_ANY, 5),
        f"hand {draw(seat)}": lambda: some(_ANY, 6),
        f"hand {draw(seat)} ": lambda: "only " + some(_ANY, 4),
        f"battle {draw(side)}": lambda: some([c.value for c in _BATTLE], 4),
        f"speed {draw(side)}": lambda: some(["LIM", "EOL"], 3),
        f"distance {draw(side)}": lambda: some(sorted(DISTANCES), 5),
        f"miles {draw(side)}": lambda: str(25 * draw(st.integers(0, 40))),
        f"safeties {draw(side)}": lambda: some([*sorted(SAFETIES), "ACE!", "ROW!"], 2),
        f"autoroute {draw(side)}": lambda: str(draw(st.integers(1, 3))),
        draw(st.sampled_from(["turn", "extension"])): lambda: str(draw(seat)),
        "window": lambda: (
            f"{draw(st.sampled_from(sorted(HAZARDS)))} {draw(seat)}>{draw(side)}"
            + draw(st.sampled_from(["", "", " declined 0", " declined 1"]))
        ),
        "ended": lambda: draw(st.sampled_from(["exhausted", "completed 0"])),
        "called": lambda: str(draw(side)),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(options)), max_size=7, unique=True))
    lines += [f"{key}: {options[key]()}" for key in chosen]
    return "".join(line + "\n" for line in draw(st.permutations(lines)))


def position_texts() -> st.SearchStrategy[str]:
    """Whole positions and partial ones."""
    return reached_states(tables()).map(position.to_text) | partial_positions()


@st.composite
def game_texts(draw: st.DrawFn) -> str:
    """Records of games, cut off anywhere."""
    played = draw(matches(tables()))
    cut_off = draw(st.integers(0, len(played[-1].steps)))
    return game.to_text(recorded(played, cut_off, seed=draw(st.text(max_size=8))))


_TOKENS = st.sampled_from(
    [card.value for card in Card]
    + [f"x{card.value}" for card in Card]
    + [f"{card.value}>{side}" for card in sorted(HAZARDS) for side in range(3)]
    + [f"{card.value}!" for card in sorted(SAFETIES)]
    + ["-", "1:-", "0:-", "ext", "end", "0: 100", "1: ROLL", "2:x?", "1:ACE!"]
)


@st.composite
def judge_texts(draw: st.DrawFn) -> str:
    """Positions with moves to judge."""
    parts = []
    for _ in range(draw(st.integers(1, 2))):
        moves = " ".join(draw(st.lists(_TOKENS, max_size=8)))
        parts.append(draw(partial_positions()) + f"title: a case\nmoves: {moves}\n")
    return "---\n".join(parts)


# Texts that are wrong

_ODDITIES = (
    "\0",
    "\ud800",
    "\udfff\ud83d",
    "\u2028",
    "\x85",
    "\r",
    "\t",
    "\ufeff",
    "é",
    "١",
    "²",
    '"',
    '\\"',
    "'''",
    '"""',
    "[" * 3000,
    "a." * 3000 + "a",
    "9" * 5000,
    "0x" + "f" * 5000,
    "-1",
    "1e999",
    "nan",
    "#",
    ":",
    "---",
    "\n---\n",
    "?",
    "x",
    ">",
    "!",
    "rule: ",
    "rule: max_200s = ",
    "rule: trip = ",
    " = 1",
    "hand 99: ",
    "deal: 2\n",
    "window: ",
    "seed: ",
    "seat 0: ",
)


@st.composite
def mutated(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text of these with some damage done to it."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        match draw(st.sampled_from(["cut", "replace", "insert", "repeat", "swap lines"])):
            case "cut":
                text = text[:start] + text[end:]
            case "replace":
                text = text[:start] + draw(st.text(max_size=6)) + text[end:]
            case "insert":
                text = text[:start] + draw(st.sampled_from(_ODDITIES)) + text[start:]
            case "repeat":
                text = text[:end] + text[start:]
            case _:
                lines = text.split("\n")
                i = draw(st.integers(0, len(lines) - 1))
                lines[i], lines[-1 - i] = lines[-1 - i], lines[i]
                text = "\n".join(lines)
    return text


def nonsense() -> st.SearchStrategy[str]:
    """Text out of nowhere: any characters, lone surrogates too, and words of the notation."""
    characters = st.characters(codec=None, categories=None)
    words = st.sampled_from(
        [*_ODDITIES, *_ANY, "game: 1", "edition: ", "players: ", "moves: ", "deck: ", "\n", " "]
    )
    return (
        st.text(characters, max_size=80)
        | st.lists(words, max_size=12).map("".join)
        | st.tuples(words, words, words).map("".join)
        | st.binary(max_size=80).map(lambda data: data.decode("utf-8", "surrogateescape"))
    )


def bad_texts(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return mutated(texts) | nonsense()


def copies_of(edition: Edition, players: int) -> dict[Card, int]:
    """How many cards of each kind the rules table gives this table."""
    removed = {Card.STOP, Card.ACC, Card.OUT, Card.FLAT, Card.LIM}
    fewer = players in edition.hazards_removed_at
    return {
        card: COPIES.get(card, edition.autoroute_cards) - (fewer and card in removed)
        for card in ALL_CARDS
    }

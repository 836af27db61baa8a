"""Two tables that some viewers cannot tell apart: the same inputs, hidden cards exchanged.

The decks are put there by hand, so that two of them differ in two cards only; everything
else about the tables is as it would be.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec
from msgspec import structs

from millebornes.records import cut_game, game
from millebornes.records.tokens import to_text
from millebornes.rules import Card, Decline, deal_cards, events, legal_moves, new_match
from millebornes.rules.cards import SAFETY_OF
from millebornes.rules.state import Deal, Window
from millebornes.table import Driver, In, Outcome, frame, inputs
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from tests import strategies

from .driven_table import LEVEL, DrivenTable, entropy_of, server_seed, table_settings

PEOPLE = ("id-7a31", "id-9c02", "id-41fe", "id-e5d8")
NAMES = ("Ann", "Bob", "Cem", "Dee")
WATCHER = "id-3b6d"
STRANGER = "id-0099"
_json = msgspec.json.Encoder()


class Stacked(DrivenTable):
    """A driven whose decks are brought along."""

    decks: tuple[tuple[Card, ...], ...] = ()

    def put(self, guest: str | None, message: In | Driver) -> Outcome:
        before = self.table
        outcome = super().put(guest, message)
        if outcome.refused is None and self.table.hands_dealt > before.hands_dealt:
            outcome = self.stack(outcome)
        return outcome

    def stack(self, outcome: Outcome) -> Outcome:
        """Deal from our own deck instead."""
        table = outcome.table
        assert table.match is not None
        assert table.game is not None
        assert table.match.hand is not None
        hand = table.match.hand
        deck = self.decks[len(table.game.deals) - 1]
        start = table.match._replace(awaiting=Deal(hand.dealer))
        match, happened = deal_cards(start._replace(hand=None), deck)
        assert match.hand is not None
        match = match._replace(hand=match.hand._replace(number=hand.number))
        others = [e for e in outcome.happened if not isinstance(e, events.Dealt | events.Drawn)]
        deals = (*table.game.deals[:-1], replace(table.game.deals[-1], deck=deck))
        self.table = structs.replace(
            table,
            match=match,
            game=replace(table.game, deals=deals),
            # Its transcript would tell of the deck that was really shuffled.
            dealt_fair=None,
        )
        self.outcomes[-1] = Outcome(self.table, (*others, *happened))
        return self.outcomes[-1]


class Pair(NamedTuple):
    """Two worlds, and who cannot tell them apart."""

    one: Stacked
    other: Stacked
    viewers: tuple[str | None, ...]
    is_pile_touched: bool


def seated(rng: random.Random, clock: int | None) -> Stacked:
    """A table of people, bots and a watcher, about to start."""
    edition, players = rng.choice(strategies.TABLES)
    driven = Stacked(table_settings(edition, players, clock=clock))
    people = rng.sample(range(players), rng.randint(1, min(players, len(PEOPLE))))
    for guest, name, seat in zip(PEOPLE, NAMES, people, strict=False):
        driven.say(guest, says.Join(name, seat=seat))
    for seat in range(players):
        if seat not in people:
            driven.say(PEOPLE[0], says.AddBot(seat, LEVEL))
    driven.say(WATCHER, says.Join("Zoe", watch=True))
    return driven


def act(driven: Stacked, chooser: strategies.Driver) -> None:
    """One more input of a game that is played at random."""
    rng, table = chooser.rng, driven.table
    match = table.match
    assert match is not None
    if rng.random() < 0.05:
        driven.put(rng.choice((*PEOPLE, WATCHER)), says.Chat("hm"))
    driven.now += rng.choice((10, 100, 500))
    if isinstance(match.awaiting, Window):
        answer(driven, chooser, match.awaiting)
        return
    if isinstance(match.awaiting, Deal):
        driven.play_on()
        return
    seat, move = chooser.choose(match)
    guest = driven.guest_at(seat)
    if guest is None:
        driven.drive(inputs.Thought(seat, table.decision, to_text(move)))
    else:
        driven.move(guest, to_text(move))


def answer(driven: Stacked, chooser: strategies.Driver, window: Window) -> None:
    table = driven.table
    assert table.match is not None
    people = [
        seat
        for seat in window.asked
        if table.is_played_by_person(seat) and seat not in table.declined
    ]
    if people and chooser.rng.random() < 0.6:
        seat = chooser.rng.choice(people)
        moves = legal_moves(table.match, seat)
        move = max(moves, key=lambda m: chooser.weight(m) * chooser.rng.random())
        guest = driven.guest_at(seat)
        assert guest is not None
        driven.move(guest, to_text(move))
        return
    answers = {}
    for seat in window.asked:
        if not table.is_played_by_person(seat):
            best = legal_moves(table.match, seat)[0]
            calls = chooser.rng.random() < chooser.style.counter
            answers[str(seat)] = to_text(best if calls else Decline())
    assert table.deadline is not None
    driven.now = max(driven.now, table.deadline)
    driven.drive(inputs.Tick(answers))


def play(seed: int) -> Stacked:
    """A game up to some moment, more often than not a window."""
    rng = random.Random(seed)
    style = rng.choice(("ambush", "asleep", "fight", "even"))
    chooser = strategies.Driver(seed, strategies.STYLES[style])
    driven = seated(rng, rng.choice((None, 30_000)))
    start = new_match(driven.table.settings.edition, driven.table.settings.players)
    driven.decks = tuple(chooser.deck(start) for _ in range(3))
    driven.start()
    driven.shuffle()
    wanted, in_window = rng.randint(1, 60), rng.random() < 0.7
    for number in range(160):
        match = driven.table.match
        assert match is not None
        is_window = isinstance(match.awaiting, Window)
        if number >= wanted and (is_window or not in_window):
            break
        if driven.table.phase != "playing":
            break
        act(driven, chooser)
    return driven


def exchange(driven: Stacked, rng: random.Random) -> Pair | None:
    """The same table with two hidden cards exchanged, if there are two."""
    match, record = driven.table.match, driven.table.game
    assert match is not None
    assert record is not None
    if isinstance(match.awaiting, Deal) or driven.table.phase != "playing":
        return None
    where = strategies.places(match)
    deck = record.deals[-1].deck
    groups = [held for held in (*where.hands, where.pile) if held]
    first, second = (rng.choice(rng.choice(groups)) for _ in range(2))
    window = match.awaiting
    if isinstance(window, Window) and rng.random() < 0.8:
        # The safety that would answer: into, or out of, a hand that is asked.
        first = deck.index(SAFETY_OF[window.hazard])
        attacked = [i for seat in window.asked for i in where.hands[seat]]
        own = next((held for held in where.hands if first in held), ())
        others = [i for held in groups for i in held if i not in own]
        pool = others if first in attacked else [i for i in attacked if i not in own]
        second = rng.choice(pool) if pool else second
    if deck[first] is deck[second]:
        return None
    other = world_with(driven, exchanged(deck, first, second))
    if other is None:
        return None
    blind: list[str | None] = [None, STRANGER, WATCHER]
    for guest in PEOPLE:
        member = driven.table.member_of(guest)
        seat = None if member is None else driven.table.seat_of(member.number)
        if seat is not None and not {first, second} & set(where.hands[seat]):
            blind.append(guest)
    touched = bool({first, second} & set(where.pile))
    return Pair(driven, other, tuple(blind), touched)


def exchanged(deck: Sequence[Card], first: int, second: int) -> tuple[Card, ...]:
    cards = list(deck)
    cards[first], cards[second] = cards[second], cards[first]
    return tuple(cards)


def world_with(driven: Stacked, deck: tuple[Card, ...]) -> Stacked | None:
    """The same inputs with another deck for the last hand; None if one of them is refused."""
    assert driven.table.game is not None
    last = len(driven.table.game.deals) - 1
    other = Stacked(driven.table.settings)
    other.decks = (*driven.decks[:last], deck, *driven.decks[last + 1 :])
    for guest, message, now in driven.log:
        other.now = now
        if other.put(guest, message).refused is not None:
            return None
    other.now = driven.now
    return other


# Checks: each raises AssertionError at a leak


def check_same(pair: Pair) -> None:
    """Nobody who may not know can tell the two worlds apart."""
    one, other = pair.one, pair.other
    assert one.table.deadline == other.table.deadline, "the time tells"
    for viewer in pair.viewers:
        assert one.frames(viewer) == other.frames(viewer), f"the frames of {viewer} tell"
        for message in probes(one):
            check_refusals(pair, viewer, message)
        records = [
            game.to_text(cut_game(world.table.game, seat_of(world, viewer)))
            for world in (one, other)
            if world.table.game is not None
        ]
        assert records[0] == records[1], f"the record for {viewer} tells"


def seat_of(world: DrivenTable, viewer: str | None) -> int | None:
    member = None if viewer is None else world.table.member_of(viewer)
    return None if member is None else world.table.seat_of(member.number)


def probes(world: DrivenTable) -> list[In]:
    decision = world.table.decision
    tokens = ("ROW!", "TANK!", "25", "x25", "STOP>0", "-", "ext", "nonsense")
    moves: list[In] = [says.Move(decision, f"probe-{token}", token) for token in tokens]
    votes = [says.LetBotPlay(seat, decision) for seat in range(world.table.settings.players)]
    others = (says.Next(decision), says.Hint(decision), says.Back(1), says.Rematch())
    return [*moves, *votes, *others]


def check_refusals(pair: Pair, viewer: str | None, message: In) -> None:
    """What a viewer is refused, and why, is the same."""
    if viewer is None:
        return
    answers = []
    for world in (pair.one, pair.other):
        probe = DrivenTable(world.table.settings)
        probe.table, probe.now = world.table, world.now
        answers.append(probe.put(viewer, message).refused)
    assert answers[0] == answers[1], f"a refusal of {viewer} tells"


def check_window_ends_alike(pair: Pair) -> None:
    """With the same answers, the window closes at the same time and shows the same."""
    one, other = pair.one, pair.other
    match = one.table.match
    assert match is not None
    if not isinstance(match.awaiting, Window) or pair.is_pile_touched:
        return
    while one.table.is_window_open:
        for world in (one, other):
            assert world.table.deadline is not None
            world.now = max(world.now, world.table.deadline)
            world.drive(inputs.Tick({}))
        assert one.now == other.now, "the length of the window tells"
    for viewer in pair.viewers:
        assert one.frames(viewer)[-1] == other.frames(viewer)[-1], f"its end tells {viewer}"


def check_nothing_hidden_is_shown(driven: DrivenTable) -> None:
    """No frame holds a face, a seed, an answer or an identity that its viewer may not know."""
    guests = [member.guest for member in driven.table.members]
    for outcome in driven.outcomes:
        for viewer in (*guests, STRANGER, None):
            shown = frame(outcome.table, outcome.happened, viewer)
            check_frame(outcome, shown, viewer)


def check_frame(outcome: Outcome, shown: out.Frame, viewer: str | None) -> None:
    table = outcome.table
    text = _json.encode(shown).decode()
    member = None if viewer is None else table.member_of(viewer)
    seat = None if member is None else table.seat_of(member.number)
    assert shown.table.you == seat
    for event in shown.events:
        if isinstance(event, out.Drawn) and event.seat != seat:
            assert event.card == "?", "another's draw is shown"
        if isinstance(event, out.Dealt):
            for holder, held in enumerate(event.hands):
                assert holder == seat or set(held) <= {"?"}, "another's hand is dealt openly"
    hand = shown.table.hand
    if hand is not None:
        held = () if seat is None else table.match.hand.hands[seat]  # type: ignore[union-attr]
        assert hand.cards == tuple(card.value for card in held), "another's hand is shown"
        if seat is None:
            assert not hand.legal_moves, "a watcher is shown moves"
            assert not hand.refused, "a watcher is shown what cannot be played"
    if table.is_window_open:
        assert set(shown.table.continued) <= {seat}, "another's answer is shown"
    for number in (table.hands_dealt, table.hands_dealt + 1):
        is_over = number == table.hands_dealt and table.dealt_fair is None
        if not is_over:
            assert server_seed(number) not in text, "a server's seed is shown"
    if table.fair is not None:
        for guest in PEOPLE:
            assert entropy_of(guest, table.fair.hand).hex() not in text, "entropy is shown"
    for other in table.members:
        assert other.guest not in text, "an identity is shown"

"""Setting up a match, dealing, and making a move.

`apply` checks the move first, then works on a scratch copy of the hand; the given state
never changes. Unless an answer is still awaited, it then draws for the next seat.
`apply_legal` does the same without the check.
"""

from collections.abc import Sequence
from functools import cache

from .car import active_hazard, is_limited
from .cards import DISTANCES, HAZARDS, SAFETIES, SAFETY_OF, Card
from .edition import EXTENDED_TRIP, SHORT_TRIP, Edition, EditionError
from .events import (
    Countered,
    Dealt,
    Discarded,
    Drawn,
    Event,
    Expired,
    Extended,
    HandEnded,
    MatchEnded,
    Passed,
    Played,
)
from .legality import can_extend, why_not
from .moves import CoupFourre, Decline, Discard, Extend, Move, Play
from .reason import IllegalMove
from .score_sheet import ScoreSheet
from .scoring import outcome, score
from .state import (
    AUTOROUTE_TURNS,
    HAND_SIZE,
    Autoroute,
    Awaiting,
    Deal,
    ExtensionChoice,
    Hand,
    Match,
    Tableau,
    Turn,
    Window,
)

__all__ = ["apply", "apply_legal", "deal", "deal_cards", "end_hand", "new_match", "seats_asked"]

# Few distinct events exist, so the histories of all matches share one object for each.
_drawn = cache(Drawn)
_discarded = cache(Discarded)
_played = cache(Played)


def new_match(
    edition: Edition, players: int, *, dealer: int = 0, short_trip: bool = False
) -> Match:
    """A match ready for its first deal. `short_trip` chooses 700, where the edition offers it."""
    if players not in edition.player_counts:
        counts = ", ".join(map(str, edition.player_counts))
        raise EditionError("players", players, f"one of {counts} in {edition.id}")
    if not 0 <= dealer < players:
        raise EditionError("dealer", dealer, f"a seat from 0 to {players - 1}")
    trip = edition.trip_at(players)
    if short_trip:
        if players not in edition.short_trip_at:
            counts = " or ".join(map(str, edition.short_trip_at))
            allowed = f"{counts} players" if counts else "no short trip"
            raise EditionError("short_trip", True, f"{allowed} in {edition.id}")
        trip = SHORT_TRIP
    forward = (0,) * edition.sides_at(players)
    return Match(edition, players, trip, forward, Deal(dealer))


def deal(match: Match, deck_order: Sequence[int]) -> tuple[Match, tuple[Event, ...]]:
    """Deal the next hand. `deck_order` is a permutation of the canonical deck's indices."""
    deck = match.edition.deck(match.players)
    if sorted(deck_order) != list(range(len(deck))):
        raise ValueError(f"deck_order must contain each of 0 to {len(deck) - 1} exactly once")
    return deal_cards(match, [deck[index] for index in deck_order])


def deal_cards(match: Match, cards: Sequence[Card]) -> tuple[Match, tuple[Event, ...]]:
    """Deal the next hand from these cards, in order. Some of them may be unknown (`?`)."""
    if not isinstance(match.awaiting, Deal):
        raise ValueError("cannot deal: the hand in play has not ended, or the match is over")
    fault = match.edition.deck_fault(match.players, cards)
    if fault is not None:
        raise ValueError(fault)
    dealer = match.awaiting.dealer
    players = match.players
    hands: list[tuple[Card, ...]] = [()] * players
    for place in range(players):
        hands[(dealer + 1 + place) % players] = tuple(cards[place : HAND_SIZE * players : players])
    hand = Hand(
        number=match.hand.number + 1 if match.hand else 1,
        dealer=dealer,
        hands=tuple(hands),
        pile=tuple(cards[HAND_SIZE * players :]),
        discard=(),
        tableaux=(Tableau(),) * match.sides,
        trip=match.trip,
    )
    match = match._replace(forward=match.totals, hand=hand)
    progress = _HandInProgress(match)
    progress.events.append(Dealt(hand.number, dealer, hand.hands, len(hand.pile)))
    progress.next_turn(dealer)
    return progress.result()


def apply(match: Match, seat: int, move: Move) -> tuple[Match, tuple[Event, ...]]:
    """Make a move. Raises `IllegalMove`, with the reason, if the rules do not allow it."""
    reason = why_not(match, seat, move)
    if reason is not None:
        raise IllegalMove(seat, move, reason)
    return apply_legal(match, seat, move)


def apply_legal(match: Match, seat: int, move: Move) -> tuple[Match, tuple[Event, ...]]:
    """Make a move that `why_not` has already allowed, without checking it again."""
    progress = _HandInProgress(match)
    if isinstance(move, Play):
        progress.play(seat, move.card, move.onto)
    elif isinstance(move, Discard):
        progress.discard_card(seat, move.card)
    elif isinstance(move, CoupFourre):
        progress.counter(seat, move.card)
    elif isinstance(move, Decline):
        progress.decline(seat)
    elif isinstance(move, Extend):
        progress.extend(seat)
    else:
        progress.end(match.side_of(seat))
    return progress.result()


def end_hand(match: Match, completed_by: int | None) -> Match:
    """The match after its hand ends here: for positions that were set up, not played."""
    progress = _HandInProgress(match)
    progress.end(completed_by)
    ended, _ = progress.result()
    return ended


def seats_asked(match: Match, attacker: int, hazard: Card, side: int) -> tuple[int, ...]:
    """The seats that may answer an attack: none if everybody can see where the safety is."""
    hand = match.hand
    assert hand is not None
    safety = SAFETY_OF[hazard]
    if safety in hand.discard or any(safety in tableau.safeties for tableau in hand.tableaux):
        return ()
    if match.edition.coup_fourre_for_third_party:
        own = match.side_of(attacker)
        seats = tuple(seat for seat in range(match.players) if match.side_of(seat) != own)
    else:
        seats = match.seats_of(side)
    return tuple(seat for seat in seats if hand.hands[seat])


class _HandInProgress:
    """A scratch copy of a hand in play, and the events of one move."""

    __slots__ = (
        "awaiting",
        "began_empty",
        "caller",
        "completed_by",
        "discard",
        "edition",
        "events",
        "hand",
        "hands",
        "match",
        "pile",
        "sheets",
        "tableaux",
        "trip",
    )

    def __init__(self, match: Match) -> None:
        hand = match.hand
        assert hand is not None, "only a dealt hand can be played"
        self.match = match
        self.edition = match.edition
        self.hand = hand
        self.hands = list(hand.hands)
        self.pile = hand.pile
        self.discard = hand.discard
        self.tableaux = list(hand.tableaux)
        self.trip = hand.trip
        self.caller = hand.caller
        self.began_empty = hand.began_empty
        self.awaiting: Awaiting = match.awaiting
        self.completed_by = hand.completed_by
        self.sheets: tuple[ScoreSheet, ...] | None = None
        self.events: list[Event] = []

    def result(self) -> tuple[Match, tuple[Event, ...]]:
        """The new state, and what happened."""
        events = tuple(self.events)
        match = self.match
        hand = self.snapshot(self.sheets, self.hand.history + events)
        return Match(
            match.edition, match.players, match.trip, match.forward, self.awaiting, hand
        ), events

    def snapshot(
        self, sheets: tuple[ScoreSheet, ...] | None = None, history: tuple[Event, ...] = ()
    ) -> Hand:
        return Hand(
            self.hand.number,
            self.hand.dealer,
            tuple(self.hands),
            self.pile,
            self.discard,
            tuple(self.tableaux),
            self.trip,
            self.caller,
            self.began_empty,
            self.completed_by,
            sheets,
            history,
        )

    # Moves

    def play(self, seat: int, card: Card, onto: int | None) -> None:
        self.take_from_hand(seat, card)
        side = self.match.side_of(seat)
        if card in HAZARDS:
            assert onto is not None
            self.attack(seat, card, onto)
        elif card in DISTANCES:
            self.travel(seat, card, side)
        elif card in SAFETIES:
            self.play_safety(seat, card, side)
        elif card is Card.AUTO:
            self.play_autoroute(seat, side)
        else:
            self.lay(side, card)
            self.events.append(_played(seat, card, side))
            self.end_turn(seat)

    def discard_card(self, seat: int, card: Card) -> None:
        self.take_from_hand(seat, card)
        self.discard += (card,)
        self.events.append(_discarded(seat, card))
        self.end_turn(seat)

    def attack(self, seat: int, hazard: Card, side: int) -> None:
        self.lay(side, hazard)
        self.events.append(_played(seat, hazard, side))
        # The attacker's turn ends when the hazard lands; the window comes after.
        self.count_turn(seat)
        landed = self.match._replace(hand=self.snapshot())
        asked = seats_asked(landed, seat, hazard, side)
        if asked:
            self.awaiting = Window(seat, side, hazard, asked)
        else:
            self.next_turn(seat)

    def travel(self, seat: int, card: Card, side: int) -> None:
        tableau = self.tableaux[side]
        tableau = tableau._replace(distance=(*tableau.distance, card))
        self.tableaux[side] = tableau
        self.events.append(_played(seat, card, side))
        if tableau.miles < self.trip:
            self.end_turn(seat)
        elif can_extend(self.match):
            self.awaiting = ExtensionChoice(seat)
        else:
            self.end(side)

    def play_safety(self, seat: int, safety: Card, side: int) -> None:
        self.display(side, safety)
        cleared: tuple[Card, ...] = ()
        if self.edition.safety_restores_roll:
            cleared = self.clear_showing(side, safety)
        elif safety is Card.ROW and self.edition.right_of_way_discards:
            cleared = self.clear_showing(side, Card.ROW)
        self.events.append(Played(seat, safety, side, cleared))
        self.take_another_turn(seat)

    def play_autoroute(self, seat: int, side: int) -> None:
        tableau = self.tableaux[side]
        cleared: tuple[Card, ...] = ()
        if active_hazard(tableau) is not None:
            cleared += tableau.battle[-1:]
            tableau = tableau._replace(battle=tableau.battle[:-1])
        if is_limited(tableau):
            cleared += tableau.speed[-1:]
            tableau = tableau._replace(speed=tableau.speed[:-1])
        if tableau.autoroute is not None:
            cleared += (Card.AUTO,)
        self.tableaux[side] = tableau._replace(autoroute=Autoroute(seat, AUTOROUTE_TURNS))
        self.discard += cleared
        self.events.append(Played(seat, Card.AUTO, side, cleared))
        if self.edition.autoroute_is_safety:
            self.take_another_turn(seat)
        else:
            self.end_turn(seat)

    def counter(self, seat: int, safety: Card) -> None:
        window = self.awaiting
        assert isinstance(window, Window)
        self.take_from_hand(seat, safety)
        side = self.match.side_of(seat)
        tableau = self.tableaux[side]
        self.tableaux[side] = tableau._replace(crosswise=(*tableau.crosswise, safety))
        self.display(side, safety)
        cleared: tuple[Card, ...] = ()
        hit = window.hazard if side == window.side else None
        if hit is not None:
            cleared = self.clear_top(side, hit)
        if safety is Card.ROW and self.edition.right_of_way_discards:
            # At most one card leaves each pile, including the attacking card.
            cleared += self.clear_showing(side, Card.ROW, skip=hit)
        self.events.append(Countered(seat, safety, window.hazard, window.side, cleared))
        self.began_empty = not self.pile
        self.draw(seat)  # the replacement
        self.play_again(seat)

    def decline(self, seat: int) -> None:
        window = self.awaiting
        assert isinstance(window, Window)
        declined = tuple(sorted((*window.declined, seat)))
        if declined == window.asked:
            self.events.append(Passed(window.side, window.hazard))
            self.next_turn(window.attacker)
        else:
            self.awaiting = Window(
                window.attacker, window.side, window.hazard, window.asked, declined
            )

    def extend(self, seat: int) -> None:
        self.trip = EXTENDED_TRIP
        self.caller = self.match.side_of(seat)
        self.events.append(Extended(seat))
        self.end_turn(seat)

    # Turns

    def take_another_turn(self, seat: int) -> None:
        """The reward for a safety played on turn."""
        if self.pile or self.edition.replay_on_empty_pile:
            self.play_again(seat)
        else:
            self.end_turn(seat)

    def play_again(self, seat: int) -> None:
        """Draw and play once more in the same turn, if there is a card to play."""
        self.draw(seat)
        if self.hands[seat]:
            self.awaiting = Turn(seat)
        else:
            self.end_turn(seat)

    def end_turn(self, seat: int) -> None:
        self.count_turn(seat)
        self.next_turn(seat)

    def count_turn(self, seat: int) -> None:
        """Count a finished turn of this seat towards the end of the Autoroute it played."""
        side = self.match.side_of(seat)
        tableau = self.tableaux[side]
        autoroute = tableau.autoroute
        if autoroute is None or autoroute.seat != seat:
            return
        if autoroute.turns > 1:
            left = autoroute._replace(turns=autoroute.turns - 1)
            self.tableaux[side] = tableau._replace(autoroute=left)
            return
        self.tableaux[side] = tableau._replace(autoroute=None)
        self.discard += (Card.AUTO,)
        self.events.append(Expired(side))

    def next_turn(self, seat: int) -> None:
        """Draw for the next seat that can play; if no cards are left, the hand ends."""
        if not self.pile and not any(self.hands):
            self.end(None)
            return
        while True:
            seat = (seat + 1) % self.match.players
            if self.pile or self.hands[seat]:
                break
            self.count_turn(seat)  # a turn skipped for lack of cards still counts
        self.began_empty = not self.pile
        self.draw(seat)
        self.awaiting = Turn(seat)

    # The end of the hand

    def end(self, completed_by: int | None) -> None:
        self.completed_by = completed_by
        self.sheets = score(self.edition, self.snapshot())
        totals = self.match._replace(hand=self.snapshot(self.sheets)).totals
        self.events.append(HandEnded(completed_by, self.sheets, totals))
        over = outcome(self.match, totals, self.hand.number)
        if over is not None:
            self.events.append(MatchEnded(totals, over.winner))
            self.awaiting = over
        elif self.edition.dealer == "rotates":
            self.awaiting = Deal((self.hand.dealer + 1) % self.match.players)
        else:
            self.awaiting = Deal(self.hand.dealer)

    # Cards

    def draw(self, seat: int) -> None:
        if self.pile:
            card = self.pile[0]
            self.pile = self.pile[1:]
            self.hands[seat] += (card,)
            self.events.append(_drawn(seat, card))

    def take_from_hand(self, seat: int, card: Card) -> None:
        cards = self.hands[seat]
        place = cards.index(card)
        self.hands[seat] = cards[:place] + cards[place + 1 :]

    def lay(self, side: int, card: Card) -> None:
        """Put a card on top of the pile it belongs to."""
        tableau = self.tableaux[side]
        if card is Card.LIM or card is Card.EOL:
            self.tableaux[side] = tableau._replace(speed=(*tableau.speed, card))
        else:
            self.tableaux[side] = tableau._replace(battle=(*tableau.battle, card))

    def display(self, side: int, safety: Card) -> None:
        tableau = self.tableaux[side]
        self.tableaux[side] = tableau._replace(safeties=(*tableau.safeties, safety))

    def clear_showing(self, side: int, safety: Card, skip: Card | None = None) -> tuple[Card, ...]:
        """Discard the visible hazards that a safety protects from, the battle pile first."""
        cleared: tuple[Card, ...] = ()
        tableau = self.tableaux[side]
        for pile in (tableau.battle, tableau.speed):
            if pile and SAFETY_OF.get(pile[-1]) is safety and pile[-1] is not skip:
                cleared += self.clear_top(side, pile[-1])
        return cleared

    def clear_top(self, side: int, hazard: Card) -> tuple[Card, ...]:
        """Discard the hazard on top of its pile."""
        tableau = self.tableaux[side]
        if hazard is Card.LIM:
            self.tableaux[side] = tableau._replace(speed=tableau.speed[:-1])
        else:
            self.tableaux[side] = tableau._replace(battle=tableau.battle[:-1])
        self.discard += (hazard,)
        return (hazard,)

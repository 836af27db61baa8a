"""The policies of the engine: legal, even-handed or sensible."""

import random
from collections import Counter
from collections.abc import Mapping

import pytest

from millebornes.fast import POLICIES, Engine
from millebornes.fast.packing import MOST_SEATS, Record
from millebornes.records import position
from millebornes.rules import (
    EDITIONS,
    Card,
    CoupFourre,
    Discard,
    Extend,
    Finish,
    Match,
    Move,
    Play,
    View,
    view,
)
from millebornes.rules.cards import ALL_CARDS, HAZARDS
from tests.strategies import TABLES, Table, table_id

from .legality import advised, played


def adding_up(match: Match) -> Match:
    """A position whose pile is short: what is in no place lies on the discard pile."""
    hand = match.hand
    assert hand is not None
    left = Counter(match.edition.deck(match.players))
    for cards in (*hand.hands, hand.discard, hand.pile):
        left.subtract(card for card in cards if card is not Card.UNKNOWN)
    for tableau in hand.tableaux:
        left.subtract(tableau.battle + tableau.speed + tableau.distance + tableau.safeties)
        left[Card.AUTO] -= tableau.autoroute is not None
    unknown = sum(cards.count(Card.UNKNOWN) for cards in (*hand.hands, hand.pile))
    # Safeties last, for those are better hidden.
    rest = sorted(left.elements(), key=lambda card: card.value in ("ACE", "TANK", "PROOF", "ROW"))
    discard = hand.discard + tuple(rest[: len(rest) - unknown])
    return match._replace(hand=hand._replace(discard=discard))


def seen_by(seat: int, text: str) -> View:
    return view(adding_up(position.from_text(text)), seat)


def greedy(text: str, seat: int = 0) -> Move:
    shown = seen_by(seat, text)
    return Engine(shown.edition, shown.players).choose(shown, "greedy")


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_chooses_only_legal_moves(policy: str) -> None:
    """A tenth of what `python -m tests.fast.legality` plays."""
    assert played(policy, 2_000, seed=21) >= 2_000


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_a_policy_chooses_the_same_from_a_view_as_in_a_game(table: Table, policy: str) -> None:
    engine = Engine(*table)
    batch = engine.batch(1, seed=21)
    decisions = 0
    while not batch.ended[0]:
        seat = int(batch.games[0]["seat"])
        shown = view(batch.state(), seat, brief=True)
        move = engine.choose(shown, policy, seed=1, index=decisions)
        assert move in shown.legal_moves
        number = advised(batch, policy, seed=1, index=decisions)
        assert batch.readable(number) == move
        batch.step([number])
        decisions += 1
    assert decisions > 20


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_hidden_cards_never_change_a_choice(table: Table, policy: str) -> None:
    rng = random.Random(7)
    batch = Engine(*table).batch(1, seed=22)
    decisions = 0
    while not batch.ended[0]:
        number = advised(batch, policy, seed=1, index=decisions)
        for _ in range(2):
            other = batch.copy()
            exchange_hidden(other.games[0], rng)
            assert advised(other, policy, seed=1, index=decisions) == number
        batch.step([number])
        decisions += 1


def exchange_hidden(game: Record, rng: random.Random) -> None:
    """Deal the cards that the seat to decide cannot see anew, among the same places."""
    others = [seat for seat in range(MOST_SEATS) if seat != game["seat"]]
    hands = [counted(int(game["hand"][seat])) for seat in others]
    left = int(game["left"])
    hidden = [kind for hand in hands for kind in hand] + game["deck"][:left].tolist()
    rng.shuffle(hidden)
    for seat, hand in zip(others, hands, strict=True):
        game["hand"][seat] = sum(1 << 3 * hidden.pop() for _ in hand)
    game["deck"][:left] = hidden


def counted(hand: int) -> list[int]:
    """The kinds of the cards in a packed hand."""
    return [kind for kind in range(len(ALL_CARDS)) for _ in range(hand >> 3 * kind & 7)]


# Random play


def counts(shown: View, times: int) -> Counter[Move]:
    engine = Engine(shown.edition, shown.players)
    return Counter(engine.choose(shown, "random", seed=1954, index=i) for i in range(times))


def check_even(found: Mapping[Move, int], moves: set[Move], times: int) -> None:
    assert set(found) == moves
    expected = times / len(moves)
    for move, count in found.items():
        assert abs(count - expected) < 4 * expected**0.5, move


RANDOM = {
    "two players": "battle 0: ROLL\nbattle 1: ROLL\nhand 0: only 25 25 25 100 STOP LIM ACE\n",
    "three sides": (
        "players: 3\nbattle 0: ROLL\nbattle 1: ROLL\nbattle 2: ROLL\n"
        "hand 0: only 25 25 25 100 STOP LIM ACE\n"
    ),
    "eight sides": (
        'rule: player_counts = [8]\nrule: trip = { "8" = 700 }\nrule: teams_at = []\nplayers: 8\n'
        + "".join(f"battle {side}: ROLL\n" for side in range(8))
        + "hand 0: only 25 25 25 100 STOP LIM ACE\n"
    ),
    "only discards": "hand 0: only 25 50 50 50 75 100 GAS\n",
}


@pytest.mark.parametrize("text", RANDOM.values(), ids=RANDOM)
def test_random_play_takes_every_distinct_play_and_discard_equally_often(text: str) -> None:
    shown = seen_by(0, text)
    times = 150 * len(shown.legal_moves)
    check_even(counts(shown, times), set(shown.legal_moves), times)


def test_random_play_aims_at_every_opponent_equally_often() -> None:
    found = counts(seen_by(0, RANDOM["eight sides"]), 3000)
    targets = Counter[int | None]()
    for move, count in found.items():
        if isinstance(move, Play) and move.card in HAZARDS:
            targets[move.onto] += count
    assert set(targets) == set(range(1, 8))
    assert max(targets.values()) < 1.3 * min(targets.values())


def test_random_play_extends_every_other_time() -> None:
    shown = seen_by(0, "extension: 0\nbattle 0: ROLL\nmiles 0: 700\nhand 0: 25 25 50 50 75 75\n")
    check_even(counts(shown, 1000), {Extend(), Finish()}, 1000)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("hazard", sorted(HAZARDS))
def test_a_coup_fourre_is_always_called(policy: str, hazard: Card) -> None:
    pile = "speed" if hazard is Card.LIM else "battle"
    start = "" if hazard is Card.LIM else "ROLL "
    text = f"window: {hazard} 0>1\n{pile} 1: {start}{hazard}\nhand 1: ACE TANK PROOF ROW 25 25\n"
    shown = seen_by(1, text)
    engine = Engine(shown.edition, 2)
    chosen = {engine.choose(shown, policy, index=index) for index in range(30)}
    assert len(chosen) == 1
    assert isinstance(chosen.pop(), CoupFourre)


# Greedy play

ROLLING = "battle 0: ROLL\nbattle 1: ROLL\n"
GREEDY: dict[str, tuple[str, Move]] = {
    "it completes the trip before anything else": (
        ROLLING + "miles 0: 625\nhand 0: only 75 100 STOP ACE\n",
        Play(Card.D75),
    ),
    "it completes an extended trip, too": (
        ROLLING + "called: 0\nmiles 0: 800\nhand 0: only 200 STOP ACE\n",
        Play(Card.D200),
    ),
    "it keeps a safety for a coup fourré while it is early": (
        "hand 0: only ACE 75\n",
        Discard(Card.D75),
    ),
    "it keeps a safety with six cards left to draw for two": (
        "pile: 6\nhand 0: only ACE 75\n",
        Discard(Card.D75),
    ),
    "it plays a safety when fewer than three cards each are left": (
        "pile: 5\nhand 0: only ACE 75\n",
        Play(Card.ACE),
    ),
    "it plays a safety when an opponent has but 100 miles to go": (
        "miles 1: 600\nhand 0: only ACE 75\n",
        Play(Card.ACE),
    ),
    "it keeps a safety when an opponent has 125 miles to go": (
        "miles 1: 575\nhand 0: only ACE 75\n",
        Discard(Card.D75),
    ),
    "it cures with a safety rather than with the remedy": (
        "battle 0: ROLL OUT\nhand 0: only GAS TANK ACE\n",
        Play(Card.TANK),
    ),
    "it cures with a remedy if it has no safety for it": (
        "battle 0: ROLL OUT\nbattle 1: ROLL\nhand 0: only GAS STOP ACE\n",
        Play(Card.GAS),
    ),
    "it ends a limit with the Right of Way": (
        ROLLING + "speed 0: LIM\nhand 0: only EOL ROW 200\n",
        Play(Card.ROW),
    ),
    "it starts before it attacks": (
        "battle 1: ROLL\nhand 0: only ROLL STOP\n",
        Play(Card.ROLL),
    ),
    "it attacks before it drives": (ROLLING + "hand 0: only 200 FLAT\n", Play(Card.FLAT, 1)),
    "it drives rather than slowing somebody down": (
        ROLLING + "hand 0: only LIM 25\n",
        Play(Card.D25),
    ),
    "it slows somebody down rather than discarding": (
        "battle 1: ROLL\nhand 0: only LIM 25\n",
        Play(Card.LIM, 1),
    ),
    "it drives as far as it can": (ROLLING + "hand 0: only 25 100 75\n", Play(Card.D100)),
    "it drives slowly under a limit, before it ends it": (
        ROLLING + "speed 0: LIM\nhand 0: only 25 200 50 EOL\n",
        Play(Card.D50),
    ),
    "it ends a limit when it cannot drive": (
        ROLLING + "speed 0: LIM\nhand 0: only 200 EOL GAS\n",
        Play(Card.EOL),
    ),
    "it does not stop a car that stands": (
        "edition: parker-1988\nbattle 0: ROLL\nbattle 1: ROLL OUT\nhand 0: only STOP 25\n",
        Play(Card.D25),
    ),
    "it does not limit a car that is limited": (
        "edition: parker-1988\nbattle 1: ROLL\nspeed 1: LIM\nhand 0: only LIM 25\n",
        Discard(Card.D25),
    ),
    "it stops whoever is in front": (
        (
            "players: 3\nbattle 0: ROLL\nbattle 1: ROLL\nbattle 2: ROLL\nmiles 1: 100\n"
            "miles 2: 300\nhand 0: only STOP 25\n"
        ),
        Play(Card.STOP, 2),
    ),
    "it stops the one with more points among equals on the road": (
        (
            "players: 3\nbattle 0: ROLL\nbattle 1: ROLL\nbattle 2: ROLL\nscores: 0 900 500\n"
            "hand 0: only STOP 25\n"
        ),
        Play(Card.STOP, 1),
    ),
    "it stops the next one to play among equals": (
        "players: 3\nbattle 0: ROLL\nbattle 1: ROLL\nbattle 2: ROLL\nhand 0: only STOP 25\n",
        Play(Card.STOP, 1),
    ),
    "it stops another when the one in front stands": (
        (
            "players: 3\nbattle 0: ROLL\nbattle 1: ROLL\nbattle 2: ROLL OUT\nmiles 1: 100\n"
            "miles 2: 300\nhand 0: only STOP 25\n"
        ),
        Play(Card.STOP, 1),
    ),
    "it takes the Autoroute when it is stopped": (
        "edition: dujardin-2019\nbattle 0: ROLL OUT\nhand 0: only AUTO 100\n",
        Play(Card.AUTO),
    ),
    "it keeps the Autoroute while it rolls": (
        "edition: dujardin-2019\nbattle 0: ROLL\nhand 0: only AUTO 100\n",
        Play(Card.D100),
    ),
    "it discards a remedy that its safety makes useless": (
        "safeties 0: ACE\nhand 0: only REP GAS 25\n",
        Discard(Card.REP),
    ),
    "a safety in the hand makes a remedy useless as well": (
        "hand 0: only PROOF SPARE GAS 25\n",
        Discard(Card.SPARE),
    ),
    "it discards a hazard that can hit nobody": (
        "safeties 1: TANK\nhand 0: only OUT ACC 25\n",
        Discard(Card.OUT),
    ),
    "it discards a distance that is too far": (
        "miles 0: 600\nhand 0: only 200 25 GAS\n",
        Discard(Card.D200),
    ),
    "it keeps a distance that fits the extended trip": (
        "called: 1\nmiles 0: 600\nhand 0: only 200 25 GAS\n",
        Discard(Card.D25),
    ),
    "it discards the shortest distance first": (
        "hand 0: only 200 100 50 GAS STOP\n",
        Discard(Card.D50),
    ),
    "it keeps its Rolls longest": (
        "hand 0: only ROLL ROLL STOP\nbattle 0: ROLL\n",
        Discard(Card.STOP),
    ),
    "it extends a trip when it is far ahead": (
        "extension: 0\nbattle 0: ROLL\nmiles 0: 700\nmiles 1: 400\nhand 0: 25 25 50 50 75 75\n",
        Extend(),
    ),
    "it finishes a trip when somebody is near": (
        "extension: 0\nbattle 0: ROLL\nmiles 0: 700\nmiles 1: 425\nhand 0: 25 25 50 50 75 75\n",
        Finish(),
    ),
    "it extends a trip with ten cards each left to draw": (
        "extension: 0\npile: 20\nbattle 0: ROLL\nmiles 0: 700\nhand 0: 25 25 50 50 75 75\n",
        Extend(),
    ),
    "it finishes a trip when fewer are left to draw": (
        "extension: 0\npile: 19\nbattle 0: ROLL\nmiles 0: 700\nhand 0: 25 25 50 50 75 75\n",
        Finish(),
    ),
    "it plays what it must when nothing may be discarded": (
        (
            "edition: parker-1988\nrule: must_play_out = true\npile: 0\nbattle 1: ROLL OUT\n"
            "hand 0: only 25 STOP\n"
        ),
        Play(Card.STOP, 1),
    ),
}


@pytest.mark.parametrize(("text", "move"), GREEDY.values(), ids=GREEDY)
def test_greedy_play(text: str, move: Move) -> None:
    assert greedy(text) == move


def test_greedy_play_does_not_depend_on_chance() -> None:
    shown = seen_by(0, ROLLING + "hand 0: only 25 100 STOP LIM GAS ACE ROLL\n")
    engine = Engine(shown.edition, 2)
    chosen = {engine.choose(shown, "greedy", seed=s, index=i) for s in range(5) for i in range(5)}
    assert len(chosen) == 1


@pytest.mark.parametrize("players", [2, 4, 6])
def test_greedy_play_beats_random_play_clearly(players: int) -> None:
    engine = Engine(EDITIONS["winning-moves"], players)
    bots = ["greedy" if seat % engine.sides == 0 else "random" for seat in range(players)]
    rows = engine.matches(300, seed=1, bots=bots)
    assert (rows["winner"] == 0).mean() > 0.9
    swapped = ["random" if bot == "greedy" else "greedy" for bot in bots]
    assert (engine.matches(300, seed=1, bots=swapped)["winner"] == 0).mean() < 0.1

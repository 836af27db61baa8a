"""Nobody learns what is hidden from anything that leaves the server.

Two hidden cards are exchanged in the deck, and the same match is played again through the
real server app: every byte that any other viewer gets is the same (socket frames, rejections,
REST answers, record exports), and so are the log and the metrics. Times and ids are injected.
"""

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from millebornes.rules import EDITIONS, Card, Match
from millebornes.rules.cards import SAFETY_OF
from millebornes.rules.state import Deal, Over, Window
from tests.strategies import places

from .live_worlds import play_live_world
from .worlds import PROBE, Exchange, Setup, World, play_world, random_setup

STEPS = 160
SEEDS = range(2 * len(EDITIONS))


def setup_of(seed: int) -> Setup:
    """A random table: every edition in turn."""
    edition = list(EDITIONS.values())[seed % len(EDITIONS)]
    return random_setup(edition, random.Random(seed))


SETUPS = {seed: setup_of(seed) for seed in SEEDS}
EXCHANGES = 6
LIVE_STEPS = 48
LIVE_EXCHANGES = 3


def name_of(seed: int) -> str:
    setup = SETUPS[seed]
    people = "".join("x" if seat in setup.seats else "o" for seat in range(setup.players))
    return f"{setup.edition}-{people}-{setup.watchers}"


@cache
def survey(seed: int) -> World:
    """A world that the others are compared with."""
    return play_world(SETUPS[seed], seed, STEPS)


def running(world: World, step: int) -> Match | None:
    """The match after a step, if a hand is being played then."""
    match = world.states[step]
    if match is None or match.hand is None or isinstance(match.awaiting, Deal | Over):
        return None
    return match


def deck_of(world: World, match: Match) -> list[Card]:
    assert match.hand is not None
    deck = match.edition.deck(match.players)
    return [deck[index] for index in world.decks[match.hand.number]]


def into_or_out_of_the_attacked_hand(
    world: World, match: Match, rng: random.Random
) -> tuple[int, int] | None:
    """The safety that the open window asks for, and a card to exchange it with."""
    window = match.awaiting
    if not isinstance(window, Window):
        return None
    where = places(match)
    safety = deck_of(world, match).index(SAFETY_OF[window.hazard])
    groups = [*where.hands, where.pile]
    own = next((held for held in groups if safety in held), None)
    attacked = [index for seat in window.asked for index in where.hands[seat]]
    if own is None:
        return None
    others = attacked
    if safety in attacked:
        others = [index for held in groups if held is not own for index in held]
    return (safety, rng.choice(others)) if others else None


def exchanges(world: World, rng: random.Random) -> list[Exchange]:
    """Pairs of hidden cards, right after everybody has asked for everything."""
    steps = [step for step in range(PROBE - 1, len(world.states), PROBE) if running(world, step)]
    safeties, others = [], []
    for step in rng.sample(steps, len(steps)):
        match = running(world, step)
        assert match is not None
        assert match.hand is not None
        deck = deck_of(world, match)
        groups = [held for held in (*places(match).hands, places(match).pile) if held]
        pair = (rng.choice(rng.choice(groups)), rng.choice(rng.choice(groups)))
        others.append(Exchange(step, match.hand.number, *pair))
        about_safety = into_or_out_of_the_attacked_hand(world, match, rng)
        if about_safety is not None:
            safeties.append(Exchange(step, match.hand.number, *about_safety))
        others = [e for e in others if deck[e.first] is not deck[e.second] or e.step != step]
    half = EXCHANGES // 2
    return [*safeties[:half], *others[: EXCHANGES - min(half, len(safeties))]]


def blind(world: World, setup: Setup, exchange: Exchange) -> list[str]:
    """Who may not know either of the two cards."""
    match = running(world, exchange.step)
    assert match is not None
    held = places(match).hands
    return [
        *(
            name
            for name, seat in setup.people.items()
            if exchange.first not in held[seat] and exchange.second not in held[seat]
        ),
        *(viewer for viewer in setup.viewers if viewer not in setup.people),
    ]


@pytest.mark.parametrize("seed", SEEDS, ids=name_of)
def test_exchanging_hidden_cards_changes_no_byte_that_leaves_the_server(seed: int) -> None:
    setup, world = SETUPS[seed], survey(seed)
    found = exchanges(world, random.Random(seed))
    assert len(found) > EXCHANGES // 2, "there was hardly anything to exchange"
    compared = 0
    for exchange in found:
        other = play_world(setup, seed, exchange.step + 1, world, exchange)
        compared += compare(world, other, setup, exchange)
    assert compared > 50 * len(found), "hardly anything was compared"


def compare(world: World, other: World, setup: Setup, exchange: Exchange) -> int:
    """Nobody who may not know can tell these worlds apart; how much was compared."""
    compared = 0
    for viewer in blind(world, setup, exchange):
        for step in range(exchange.step + 1):
            ours, theirs = world.told[viewer][step], other.told[viewer][step]
            assert ours == theirs, f"{viewer} can tell at step {step}: {exchange}"
            compared += len(ours)
        times = other.came_at[viewer]
        assert world.came_at[viewer][: len(times)] == times, f"{viewer} can tell by the times"
        ours, theirs = (one.asked[viewer][exchange.step] for one in (world, other))
        assert ours == theirs, f"{viewer} can tell from REST: {exchange}"
        compared += len(ours)
    # The two worlds were two: somebody does hold other cards.
    assert world.decks[exchange.hand] != other.decks[exchange.hand]
    return compared


def test_nor_does_it_if_bots_think_longer_about_some_cards_than_about_others() -> None:
    setup = Setup("winning-moves", 4, (0,))  # three bots, and somebody who watches
    world = play_world(setup, 3, STEPS)
    assert len(world.took) > STEPS // 4, "bots hardly thought"
    compared = longer = 0
    for exchange in exchanges(world, random.Random(3)):
        other = play_world(setup, 3, exchange.step + 1, world, exchange)
        compared += compare(world, other, setup, exchange)
        longer += world.took[: len(other.took)] != other.took
    assert compared > 0
    assert longer >= EXCHANGES // 3, "bots hardly ever thought about other cards"


def test_nor_does_it_over_real_sockets_with_a_real_database(tmp_path: Path) -> None:
    setup = Setup("parker-1988", 4, (0, 1))  # opponents, each with a bot for a partner
    folders = [tmp_path / str(number) for number in range(LIVE_EXCHANGES + 1)]
    world = play_live_world(setup, 1, LIVE_STEPS, folders[0])
    assert len(world.thoughts) > LIVE_STEPS // 4, "hardly anything was played"
    assert any("leaves" in [action.does for action in actions] for actions in world.script)
    assert "rejected" in "".join(everything_told(world))
    found = exchanges(world, random.Random(1))[:LIVE_EXCHANGES]
    compared = 0
    for folder, exchange in zip(folders[1:], found, strict=True):
        other = play_live_world(setup, 1, exchange.step + 1, folder, world, exchange)
        compared += compare(world, other, setup, exchange)
    assert compared > 50 * len(found), "hardly anything was compared"


def test_a_world_that_is_played_again_is_the_same_to_the_letter() -> None:
    setup = Setup("parker-1988", 4, (0, 1))  # opponents, each with a bot for a partner
    world = play_world(setup, 7, 60)
    again = play_world(setup, 7, 60, world)
    assert again.told == world.told
    assert all(again.asked[viewer][59] == world.asked[viewer][59] for viewer in world.asked)
    assert again.thoughts == world.thoughts
    everything = "".join(everything_told(world))
    assert "rejected" in everything
    assert "drawn" in everything
    assert "chat" in everything
    assert "millebornes_tables 1" in everything


def everything_told(world: World) -> Iterator[str]:
    for steps in world.told.values():
        for told in steps:
            yield from told
    for answers in world.asked.values():
        for told in answers.values():
            yield from told


def messages(world: World, viewer: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for step, told in enumerate(world.told[viewer]):
        for text in told:
            if text.startswith("{"):
                yield step, json.loads(text)


def events_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a frame, or of all that a viewer is told of the past."""
    past = [one for match in message.get("matches", ()) for one in match["inputs"]]
    return [event for one in (message, *past) for event in one.get("events", ())]


@pytest.mark.parametrize("seed", SEEDS, ids=name_of)
def test_no_frame_carries_a_card_that_its_viewer_may_not_know(seed: int) -> None:
    setup, world = SETUPS[seed], survey(seed)
    for viewer in setup.on_sockets:
        seat = setup.people.get(viewer)
        own: list[str] = []
        for step, message in messages(world, viewer):
            for event in events_of(message):
                if event["type"] == "dealt":
                    for place, cards in enumerate(event["hands"]):
                        assert place == seat or set(cards) == {"?"}, (viewer, step)
                elif event["type"] == "drawn":
                    assert event["seat"] == seat or event["card"] == "?", (viewer, step)
            table = message.get("table")
            if table and table["hand"]:
                own = table["hand"]["cards"]
                if seat is None:
                    assert own == []
                    assert table["hand"]["legal_moves"] == []
                    assert table["hand"]["refused"] == []
                match = world.states[step]
                if seat is not None and match is not None and match.hand is not None:
                    deck = [card.value for card in match.edition.deck(match.players)]
                    assert all(own.count(card) <= deck.count(card) for card in own)
        match = world.states[-1]
        assert match is not None
        assert match.hand is not None
        if seat is not None:
            assert sorted(own) == sorted(card.value for card in match.hand.hands[seat])


@pytest.mark.parametrize("seed", SEEDS, ids=name_of)
def test_nothing_carries_a_token_a_guests_id_or_a_seed_before_its_time(seed: int) -> None:
    setup, world = SETUPS[seed], survey(seed)
    assert world.seeds
    assert any(owner.endswith(" 1") for owner in world.private), "nobody took part in a shuffle"
    ended: dict[int, int] = {}
    for viewer in setup.on_sockets:
        for step, message in messages(world, viewer):
            for event in message.get("events", ()):
                if event["type"] == "fair_revealed":
                    # A viewer who was away receives it later.
                    ended[event["hand"]] = min(step, ended.get(event["hand"], step))
    for viewer, steps in world.told.items():
        for step, told in enumerate(steps):
            text = "\n".join([*told, *world.asked[viewer].get(step, ())])
            for owner, kept in world.private.items():
                hand = owner.partition(" ")[2]
                # Entropy is revealed to all with the shuffle of its hand.
                if hand and step >= ended.get(int(hand), 10**6):
                    continue
                assert not any(secret in text for secret in kept), (viewer, step, owner)
            for number, secret in enumerate(world.seeds, start=1):
                if step < ended.get(number, 10**6):
                    assert secret not in text, (viewer, step, number)

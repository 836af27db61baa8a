"""Hidden cards leak neither by content nor by timing. Planted leaks are found."""

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes import rules
from millebornes.rules import Reason, events, legal_moves
from millebornes.rules import view as real_view
from millebornes.rules.state import Hand, Window
from millebornes.table import draft, frames, messages_out
from millebornes.table import play as play_module
from millebornes.table.reactions import reaction
from millebornes.table.table import Table

from .worlds import (
    Pair,
    check_nothing_hidden_is_shown,
    check_same,
    check_window_ends_alike,
    exchange,
    play,
)

SEEDS = st.integers(0, 2**32 - 1)


def check(seed: int) -> Pair | None:
    """Play, exchange, compare; None if there was nothing to exchange."""
    sitting = play(seed)
    check_nothing_hidden_is_shown(sitting)
    pair = exchange(sitting, random.Random(seed))
    if pair is not None:
        check_same(pair)
        check_window_ends_alike(pair)
    return pair


def check_many(seeds: range) -> None:
    for seed in seeds:
        check(seed)


@given(seed=SEEDS)
@settings(max_examples=60)
def test_exchanging_hidden_cards_changes_no_byte_of_any_other_viewer(seed: int) -> None:
    check(seed)


def test_the_comparisons_often_have_reactions_and_windows_that_a_safety_could_answer() -> None:
    made = windows = swapped = reactions = 0
    for seed in range(40):
        pair = check(seed)
        if pair is None:
            continue
        made += 1
        match, other = pair.one.outcomes, pair.other.outcomes
        assert len(match) == len(other)
        found = [o.table.match for o in match if o.table.is_window_open]
        windows += bool(found)
        emotes = [e for o in match for e in o.happened if isinstance(e, messages_out.BotEmoted)]
        reactions += sum(event.emote != "hello" for event in emotes)
        swapped += any(
            a.table.is_window_open
            and a.table.match is not None
            and b.table.match is not None
            and answers_of(a.table) != answers_of(b.table)
            for a, b in zip(match, other, strict=True)
        )
    assert made >= 20
    assert windows >= 15
    assert swapped >= 8
    assert reactions >= 10


def answers_of(table: Table) -> list[object]:
    assert table.match is not None
    assert isinstance(table.match.awaiting, Window)
    return [legal_moves(table.match, seat) for seat in table.match.awaiting.asked]


# Planted leaks: each must be found.


def leak_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "cut", lambda event, _seat: event)


def leak_a_hand_to_watchers(monkeypatch: pytest.MonkeyPatch) -> None:
    leak_to_everybody(monkeypatch, lambda hand: {"cards": hand.hands[0]})


def leak_to_everybody(
    monkeypatch: pytest.MonkeyPatch, leak: Callable[[Hand], dict[str, Any]]
) -> None:
    real = frames.watchers_picture

    def shown(table: Table) -> Any:
        seen = real(table)
        if seen.hand is None:
            return seen
        assert table.match is not None
        assert table.match.hand is not None
        hand = msgspec.structs.replace(seen.hand, **leak(table.match.hand))
        return msgspec.structs.replace(seen, hand=hand)

    monkeypatch.setattr(frames, "watchers_picture", shown)


def leak_the_partners_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(match: Any, seat: int | None, **more: Any) -> Any:
        seen = real_view(match, seat, **more)
        if seat is None:
            return seen
        after = match.hand.hands[(seat + 1) % match.players]
        return seen._replace(hand=(*seen.hand, *after[:1]))

    monkeypatch.setattr(frames, "view", shown)


def leak_who_has_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_continued", lambda table, _seat: tuple(sorted(table.declined)))


def leak_the_next_card(monkeypatch: pytest.MonkeyPatch) -> None:
    leak_to_everybody(monkeypatch, lambda hand: {"pile": sum(len(card) for card in hand.pile[:8])})


def leak_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = frames._fair
    monkeypatch.setattr(
        frames, "_fair", lambda fair: msgspec.structs.replace(real(fair), ctx=fair.seed.hex())
    )


def leak_by_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Table,
        "window_length",
        property(lambda table: 4000 if any(len(a) > 1 for a in answers_of(table)) else 500),  # type: ignore[arg-type]
    )


def leak_in_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    real = rules.why_not

    def reason(match: Any, seat: int, move: Any) -> Reason | None:
        found = real(match, seat, move)
        if found is not None and isinstance(match.awaiting, Window):
            could = any(len(legal_moves(match, asked)) > 1 for asked in match.awaiting.asked)
            return Reason.of("window_open", side=0, hazard="STOP", held=int(could))
        return found

    monkeypatch.setattr(play_module, "why_not", reason)


def leak_an_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Table,
        "seat_name",
        lambda table, seat: f"{seat} {table.members[0].guest} {table.members[0]}",
    )


def leak_by_an_emote(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose reaction shows what was drawn."""

    def react(happened: Any, facts: Any) -> messages_out.BotEmoted | None:
        drawn = [event.card for event in happened if isinstance(event, events.Drawn)]
        if not drawn or not facts.bots:
            return reaction(happened, facts)
        seat = min(facts.bots)
        return messages_out.BotEmoted(seat, facts.bots[seat], "ouch" if drawn[0] > "M" else "haha")

    monkeypatch.setattr(draft, "cut", lambda event, _seat: event)
    monkeypatch.setattr(draft, "reaction", react)


PLANTED = [
    leak_events,
    leak_a_hand_to_watchers,
    leak_the_partners_hand,
    leak_who_has_answered,
    leak_the_next_card,
    leak_the_seed,
    leak_by_the_deadline,
    leak_in_a_refusal,
    leak_an_identity,
    leak_by_an_emote,
]


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=r"tell|shown|openly"):
        check_many(range(60))

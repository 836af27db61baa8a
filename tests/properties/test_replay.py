"""A record gives back the game, whole or cut off anywhere, and what each seat saw of it."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.records import Game, cut_game, game, replay
from millebornes.rules import Card, Event, Match, legal_moves, view
from millebornes.rules.events import Dealt, Drawn
from millebornes.rules.state import Deal, Over, Window
from tests.strategies import HandPlayed, Table, every_table, hands, matches, recorded


def unanswered(match: Match) -> Match:
    """The table without the answers of a window still open: a record does not contain them."""
    if isinstance(match.awaiting, Window):
        window = match.awaiting
        asked = Window(window.attacker, window.side, window.hazard, window.asked)
        return match._replace(awaiting=asked)
    return match


def replayed(record: Game) -> list[tuple[Match, tuple[Event, ...]]]:
    return [(step.match, step.events) for step in replay(record)]


def told(played: tuple[HandPlayed, ...]) -> list[tuple[Match, tuple[Event, ...]]]:
    """The states and events of a game, answers that a record leaves out left out."""
    result = []
    for hand in played:
        result.append((hand.dealt, hand.events))
        for step in hand.steps:
            declined = isinstance(step.after.awaiting, Window) and step.after.awaiting.declined
            if not declined:
                result.append((step.after, step.events))
    return result


@every_table
@given(data=st.data())
@settings(max_examples=10)
def test_replaying_a_record_gives_the_same_states_events_and_scores(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    played = data.draw(matches(table))
    record = recorded(played, seed=data.draw(st.text(max_size=5)))
    text = game.to_text(record)
    again = game.from_text(text)
    assert again == record
    assert game.to_text(again) == text
    assert replayed(again) == told(played)
    final = played[-1].final
    assert record.result == (final.totals if isinstance(final.awaiting, Over) else None)


@every_table
@given(data=st.data())
@settings(max_examples=10)
def test_a_record_cut_off_anywhere_replays_to_that_moment(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    played = data.draw(matches(table))
    moves = data.draw(st.integers(0, len(played[-1].steps)))
    record = game.from_text(game.to_text(recorded(played, moves)))
    assert replayed(record)[-1][0] == unanswered(played[-1].states[moves])


@every_table
@given(data=st.data())
@settings(max_examples=5)
def test_a_record_cut_for_one_viewer_shows_that_viewer_the_same_and_nothing_more(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    played = data.draw(matches(table))
    for _ in range(2):
        moves = data.draw(st.integers(0, len(played[-1].steps)))
        match = unanswered(played[-1].states[moves])
        whole = recorded(played, moves, seed="hidden")
        for viewer in (None, *range(match.players)):
            told = cut_game(whole, viewer)
            assert cut_game(whole, viewer, played[-1].states[moves]) == told
            cut = game.from_text(game.to_text(told))
            again = replayed(cut)[-1][0]
            assert view(again, viewer) == view(match, viewer)
            if viewer is not None:
                assert legal_moves(again, viewer) == legal_moves(match, viewer)
            check_nothing_hidden(cut, match, viewer)


def check_nothing_hidden(cut: Game, match: Match, viewer: int | None) -> None:
    if isinstance(match.awaiting, Over):
        return
    assert cut.seed is None
    if isinstance(match.awaiting, Deal):
        return
    seen: list[Card] = []
    for event in view(match, viewer).history:
        if isinstance(event, Dealt) and viewer is not None:
            seen += event.hands[viewer]
        elif isinstance(event, Drawn) and event.seat == viewer:
            seen.append(event.card)
    faces = [card for card in cut.deals[-1].deck if card is not Card.UNKNOWN]
    assert Counter(faces) == Counter(seen)


@every_table
@given(data=st.data())
@settings(max_examples=3)
def test_a_record_cut_for_a_viewer_may_be_cut_again(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    hand = data.draw(hands(table))
    moves = data.draw(st.integers(0, len(hand.steps)))
    whole = recorded((hand,), moves)
    for viewer in (None, *range(hand.start.players)):
        cut = cut_game(whole, viewer)
        assert cut_game(cut, viewer) == cut
        if not isinstance(hand.states[moves].awaiting, Deal | Over):
            assert cut_game(cut, None) == cut_game(whole, None)

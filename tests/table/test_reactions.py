"""Bots react with an emote: seldom, in a friendly way, and to what everybody saw."""

from collections.abc import Sequence

import pytest

from millebornes.rules import Card, Event
from millebornes.rules.events import (
    Countered,
    Dealt,
    Drawn,
    HandEnded,
    MatchEnded,
    Passed,
    Played,
)
from millebornes.table import EMOTES, draft, frame
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from millebornes.table.reactions import (
    BOT_RESTS,
    MOST_PER_HAND,
    TABLE_RESTS,
    PublicFacts,
    Reacted,
    reaction,
)

from .driven_table import PRINTED, QUICK, DrivenTable, replayed, table_settings

DEALT = Dealt(1, 0, ((Card.UNKNOWN,) * 6,) * 4, 80)
STOOD = Passed(1, Card.STOP)
LONG = PRINTED.house({"hands": 3, "tie": "drawn"})


def facts(
    *bots: int, attacker: int | None = None, seq: int = 1, reacted: tuple[Reacted, ...] = ()
) -> PublicFacts:
    """Four seats, each for itself, with bots at these."""
    names = {seat: f"Bot {seat}" for seat in bots}
    return PublicFacts(names, 4, attacker, False, True, seq, 100, reacted)


def said(happened: Sequence[object], known: PublicFacts) -> set[tuple[int, str]]:
    """Who may say what to this, over many numbers of the input."""
    found = [reaction(happened, known._replace(seq=seq)) for seq in range(200)]
    return {(one.seat, one.emote) for one in found if one is not None}


def emotes(driven: DrivenTable) -> list[list[out.BotEmoted]]:
    """The reactions to each input."""
    return [
        [event for event in outcome.happened if isinstance(event, out.BotEmoted)]
        for outcome in driven.outcomes
    ]


def played(players: int, flavour: str = "") -> DrivenTable:
    driven = DrivenTable(table_settings(LONG, players), flavour).join("ann")
    return driven.bots(*range(1, players)).start().play_to_the_end()


def test_one_bot_says_hello_at_the_first_deal() -> None:
    driven = DrivenTable(table_settings(QUICK, 3)).join("ann").bots(1, 2).start()
    [hello] = [one for input_ in emotes(driven) for one in input_]
    assert hello.emote == "hello"
    assert driven.table.seats[hello.seat].name == hello.name  # type: ignore[union-attr]
    driven.play_to_the_end()
    before = len(driven.outcomes)
    driven.say("ann", says.Rematch())
    driven.shuffle()
    assert driven.hand("ann").number == 1
    assert [one for input_ in emotes(driven)[before:] for one in input_] == []


def test_a_bot_that_is_hit_says_ouch_and_one_that_hits_is_sorry() -> None:
    assert said([STOOD], facts(1, 2, attacker=0)) == {(1, "ouch")}
    assert said([STOOD], facts(1, 2, attacker=2)) == {(1, "ouch")}
    assert said([STOOD], facts(2, 3, attacker=2)) == {(2, "sorry")}
    assert said([STOOD], facts(2, 3, attacker=0)) == set()


def test_an_attack_has_hit_nobody_while_it_can_be_answered() -> None:
    attack = Played(0, Card.STOP, 1, ())
    assert said([attack], facts(1)) == {(1, "ouch")}
    assert said([attack], facts(0)) == {(0, "sorry")}
    assert said([attack], facts(0, 1)._replace(is_window_open=True)) == set()
    assert said([Played(1, Card.D25, 1, ())], facts(1)) == set()


def test_a_coup_fourre_is_laughed_about_by_its_caller_and_praised_by_the_attacker() -> None:
    called = Countered(1, Card.ROW, Card.STOP, 1, ())
    assert said([called], facts(1, 2, attacker=2)) == {(1, "haha")}
    assert said([called], facts(2, 3, attacker=2)) == {(2, "bravo")}
    assert said([called], facts(2, 3, attacker=0)) == set()


def test_whoever_completes_the_trip_is_praised_by_the_others() -> None:
    assert said([HandEnded(0, (), ())], facts(1, 2)) == {(1, "bravo"), (2, "bravo")}
    assert said([HandEnded(1, (), ())], facts(1)) == set()
    assert said([HandEnded(None, (), ())], facts(1)) == set()


def test_after_a_match_bots_that_won_say_thanks_and_others_bravo() -> None:
    hand = HandEnded(0, (), ())
    assert said([hand, MatchEnded((), 0)], facts(1)) == {(1, "bravo")}
    assert said([hand, MatchEnded((), 1)], facts(1, 2)) == {(1, "thanks")}
    assert said([hand, MatchEnded((), None)], facts(1)) == {(1, "thanks")}


def test_a_player_who_leaves_is_seen_off() -> None:
    assert said([out.Told("left", "Ann", 0)], facts(1)) == {(1, "bye")}
    assert said([out.Told("left", "Zoe", None)], facts(1)) == set()


def test_a_bot_rests_after_a_reaction_and_all_rest_a_little() -> None:
    own, other = Reacted(1, 100 - BOT_RESTS), Reacted(2, 100 - TABLE_RESTS)
    for reacted in (own, other):
        later = reacted._replace(decision=reacted.decision - 1)
        assert said([STOOD], facts(1, attacker=0, reacted=(reacted,))) == set()
        assert said([STOOD], facts(1, attacker=0, reacted=(later,))) == {(1, "ouch")}
    many = tuple(Reacted(2, at) for at in range(MOST_PER_HAND))
    assert said([STOOD], facts(1, attacker=0, reacted=many)) == set()
    assert said([MatchEnded((), 0)], facts(1, reacted=(*many, own))) == {(1, "bravo")}


@pytest.mark.parametrize("players", [2, 3, 6])
def test_in_whole_matches_reactions_are_few_and_never_two_at_once(players: int) -> None:
    driven = played(players)
    made = emotes(driven)
    assert max(map(len, made)) == 1
    each = [one for input_ in made for one in input_]
    assert {one.emote for one in each} <= set(EMOTES)
    # In each hand, and a farewell.
    assert 3 <= len(each) <= 3 * MOST_PER_HAND + 1
    assert {one.seat for one in each} <= set(range(1, players))


def test_a_log_that_is_replayed_gives_the_same_reactions() -> None:
    driven = played(3)
    again = replayed(driven)
    assert again.frames("ann") == driven.frames("ann")
    assert again.table.reacted == driven.table.reacted


def test_a_table_without_bots_never_hears_one() -> None:
    driven = DrivenTable(table_settings(QUICK)).join("ann", "bob").start().play_to_the_end()
    driven.say("bob", says.Leave())
    assert not any(emotes(driven))


def test_a_bot_that_plays_on_for_a_person_says_nothing() -> None:
    driven = DrivenTable(table_settings(QUICK)).join("ann", "bob").start()
    driven.say("bob", says.Leave())
    assert not any(emotes(driven.play_to_the_end()))


def test_what_bots_react_to_has_no_hidden_card_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def listen(happened: Sequence[object], known: PublicFacts) -> out.BotEmoted | None:
        given.extend(happened)
        return reaction(happened, known)

    monkeypatch.setattr(draft, "reaction", listen)
    played(3)
    drawn = {event.card for event in given if isinstance(event, Drawn)}
    dealt = {card for event in given if isinstance(event, Dealt) for h in event.hands for card in h}
    assert drawn == dealt == {Card.UNKNOWN}
    assert sum(isinstance(event, Event) for event in given) > 300


# Muting


def with_bots() -> DrivenTable:
    driven = DrivenTable(table_settings(LONG, 3)).join("ann").bots(1, 2)
    driven.say("zoe", says.Join("Zoe", watch=True))
    return driven


def heard(driven: DrivenTable, guest: str) -> list[str]:
    """The bots whose emotes this guest was sent."""
    frames = (frame(one.table, one.happened, guest) for one in driven.outcomes)
    return [
        event.name for shown in frames for event in shown.events if isinstance(event, out.BotEmoted)
    ]


def test_a_muted_bot_is_not_heard_by_the_one_who_muted_it() -> None:
    driven = with_bots()
    driven.say("zoe", says.MuteBot(2))
    assert driven.view("zoe").muted_bots == (2,)
    assert driven.view("ann").muted_bots == ()
    driven.start().play_to_the_end()
    first, second = driven.table.bots().values()
    assert set(heard(driven, "ann")) == {first, second}
    assert set(heard(driven, "zoe")) == {first}
    driven.say("zoe", says.MuteBot(2, on=False))
    assert driven.view("zoe").muted_bots == ()


def test_a_mute_follows_the_bot_when_the_seats_rotate() -> None:
    driven = DrivenTable(table_settings(QUICK, 3)).join("ann").bots(1, 2).start().play_to_the_end()
    driven.say("ann", says.MuteBot(1))
    driven.say("ann", says.Rematch())
    assert driven.view("ann").you == 1
    assert driven.view("ann").muted_bots == (2,)


def test_a_mute_ends_when_the_bot_leaves() -> None:
    driven = with_bots()
    name = driven.table.bots()[1]
    driven.say("ann", says.MuteBot(1))
    driven.say("ann", says.MuteBot(2))
    driven.say("ann", says.Kick(1))
    assert driven.view("ann").muted_bots == (2,)
    driven.bots(1)
    assert driven.table.bots()[1] == name
    assert driven.view("ann").muted_bots == (2,)


def test_only_a_bot_can_be_muted_by_its_seat() -> None:
    driven = with_bots()
    assert driven.refusal("ann", says.MuteBot(0)) == "not_a_bot"
    assert driven.refusal("ann", says.MuteBot(7)) == "not_a_bot"
    assert driven.refusal("eve", says.MuteBot(1)) == "join_first"

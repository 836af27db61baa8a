"""The coup-fourré window, in virtual time."""

import pytest

from millebornes.rules.state import Turn, Window
from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out

from .driven_table import (
    ATTACK,
    HELD,
    NOT_HELD,
    PRINTED,
    DrivenTable,
    attack_on_person,
    table_settings,
)

WINDOW, BOT_WINDOW = 5000, 800
TEAMS = "players: 4\nturn: 0\nbattle 1: ROLL\nhand 0: STOP 25 25\n"


def teams(hands: str, *, partner: str | None = "dee", players: int = 4) -> DrivenTable:
    """Ann attacks Bob, whose partner is Dee or a bot."""
    driven = DrivenTable(table_settings(players=players)).join("ann", "bob")
    driven.bots(2)
    if partner is None:
        driven.bots(3)
    else:
        driven.say(partner, says.Join(partner.capitalize(), seat=3))
    driven.start().at(TEAMS + hands)
    driven.move("ann", "STOP>1")
    return driven


def is_open(driven: DrivenTable) -> bool:
    assert driven.table.match is not None
    return isinstance(driven.table.match.awaiting, Window)


def length(driven: DrivenTable) -> int:
    """How long it stays open if nobody does anything."""
    began = driven.now
    while is_open(driven):
        assert driven.table.deadline is not None
        driven.wait(driven.table.deadline - driven.now)
    return driven.now - began


def asked(driven: DrivenTable, guest: str) -> out.Asked:
    found = driven.view(guest).asked
    assert found is not None
    return found


@pytest.mark.parametrize("held", [HELD, NOT_HELD])
def test_a_persons_side_has_five_seconds_whatever_it_holds(held: str) -> None:
    driven = attack_on_person(held)
    assert asked(driven, "ann").deadline == driven.now + WINDOW
    assert length(driven) == WINDOW


@pytest.mark.parametrize("own", [HELD, NOT_HELD])
@pytest.mark.parametrize("partners", ["", "hand 3: 50 50\n"])
def test_a_person_with_a_bot_for_a_partner_has_them_too(own: str, partners: str) -> None:
    assert length(teams(own + partners, partner=None)) == WINDOW


def attack_on_bots(hands: str, *, watched: bool) -> DrivenTable:
    driven = DrivenTable(table_settings()).join("ann")
    if watched:
        driven.say("zoe", says.Join("Zoe", watch=True))
    driven.bots(1).start().at(ATTACK + hands)
    driven.move("ann", "STOP>1")
    return driven


@pytest.mark.parametrize("held", [HELD, NOT_HELD])
@pytest.mark.parametrize("watched", [True, False])
def test_a_side_of_bots_always_takes_the_same_short_time(held: str, watched: bool) -> None:
    assert length(attack_on_bots(held, watched=watched)) == BOT_WINDOW


def test_a_bots_coup_fourre_is_held_to_the_end() -> None:
    driven = attack_on_bots(HELD, watched=False)
    driven.wait(BOT_WINDOW - 1)
    assert is_open(driven)
    driven.wait(1)
    assert driven.awaiting() == Turn(1)
    assert "countered" in str(driven.outcomes[-1].happened).lower()


def test_an_answer_of_a_bot_before_the_end_is_not_taken() -> None:
    driven = attack_on_bots(HELD, watched=False)
    thought = inputs.Thought(1, driven.table.decision, "ROW!")
    assert driven.refusal(None, thought) == "not_needed"


def test_a_bot_whose_answer_is_nonsense_lets_the_attack_stand() -> None:
    for answer in ("ROW!!", "STOP>0", "TANK!", "-"):
        driven = attack_on_bots(HELD, watched=False)
        driven.now += BOT_WINDOW
        driven.drive(inputs.Tick({"1": answer}))
        assert not is_open(driven)
        assert "Passed" in str(driven.outcomes[-1].happened)


def test_a_coup_fourre_ends_the_window_at_once_and_takes_the_turn() -> None:
    driven = attack_on_person(HELD)
    driven.now += 300
    driven.move("bob", "ROW!")
    assert driven.awaiting() == Turn(1)


def test_continue_ends_the_window_of_a_person_alone() -> None:
    driven = attack_on_person(NOT_HELD)
    driven.now += 300
    driven.move("bob", "-")
    assert not is_open(driven)


def test_continue_ends_it_only_when_every_person_of_the_side_has_pressed_it() -> None:
    driven = teams("")
    decision = driven.table.decision
    driven.now += 100
    driven.move("bob", "-")
    assert is_open(driven)
    assert driven.table.decision == decision
    assert asked(driven, "ann").deadline == asked(driven, "bob").deadline
    driven.now += 100
    driven.move("dee", "-")
    assert not is_open(driven)


def test_a_partners_continue_shows_to_nobody_else() -> None:
    driven = teams("")
    before = [driven.view(guest) for guest in ("ann", "dee")]
    driven.move("bob", "-")
    assert [driven.view(guest) for guest in ("ann", "dee")] == before
    own = driven.view("bob")
    assert own.continued == (1,)
    assert own.hand is not None
    assert own.hand.legal_moves == ()


def test_whoever_has_pressed_continue_has_answered() -> None:
    driven = teams(HELD)
    driven.move("bob", "-")
    decision = driven.table.decision
    for number, token in enumerate(("-", "ROW!")):
        move = says.Move(decision, f"again{number}", token)
        assert driven.refusal("bob", move) == "already_answered"


def test_a_bot_partners_answer_comes_when_its_person_has_pressed_continue() -> None:
    driven = teams("hand 3: ROW\n", partner=None)
    driven.now += 100
    driven.move("bob", "-")
    assert is_open(driven)
    assert driven.table.deadline == driven.now
    assert asked(driven, "ann").deadline == driven.now - 100 + WINDOW
    driven.tick()
    assert driven.awaiting() == Turn(3)


def test_a_coup_fourre_that_a_person_did_not_call_is_not_called_for_them() -> None:
    driven = attack_on_person(HELD)
    driven.now += WINDOW
    driven.drive(inputs.Tick({"1": "ROW!"}))
    assert "Passed" in str(driven.outcomes[-1].happened)


def test_only_the_side_attacked_is_asked_and_others_hear_the_same_whoever_holds_what() -> None:
    codes = []
    for held in (HELD, NOT_HELD):
        driven = attack_on_person(held)
        codes.append(driven.refusal("ann", says.Move(driven.table.decision, "a", "25")))
    assert codes == ["window_open"] * 2


def test_one_who_leaves_after_pressing_continue_has_answered_for_good() -> None:
    driven = teams("hand 1: ROW\n")
    driven.move("bob", "-")
    driven.say("bob", says.Leave())
    assert [think.seat for think in driven.table.thinks()] == []
    driven.now += WINDOW
    driven.drive(inputs.Tick({"1": "ROW!"}))
    assert "Passed" in str(driven.outcomes[-1].happened)


def test_whoever_waits_only_for_one_who_has_left_waits_no_longer() -> None:
    driven = teams("hand 3: ROW\n")
    driven.move("bob", "-")
    driven.now += 50
    driven.say("dee", says.Leave())
    assert driven.table.deadline == driven.now
    driven.say("dee", says.Return())
    assert driven.table.deadline == driven.now - 50 + WINDOW
    assert length(driven) == WINDOW - 50


def test_no_other_clock_runs_while_a_window_is_open() -> None:
    settings = table_settings(clock=5000, window=60_000)
    driven = DrivenTable(settings).join("ann", "bob").start().at(ATTACK + NOT_HELD)
    driven.drive(inputs.Gone("bob"))
    driven.now += 4000
    driven.move("ann", "STOP>1")
    driven.now += 59_999
    assert driven.refusal(None, inputs.Tick()) == "nothing_due"
    assert driven.table.is_played_by_person(1)
    driven.drive(inputs.Arrived("bob"))
    assert length(driven) == 1
    turn = asked(driven, "ann")
    assert (turn.what, turn.deadline) == ("turn", driven.now + 5000)


# A person alone with bots: nobody waits, so there is no clock.


def attack_by_a_bot(
    hands: str, *, players: int = 2, watched: bool = False, patient: bool = True
) -> DrivenTable:
    driven = DrivenTable(table_settings(players=players, patient=patient)).join("ann")
    if watched:
        driven.say("zoe", says.Join("Zoe", watch=True))
    driven.bots(*range(1, players)).start()
    driven.at(f"players: {players}\nturn: 1\nbattle 0: ROLL\nhand 1: STOP\n{hands}")
    driven.drive(inputs.Thought(1, driven.table.decision, "STOP>0"))
    return driven


WHATEVER = pytest.mark.parametrize("hand", ["ROW", "25 25 25 25 25 25"])


@WHATEVER
@pytest.mark.parametrize("players", [2, 4])
def test_a_person_alone_with_bots_has_no_clock_whatever_they_hold(hand: str, players: int) -> None:
    driven = attack_by_a_bot(f"hand 0: {hand}\n", players=players)
    assert asked(driven, "ann").deadline is None
    driven.now += 3_600_000
    assert driven.refusal(None, inputs.Tick()) == "nothing_due"
    assert is_open(driven)


def test_a_person_alone_calls_the_coup_fourre_after_any_time() -> None:
    driven = attack_by_a_bot("hand 0: ROW\n")
    driven.now += 600_000
    driven.move("ann", "ROW!")
    assert driven.awaiting() == Turn(0)


@WHATEVER
@pytest.mark.parametrize("players", [2, 4])
def test_the_window_of_a_person_alone_ends_with_their_answer(hand: str, players: int) -> None:
    driven = attack_by_a_bot(f"hand 0: {hand}\n", players=players)
    driven.move("ann", "-")
    assert length(driven) == 0


def frames_of_latecomer(hand: str, *, leaves: bool = False) -> list[bytes]:
    """All that somebody gets who comes while the window is open, until it has closed."""
    driven = attack_by_a_bot(f"hand 0: {hand}\n")
    driven.now += 30_000
    before = len(driven.outcomes)
    driven.say("zoe", says.Join("Zoe", watch=True))
    assert asked(driven, "zoe").deadline == driven.now + WINDOW
    driven.now += 1000
    if leaves:
        driven.drive(inputs.Gone("zoe"))
    assert length(driven) == WINDOW - 1000
    return driven.frames("zoe")[before:]


@pytest.mark.parametrize("leaves", [True, False])
def test_for_one_who_comes_meanwhile_the_full_window_begins_whatever_is_held(leaves: bool) -> None:
    held = frames_of_latecomer("ROW 25 25 25 25 25", leaves=leaves)
    assert held == frames_of_latecomer("50 25 25 25 25 25", leaves=leaves)


def test_a_clock_that_runs_does_not_start_again_for_a_third_person() -> None:
    driven = attack_by_a_bot("hand 0: ROW\n")
    driven.say("zoe", says.Join("Zoe", watch=True))
    ends = asked(driven, "zoe").deadline
    driven.now += 1000
    driven.say("max", says.Join("Max", watch=True))
    assert asked(driven, "max").deadline == ends


def test_one_who_knows_the_table_does_not_start_the_clock_again() -> None:
    driven = attack_by_a_bot("hand 0: ROW\n", watched=True)
    ends = asked(driven, "zoe").deadline
    driven.drive(inputs.Gone("zoe"))
    driven.now += 1000
    driven.say("zoe", says.Join("Zoe", watch=True))
    assert asked(driven, "zoe").deadline == ends


@WHATEVER
def test_with_a_spectator_there_is_a_clock(hand: str) -> None:
    assert length(attack_by_a_bot(f"hand 0: {hand}\n", watched=True)) == WINDOW


@WHATEVER
def test_a_spectator_who_may_come_back_still_counts(hand: str) -> None:
    driven = DrivenTable(table_settings()).join("ann")
    driven.say("zoe", says.Join("Zoe", watch=True))
    driven.bots(1).start()
    driven.drive(inputs.Gone("zoe"))
    driven.at(f"turn: 1\nbattle 0: ROLL\nhand 1: STOP\nhand 0: {hand}\n")
    driven.drive(inputs.Thought(1, driven.table.decision, "STOP>0"))
    assert length(driven) == WINDOW


def test_a_spectator_follows_only_from_when_they_came() -> None:
    driven = attack_by_a_bot("hand 0: ROW\n")
    driven.say("zoe", says.Join("Zoe"))
    member = driven.table.member_of("zoe")
    assert member is not None
    assert member.since == driven.table.seq


# Tables that are not patient: those of older releases, and the terminal game.


def test_an_impatient_table_does_not_wait_with_nothing_to_answer() -> None:
    driven = attack_by_a_bot("hand 0: 25 25 25 25 25 25\n", patient=False)
    assert driven.table.deadline == driven.now
    assert length(driven) == 0


def test_an_impatient_table_gives_the_time_to_answer_what_one_can() -> None:
    assert length(attack_by_a_bot("hand 0: ROW\n", patient=False)) == WINDOW


@WHATEVER
def test_an_impatient_table_always_waits_for_a_side_of_two(hand: str) -> None:
    driven = attack_by_a_bot(f"hand 0: {hand}\n", players=4, patient=False)
    assert length(driven) == WINDOW


# Third parties, where the house lets them answer.


def third_party(*people: str, hands: str = "") -> DrivenTable:
    edition = PRINTED.house({"coup_fourre_for_third_party": True})
    driven = DrivenTable(table_settings(edition, 3)).join("ann")
    for seat, guest in enumerate(people, start=2):
        driven.say(guest, says.Join(guest.capitalize(), seat=seat))
    driven.bots(*(seat for seat in (1, 2) if driven.table.seats[seat] is None)).start()
    text = "rule: coup_fourre_for_third_party = true\nplayers: 3\nturn: 0\nbattle 1: ROLL\n"
    driven.at(f"{text}hand 0: STOP\n{hands}")
    driven.move("ann", "STOP>1")
    return driven


@pytest.mark.parametrize("hands", ["", "hand 2: ROW\n", "hand 1: ROW\n"])
def test_a_person_who_may_answer_for_a_bot_has_the_time_to(hands: str) -> None:
    assert length(third_party("cem", hands=hands)) == WINDOW


def test_bots_that_may_answer_for_a_bot_need_little_time() -> None:
    assert length(third_party()) == BOT_WINDOW

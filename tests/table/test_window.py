"""The coup-fourré window, in virtual time."""

import pytest

from millebornes.rules.state import Turn, Window
from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out

from .sitting import PRINTED, Sitting, table_settings

WINDOW, BOT_WINDOW = 4000, 800
TWO = "turn: 0\nbattle 1: ROLL\nhand 0: STOP 25 25\n"
TEAMS = "players: 4\nturn: 0\nbattle 1: ROLL\nhand 0: STOP 25 25\n"
HELD = "hand 1: ROW 25\n"
NOT_HELD = "hand 1: 25 25\n"


def two_people(held: str) -> Sitting:
    """Ann attacks Bob."""
    sitting = Sitting(table_settings()).join("ann", "bob").start().at(TWO + held)
    sitting.move("ann", "STOP>1")
    return sitting


def teams(hands: str, *, partner: str | None = "dee", players: int = 4) -> Sitting:
    """Ann attacks Bob, whose partner is Dee or a bot."""
    sitting = Sitting(table_settings(players=players)).join("ann", "bob")
    sitting.bots(2)
    if partner is None:
        sitting.bots(3)
    else:
        sitting.say(partner, says.Join(partner.capitalize(), seat=3))
    sitting.start().at(TEAMS + hands)
    sitting.move("ann", "STOP>1")
    return sitting


def is_open(sitting: Sitting) -> bool:
    assert sitting.table.match is not None
    return isinstance(sitting.table.match.awaiting, Window)


def length(sitting: Sitting) -> int:
    """How long it stays open if nobody does anything."""
    began = sitting.now
    while is_open(sitting):
        assert sitting.table.deadline is not None
        sitting.wait(sitting.table.deadline - sitting.now)
    return sitting.now - began


def asked(sitting: Sitting, guest: str) -> out.Asked:
    found = sitting.view(guest).asked
    assert found is not None
    return found


@pytest.mark.parametrize("held", [HELD, NOT_HELD])
def test_a_persons_side_has_four_seconds_whatever_it_holds(held: str) -> None:
    sitting = two_people(held)
    assert asked(sitting, "ann").deadline == sitting.now + WINDOW
    assert length(sitting) == WINDOW


@pytest.mark.parametrize("own", [HELD, NOT_HELD])
@pytest.mark.parametrize("partners", ["", "hand 3: 50 50\n"])
def test_a_person_with_a_bot_for_a_partner_has_them_too(own: str, partners: str) -> None:
    assert length(teams(own + partners, partner=None)) == WINDOW


def attack_on_bots(hands: str, *, watched: bool) -> Sitting:
    sitting = Sitting(table_settings()).join("ann")
    if watched:
        sitting.say("zoe", says.Join("Zoe", watch=True))
    sitting.bots(1).start().at(TWO + hands)
    sitting.move("ann", "STOP>1")
    return sitting


@pytest.mark.parametrize("held", [HELD, NOT_HELD])
@pytest.mark.parametrize("watched", [True, False])
def test_a_side_of_bots_always_takes_the_same_short_time(held: str, watched: bool) -> None:
    assert length(attack_on_bots(held, watched=watched)) == BOT_WINDOW


def test_a_bots_coup_fourre_is_held_to_the_end() -> None:
    sitting = attack_on_bots(HELD, watched=False)
    sitting.wait(BOT_WINDOW - 1)
    assert is_open(sitting)
    sitting.wait(1)
    assert sitting.awaiting() == Turn(1)
    assert "countered" in str(sitting.outcomes[-1].happened).lower()


def test_an_answer_of_a_bot_before_the_end_is_not_taken() -> None:
    sitting = attack_on_bots(HELD, watched=False)
    thought = inputs.Thought(1, sitting.table.decision, "ROW!")
    assert sitting.refusal(None, thought) == "not_needed"


def test_a_bot_whose_answer_is_nonsense_lets_the_attack_stand() -> None:
    for answer in ("ROW!!", "STOP>0", "TANK!", "-"):
        sitting = attack_on_bots(HELD, watched=False)
        sitting.now += BOT_WINDOW
        sitting.drive(inputs.Tick({"1": answer}))
        assert not is_open(sitting)
        assert "Passed" in str(sitting.outcomes[-1].happened)


def test_a_coup_fourre_ends_the_window_at_once_and_takes_the_turn() -> None:
    sitting = two_people(HELD)
    sitting.now += 300
    sitting.move("bob", "ROW!")
    assert sitting.awaiting() == Turn(1)


def test_continue_ends_the_window_of_a_person_alone() -> None:
    sitting = two_people(NOT_HELD)
    sitting.now += 300
    sitting.move("bob", "-")
    assert not is_open(sitting)


def test_continue_ends_it_only_when_every_person_of_the_side_has_pressed_it() -> None:
    sitting = teams("")
    decision = sitting.table.decision
    sitting.now += 100
    sitting.move("bob", "-")
    assert is_open(sitting)
    assert sitting.table.decision == decision
    assert asked(sitting, "ann").deadline == asked(sitting, "bob").deadline
    sitting.now += 100
    sitting.move("dee", "-")
    assert not is_open(sitting)


def test_a_partners_continue_shows_to_nobody_else() -> None:
    sitting = teams("")
    before = [sitting.view(guest) for guest in ("ann", "dee")]
    sitting.move("bob", "-")
    assert [sitting.view(guest) for guest in ("ann", "dee")] == before
    own = sitting.view("bob")
    assert own.continued == (1,)
    assert own.hand is not None
    assert own.hand.legal_moves == ()


def test_whoever_has_pressed_continue_has_answered() -> None:
    sitting = teams(HELD)
    sitting.move("bob", "-")
    decision = sitting.table.decision
    for number, token in enumerate(("-", "ROW!")):
        move = says.Move(decision, f"again{number}", token)
        assert sitting.refusal("bob", move) == "already_answered"


def test_a_bot_partners_answer_comes_when_its_person_has_pressed_continue() -> None:
    sitting = teams("hand 3: ROW\n", partner=None)
    sitting.now += 100
    sitting.move("bob", "-")
    assert is_open(sitting)
    assert sitting.table.deadline == sitting.now
    assert asked(sitting, "ann").deadline == sitting.now - 100 + WINDOW
    sitting.tick()
    assert sitting.awaiting() == Turn(3)


def test_a_coup_fourre_that_a_person_did_not_call_is_not_called_for_them() -> None:
    sitting = two_people(HELD)
    sitting.now += WINDOW
    sitting.drive(inputs.Tick({"1": "ROW!"}))
    assert "Passed" in str(sitting.outcomes[-1].happened)


def test_only_the_side_attacked_is_asked_and_others_hear_the_same_whoever_holds_what() -> None:
    codes = []
    for held in (HELD, NOT_HELD):
        sitting = two_people(held)
        codes.append(sitting.refusal("ann", says.Move(sitting.table.decision, "a", "25")))
    assert codes == ["window_open"] * 2


def test_one_who_leaves_after_pressing_continue_has_answered_for_good() -> None:
    sitting = teams("hand 1: ROW\n")
    sitting.move("bob", "-")
    sitting.say("bob", says.Leave())
    assert [think.seat for think in sitting.table.thinks()] == []
    sitting.now += WINDOW
    sitting.drive(inputs.Tick({"1": "ROW!"}))
    assert "Passed" in str(sitting.outcomes[-1].happened)


def test_whoever_waits_only_for_one_who_has_left_waits_no_longer() -> None:
    sitting = teams("hand 3: ROW\n")
    sitting.move("bob", "-")
    sitting.now += 50
    sitting.say("dee", says.Leave())
    assert sitting.table.deadline == sitting.now
    sitting.say("dee", says.Return())
    assert sitting.table.deadline == sitting.now - 50 + WINDOW
    assert length(sitting) == WINDOW - 50


def test_no_other_clock_runs_while_a_window_is_open() -> None:
    settings = table_settings(clock=5000, window=60_000)
    sitting = Sitting(settings).join("ann", "bob").start().at(TWO + NOT_HELD)
    sitting.drive(inputs.Gone("bob"))
    sitting.now += 4000
    sitting.move("ann", "STOP>1")
    sitting.now += 59_999
    assert sitting.refusal(None, inputs.Tick()) == "nothing_due"
    assert sitting.table.is_played_by_person(1)
    sitting.drive(inputs.Arrived("bob"))
    assert length(sitting) == 1
    turn = asked(sitting, "ann")
    assert (turn.what, turn.deadline) == ("turn", sitting.now + 5000)


# The one exception: one person, no partner, nobody who watches.


def attack_by_a_bot(hands: str, *, players: int = 2, watched: bool = False) -> Sitting:
    sitting = Sitting(table_settings(players=players)).join("ann")
    if watched:
        sitting.say("zoe", says.Join("Zoe", watch=True))
    sitting.bots(*range(1, players)).start()
    sitting.at(f"players: {players}\nturn: 1\nbattle 0: ROLL\nhand 1: STOP\n{hands}")
    sitting.drive(inputs.Thought(1, sitting.table.decision, "STOP>0"))
    return sitting


def test_one_person_among_bots_does_not_wait_with_nothing_to_answer() -> None:
    sitting = attack_by_a_bot("hand 0: 25 25 25 25 25 25\n")
    assert sitting.table.deadline == sitting.now
    assert length(sitting) == 0


def test_one_person_among_bots_has_the_time_to_answer_what_they_can() -> None:
    assert length(attack_by_a_bot("hand 0: ROW\n")) == WINDOW


@pytest.mark.parametrize("hand", ["ROW", "25 25 25 25 25 25"])
def test_with_a_partner_the_exception_does_not_hold(hand: str) -> None:
    assert length(attack_by_a_bot(f"hand 0: {hand}\n", players=4)) == WINDOW


@pytest.mark.parametrize("hand", ["ROW", "25 25 25 25 25 25"])
def test_with_a_spectator_the_exception_does_not_hold(hand: str) -> None:
    assert length(attack_by_a_bot(f"hand 0: {hand}\n", watched=True)) == WINDOW


@pytest.mark.parametrize("hand", ["ROW", "25 25 25 25 25 25"])
def test_a_spectator_who_may_come_back_still_counts(hand: str) -> None:
    sitting = Sitting(table_settings()).join("ann")
    sitting.say("zoe", says.Join("Zoe", watch=True))
    sitting.bots(1).start()
    sitting.drive(inputs.Gone("zoe"))
    sitting.at(f"turn: 1\nbattle 0: ROLL\nhand 1: STOP\nhand 0: {hand}\n")
    sitting.drive(inputs.Thought(1, sitting.table.decision, "STOP>0"))
    assert length(sitting) == WINDOW


def test_a_spectator_follows_only_from_when_they_came() -> None:
    sitting = attack_by_a_bot("hand 0: ROW\n")
    sitting.say("zoe", says.Join("Zoe"))
    member = sitting.table.member_of("zoe")
    assert member is not None
    assert member.since == sitting.table.seq


# Third parties, where the house lets them answer.


def third_party(*people: str, hands: str = "") -> Sitting:
    edition = PRINTED.house({"coup_fourre_for_third_party": True})
    sitting = Sitting(table_settings(edition, 3)).join("ann")
    for seat, guest in enumerate(people, start=2):
        sitting.say(guest, says.Join(guest.capitalize(), seat=seat))
    sitting.bots(*(seat for seat in (1, 2) if sitting.table.seats[seat] is None)).start()
    text = "rule: coup_fourre_for_third_party = true\nplayers: 3\nturn: 0\nbattle 1: ROLL\n"
    sitting.at(f"{text}hand 0: STOP\n{hands}")
    sitting.move("ann", "STOP>1")
    return sitting


@pytest.mark.parametrize("hands", ["", "hand 2: ROW\n", "hand 1: ROW\n"])
def test_a_person_who_may_answer_for_a_bot_has_the_time_to(hands: str) -> None:
    assert length(third_party("cem", hands=hands)) == WINDOW


def test_bots_that_may_answer_for_a_bot_need_little_time() -> None:
    assert length(third_party()) == BOT_WINDOW

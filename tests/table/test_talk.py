"""Chat, emotes, mute; and whom nobody hears."""

from millebornes.table import EMOTES, frame
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out

from .sitting import Sitting, table_settings


def three() -> Sitting:
    sitting = Sitting(table_settings()).join("ann", "bob")
    sitting.say("cem", says.Join("Cem", watch=True))
    return sitting


def heard(sitting: Sitting, guest: str | None) -> list[object]:
    last = sitting.outcomes[-1]
    return list(frame(last.table, last.happened, guest).events)


def test_a_line_is_heard_by_everybody_who_joined() -> None:
    sitting = three()
    sitting.say("ann", says.Chat("  Bonne route\u202e!  "))
    said = out.ChatSaid(0, "Ann", "Bonne route!")
    assert [heard(sitting, guest) for guest in ("ann", "bob", "cem")] == [[said]] * 3
    assert heard(sitting, "eve") == heard(sitting, None) == []


def test_saying_nothing_is_refused() -> None:
    assert three().refusal("ann", says.Chat(" \u200b\n ")) == "nothing_said"


def test_emotes_are_those_on_offer() -> None:
    sitting = three()
    for emote in EMOTES:
        sitting.say("cem", says.Emote(emote))
        assert heard(sitting, "ann") == [out.Emoted(2, "Cem", emote)]
    assert sitting.refusal("cem", says.Emote("rude")) == "no_such_emote"


def test_whoever_is_muted_is_not_heard_by_the_one_who_muted_them() -> None:
    sitting = three()
    sitting.say("bob", says.Mute(2))
    assert sitting.view("bob").muted == (2,)
    assert sitting.view("cem").muted == ()
    for message in (says.Chat("spam"), says.Emote("hurry")):
        sitting.say("cem", message)
        assert heard(sitting, "bob") == []
        assert len(heard(sitting, "ann")) == 1
    sitting.say("bob", says.Mute(2, on=False))
    sitting.say("cem", says.Chat("sorry"))
    assert len(heard(sitting, "bob")) == 1


def test_one_cannot_mute_oneself_or_nobody() -> None:
    sitting = three()
    assert sitting.refusal("bob", says.Mute(1)) == "no_such_member"
    assert sitting.refusal("bob", says.Mute(9)) == "no_such_member"


def test_talk_changes_no_decision() -> None:
    sitting = three().start()
    decision = sitting.table.decision
    sitting.say("bob", says.Chat("hm"))
    sitting.say("cem", says.Emote("hurry"))
    sitting.say("dee", says.Join("Dee"))
    sitting.say("ann", says.Mute(1))
    assert sitting.table.decision == decision


def test_every_input_has_a_number_and_every_member_a_frame_of_it() -> None:
    sitting = three().start()
    seqs = [outcome.table.seq for outcome in sitting.outcomes]
    assert seqs == list(range(1, len(seqs) + 1))
    for guest in ("ann", "bob", "cem"):
        assert len(sitting.frames(guest)) == len(seqs)

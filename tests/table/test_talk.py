"""Chat, emotes and muting."""

from millebornes.table import EMOTES, frame
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out

from .driven_table import DrivenTable, table_settings


def three() -> DrivenTable:
    driven = DrivenTable(table_settings()).join("ann", "bob")
    driven.say("cem", says.Join("Cem", watch=True))
    return driven


def heard(driven: DrivenTable, guest: str | None) -> list[object]:
    last = driven.outcomes[-1]
    return list(frame(last.table, last.happened, guest).events)


def test_a_line_is_heard_by_everybody_who_joined() -> None:
    driven = three()
    driven.say("ann", says.Chat("  Bonne route\u202e!  "))
    said = out.ChatSaid(0, "Ann", "Bonne route!")
    assert [heard(driven, guest) for guest in ("ann", "bob", "cem")] == [[said]] * 3
    assert heard(driven, "eve") == heard(driven, None) == []


def test_saying_nothing_is_refused() -> None:
    assert three().refusal("ann", says.Chat(" \u200b\n ")) == "nothing_said"


def test_emotes_are_those_on_offer() -> None:
    driven = three()
    for emote in EMOTES:
        driven.say("cem", says.Emote(emote))
        assert heard(driven, "ann") == [out.Emoted(2, "Cem", emote)]
    assert driven.refusal("cem", says.Emote("rude")) == "no_such_emote"


def test_whoever_is_muted_is_not_heard_by_the_one_who_muted_them() -> None:
    driven = three()
    driven.say("bob", says.Mute(2))
    assert driven.view("bob").muted == (2,)
    assert driven.view("cem").muted == ()
    for message in (says.Chat("spam"), says.Emote("hurry")):
        driven.say("cem", message)
        assert heard(driven, "bob") == []
        assert len(heard(driven, "ann")) == 1
    driven.say("bob", says.Mute(2, on=False))
    driven.say("cem", says.Chat("sorry"))
    assert len(heard(driven, "bob")) == 1


def test_one_cannot_mute_oneself_or_nobody() -> None:
    driven = three()
    assert driven.refusal("bob", says.Mute(1)) == "no_such_member"
    assert driven.refusal("bob", says.Mute(9)) == "no_such_member"


def test_talk_changes_no_decision() -> None:
    driven = three().start()
    decision = driven.table.decision
    driven.say("bob", says.Chat("hm"))
    driven.say("cem", says.Emote("hurry"))
    driven.say("dee", says.Join("Dee"))
    driven.say("ann", says.Mute(1))
    assert driven.table.decision == decision


def test_every_input_has_a_number_and_every_member_a_frame_of_it() -> None:
    driven = three().start()
    seqs = [outcome.table.seq for outcome in driven.outcomes]
    assert seqs == list(range(1, len(seqs) + 1))
    for guest in ("ann", "bob", "cem"):
        assert len(driven.frames(guest)) == len(seqs)

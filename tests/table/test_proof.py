"""A record of a table can be checked offline: whatever was changed in it is found."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from millebornes.fair.fault import Fault
from millebornes.records import Game, cut_game, game
from millebornes.records.tokens import Token
from millebornes.rules.moves import Extend
from millebornes.table import messages_in as says
from millebornes.table.proof import Finding, check_record

from .driven_table import PRINTED, DrivenTable, table_settings

TWO_HANDS = PRINTED.house({"hands": 2, "tie": "drawn"})


def record_of_a_match() -> Game:
    driven = DrivenTable(table_settings(TWO_HANDS, 3)).join("ann", "bob").bots(2).start()
    driven.play_to_the_end()
    assert driven.table.game is not None
    return driven.table.game


RECORD = record_of_a_match()


def faults(record: Game) -> list[tuple[int, str]]:
    """The codes of the faults, for each hand."""
    found = check_record(record)
    return [(finding.hand, finding.fault.code) for finding in found if finding.fault]


def with_deal(number: int, **changes: Any) -> Game:
    deals = list(RECORD.deals)
    deals[number] = replace(deals[number], **changes)
    return replace(RECORD, deals=tuple(deals))


def with_transcript(number: int, change: Callable[[dict[str, Any]], None]) -> Game:
    text = RECORD.deals[number].transcript
    assert text is not None
    data = json.loads(text)
    change(data)
    return with_deal(number, transcript=json.dumps(data))


def test_a_record_of_a_whole_match_is_sound() -> None:
    again = game.from_text(game.to_text(RECORD))
    findings = check_record(again)
    assert [(finding.hand, finding.fault) for finding in findings] == [(1, None), (2, None)]


def test_a_record_of_a_rematch_is_sound() -> None:
    driven = DrivenTable(table_settings(TWO_HANDS)).join("ann", "bob").start().play_to_the_end()
    driven.say("ann", says.Rematch())
    driven.say("bob", says.Rematch())
    driven.play_to_the_end()
    assert driven.table.game is not None
    assert faults(driven.table.game) == []


def test_another_deck_is_found() -> None:
    deck = list(RECORD.deals[0].deck)
    other = next(i for i, card in enumerate(deck) if card is not deck[0])
    deck[0], deck[other] = deck[other], deck[0]
    found = faults(with_deal(0, deck=tuple(deck)))
    assert (1, "other_deck") in found


def test_two_cards_of_the_pile_exchanged_are_found() -> None:
    deck = list(RECORD.deals[1].deck)
    other = next(i for i, card in enumerate(deck) if card is not deck[-1])
    deck[-1], deck[other] = deck[other], deck[-1]
    assert faults(with_deal(1, deck=tuple(deck)))


def test_a_move_that_does_not_follow_is_found() -> None:
    moves = RECORD.deals[0].moves
    found = faults(with_deal(0, moves=moves[1:]))
    assert (0, "moves_do_not_follow") in found


def test_another_result_is_found() -> None:
    assert RECORD.result is not None
    wrong = replace(RECORD, result=tuple(points + 5 for points in RECORD.result))
    assert faults(wrong) == [(0, "moves_do_not_follow")]


def test_hands_in_another_order_are_found() -> None:
    found = faults(replace(RECORD, deals=RECORD.deals[::-1], result=None))
    assert (2, "hand_not_next") in found


def test_a_hand_dealt_again_is_found() -> None:
    again = replace(RECORD, deals=(RECORD.deals[0], RECORD.deals[0]), result=None)
    assert (2, "hand_not_next") in faults(again)


def test_a_missing_transcript_is_told() -> None:
    assert faults(with_deal(1, transcript=None)) == [(2, "no_transcript")]


def record_of_a_running_match(moves: int) -> Game:
    driven = DrivenTable(table_settings(TWO_HANDS, 3)).join("ann", "bob").bots(2).start()
    while driven.table.hands_dealt < 2:
        driven.play_on()
    for _ in range(moves):
        driven.play_on()
    assert driven.phase() == "playing"
    assert driven.table.game is not None
    return driven.table.game


@pytest.mark.parametrize("moves", [0, 1, 7])
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_hand_that_is_still_played_has_its_proof_to_come(moves: int, seat: int | None) -> None:
    record = cut_game(record_of_a_running_match(moves), seat)
    findings = check_record(game.from_text(game.to_text(record)))
    assert findings == [Finding(1, None), Finding(2, None, in_play=True)]


def test_a_finished_hand_without_a_transcript_is_at_fault_even_if_it_is_the_last() -> None:
    ended = replace(RECORD, deals=RECORD.deals[:1], result=None)
    assert faults(ended) == []
    unproven = replace(ended, deals=(replace(ended.deals[0], transcript=None),))
    assert faults(unproven) == [(1, "no_transcript")]
    running = record_of_a_running_match(3)
    first, last = running.deals
    before = replace(running, deals=(replace(first, transcript=None), last))
    assert check_record(before) == [
        Finding(1, Fault.of("no_transcript")),
        Finding(2, None, in_play=True),
    ]


def test_a_hand_whose_moves_are_wrong_does_not_pass_as_one_still_played() -> None:
    running = record_of_a_running_match(3)
    first, last = running.deals
    moves = (*last.moves, Token(Extend()))
    wrong = replace(running, deals=(first, replace(last, moves=moves)))
    assert [hand for hand, _ in faults(wrong)] == [2, 0]


def test_a_hand_of_practice_has_no_proof_to_come() -> None:
    driven = DrivenTable(table_settings(TWO_HANDS, practice=True, seed="1954"))
    driven.join("ann").bots(1).start()
    record = driven.table.game
    assert record is not None
    for one in (record, cut_game(record, 0)):
        assert faults(one) == [(1, "no_transcript")]


def test_a_record_without_a_hand_proves_nothing() -> None:
    assert faults(replace(RECORD, deals=(), result=None)) == [(0, "no_hand")]


@pytest.mark.parametrize(
    "text", ["{}", '{"ctx": 1}', '{"clients": [[]]}', "[]", "{", "[" * 100_000]
)
def test_a_transcript_that_cannot_be_read_is_told(text: str) -> None:
    (hand, code), *_ = faults(with_deal(0, transcript=text))
    assert (hand, code.partition("_")[0]) == (1, "transcript")


def flip(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def change_seed(data: dict[str, Any]) -> None:
    data["server_seed"] = flip(data["server_seed"])


def change_commit(data: dict[str, Any]) -> None:
    data["server_commit"] = flip(data["server_commit"])


def change_entropy(data: dict[str, Any]) -> None:
    data["clients"][0]["entropy"] = flip(data["clients"][0]["entropy"])


def withhold_entropy(data: dict[str, Any]) -> None:
    data["clients"][1]["entropy"] = None


def leave_a_seat_out(data: dict[str, Any]) -> None:
    del data["clients"][0]


def change_deck(data: dict[str, Any]) -> None:
    data["deck"][:2] = data["deck"][1::-1]


def change_game(data: dict[str, Any]) -> None:
    data["ctx"] = data["ctx"].replace("game-1", "game-2")


def change_edition(data: dict[str, Any]) -> None:
    data["ctx"] = data["ctx"].replace("house-", "printed-")


def break_context(data: dict[str, Any]) -> None:
    data["ctx"] = "MB-FAIR-1"


def count_absurdly(data: dict[str, Any]) -> None:
    data["ctx"] = data["ctx"].replace("|1|", f"|{'9' * 5000}|").replace("|2|", "|٣|")


CHANGES = [
    change_seed,
    change_commit,
    change_entropy,
    withhold_entropy,
    leave_a_seat_out,
    change_deck,
    change_game,
    change_edition,
    break_context,
    count_absurdly,
]


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_whatever_is_changed_in_a_transcript_is_found(
    change: Callable[[dict[str, Any]], None], number: int
) -> None:
    assert faults(with_transcript(number, change))


def test_a_whole_forged_transcript_of_another_game_is_found() -> None:
    """Sound in itself, with its deck and moves: but the hand before was of another game."""
    other = DrivenTable(table_settings(TWO_HANDS, 3), flavour="other")
    other.first = other.table = structs.replace(other.table, game_id="game-2")
    other.join("ann", "bob").bots(2).start().play_to_the_end()
    assert other.table.game is not None
    mixed = replace(RECORD, deals=(RECORD.deals[0], other.table.game.deals[1]), result=None)
    assert (2, "other_game") in faults(mixed)


def test_a_seat_that_is_not_at_the_table_is_found() -> None:
    from millebornes.fair.protocol import Contribution, Transcript, client_commit, deck_order

    text = RECORD.deals[0].transcript
    assert text is not None
    sound = Transcript.from_json(json.loads(text))
    made_up = Contribution(7, client_commit(sound.ctx, 7, sound.commit, b"g" * 32), b"g" * 32)
    clients = (*sound.clients, made_up)
    order = deck_order(sound.ctx, sound.seed, clients, len(sound.deck))
    forged = sound._replace(clients=clients, deck=order)
    assert forged.faults() == []
    deck = RECORD.edition.deck(RECORD.players)
    record = with_deal(
        0, transcript=json.dumps(forged.to_json()), deck=tuple(deck[index] for index in order)
    )
    assert Finding(1, Fault.of("no_such_seat", seat=7)) in check_record(record)


def test_a_shuffle_for_fewer_cards_is_found() -> None:
    def shorten(data: dict[str, Any]) -> None:
        data["deck"] = list(range(10))
        data["deck_size"] = 10

    needed = len(RECORD.deals[0].deck)
    found = check_record(with_transcript(0, shorten))
    assert Finding(1, Fault.of("other_size", size=10, needed=needed)) in found


def test_names_and_the_date_are_not_in_the_proof() -> None:
    """As `docs/protocol.md` says."""
    assert RECORD.date is not None
    renamed = replace(RECORD, seats=("Zoe", "Yan", "Xue"), date="1954-07-14")
    assert renamed != RECORD
    assert faults(game.from_text(game.to_text(renamed))) == []

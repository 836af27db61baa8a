"""`millebornes judge`: legal or not, why, and the table afterwards."""

import json
from pathlib import Path
from typing import Any

from millebornes.records import position

from .people import ask

QUARREL = """\
title: The red light
players: 2
battle 1: ROLL
hand 0: STOP 100
hand 1: ROW 25
moves: 100 STOP>1 1:ROW! 1:25
"""
LAST_MILES = """\
players: 4
miles 0: 975
battle 0: ROLL
hand 0: 25
moves: 25
"""


def judged(text: str, *args: str) -> Any:
    done = ask("judge", "-", "--json", *args, stdin=text)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_each_move_gets_its_verdict() -> None:
    found = judged(QUARREL)
    assert list(found) == ["title", "edition", "moves", "legal_moves", "awaiting", "score_sheet"]
    assert [move["move"] for move in found["moves"]] == ["100", "STOP>1", "ROW!", "25"]
    assert [move["seat"] for move in found["moves"]] == [0, 0, 1, 1]
    assert [move["legal"] for move in found["moves"]] == [False, True, True, True]
    assert [move["code"] for move in found["moves"]] == ["needs_roll", None, None, None]
    assert found["moves"][0]["sentence"].startswith("You need a Roll first")
    assert found["moves"][2]["sentence"].startswith("Coup fourré! Seat 1 answers Stop")
    assert found["awaiting"] == {"what": "turn", "seats": [0]}
    assert found["legal_moves"] == ["x100", "x?"]
    assert found["score_sheet"] is None


def test_the_position_after_each_move_can_be_read_again() -> None:
    for move in judged(QUARREL)["moves"]:
        assert position.to_text(position.from_text(move["position"])) == move["position"]


def test_a_window_names_the_seats_asked() -> None:
    found = judged("players: 4\nbattle 1: ROLL\nhand 0: STOP\nmoves: STOP>1")
    assert found["awaiting"] == {"what": "window", "seats": [1, 3]}
    assert found["legal_moves"] == ["1:-", "3:-"]


def test_one_partner_may_decline_alone() -> None:
    found = judged("players: 4\nbattle 1: ROLL\nhand 0: STOP\nmoves: STOP>1 1:-")
    assert found["moves"][1]["sentence"] == "Seat 1 lets the attack stand."
    assert found["awaiting"] == {"what": "window", "seats": [3]}


def test_an_extension_is_awaited() -> None:
    found = judged("players: 2\nmiles 0: 675\nbattle 0: ROLL\nhand 0: 25\nmoves: 25")
    assert found["awaiting"] == {"what": "extension", "seats": [0]}
    assert found["legal_moves"] == ["ext", "end"]


def test_a_finished_hand_has_its_score_sheet() -> None:
    found = judged(LAST_MILES)
    assert found["awaiting"] == {"what": "deal", "seats": [1]}
    assert [*found["score_sheet"][0]] == [
        "miles", "safeties", "all_four", "coups_fourres", "trip", "delayed_action",
        "safe_trip", "shut_out", "extension", "total",
    ]  # fmt: skip
    assert found["score_sheet"][0]["total"] == 1000 + 400 + 300 + 500


def test_a_finished_match_has_its_winner() -> None:
    found = judged("scores: 4500 0\n" + LAST_MILES)
    assert found["awaiting"] == {"what": "over", "seats": [], "winner": 0}


def test_several_positions_give_an_array() -> None:
    found = judged(QUARREL + "---\n" + LAST_MILES)
    assert [one.get("title") for one in found] == ["The red light", None]


def test_the_edition_option_overrides_the_edition_in_the_file(tmp_path: Path) -> None:
    pile_up = "edition: winning-moves\nplayers: 2\nbattle 1: ROLL ACC\nhand 0: OUT\nmoves: OUT>1"
    assert judged(pile_up)["moves"][0]["code"] == "already_stopped"
    assert judged(pile_up, "--edition", "parker-1988")["moves"][0]["legal"]
    house = tmp_path / "house.toml"
    house.write_text('parent = "winning-moves"\nbattle_hazard_on = "started"\n')
    found = judged(pile_up, "--edition", str(house))
    assert found["moves"][0]["legal"]
    assert found["edition"].startswith("house-")


def test_illegal_moves_are_explained_and_are_no_error(tmp_path: Path) -> None:
    file = tmp_path / "quarrel.txt"
    file.write_text("\ufeff" + QUARREL)  # an editor's byte order mark does no harm
    done = ask("judge", file, "--lang", "fr")
    assert done.returncode == 0
    assert "interdit (needs_roll)" in done.stdout
    assert "Il vous faut d'abord un Feu vert" in done.stdout
    assert "Coups permis : x100 x?" in done.stdout


def test_people_see_the_score_sheet_too() -> None:
    done = ask("judge", "-", stdin=LAST_MILES)
    assert "Safe trip" in done.stdout
    assert "To deal next: seat 1." in done.stdout


def test_a_numbered_team_completes_the_trip() -> None:
    said = judged(LAST_MILES)["moves"][0]["sentence"]
    assert said == "Seat 0 plays 25 miles. Side 0 completes the trip. The hand is over."
    said = judged(LAST_MILES, "--lang", "fr")["moves"][0]["sentence"]
    assert said == "Place 0 joue : 25 km. Camp 0 achève l'étape. La manche est finie."


def test_after_an_extension_the_heading_names_the_longer_trip() -> None:
    extended = "called: 0\nmiles 0: 800\nbattle 0: ROLL\nhand 0: 100\nmoves: 100\n"
    assert "winning-moves, 2 players, trip of 1000\n" in ask("judge", "-", stdin=extended).stdout
    usual = extended.partition("\n")[2].replace("800", "400")
    assert "winning-moves, 2 players, trip of 700\n" in ask("judge", "-", stdin=usual).stdout


def test_an_unknown_card_that_is_not_there_is_explained() -> None:
    text = "hand 0: only 25\nmoves: x?\n"
    assert judged(text)["moves"][0]["sentence"].startswith("Every card of this hand is known: ")
    said = judged(text, "--lang", "fr")["moves"][0]["sentence"]
    assert said.startswith("Toutes les cartes de cette main sont connues : ")


def test_a_position_without_moves_shows_the_table() -> None:
    done = ask("judge", "-", stdin="players: 3\n")
    assert done.returncode == 0
    assert "side 2" in done.stdout

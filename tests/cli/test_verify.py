"""`millebornes verify`: sound, not sound, unreadable. Records of real tables: test_bot.py."""

import json
from pathlib import Path

from millebornes.cli.game import PlayOptions, play_game
from millebornes.records import game
from millebornes.words import words
from tests.table.driven_table import QUICK, DrivenTable, table_settings

from .people import SeeingScreen, ask


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    assert ask("verify", tmp_path / "missing").returncode == 2
    broken = tmp_path / "broken.txt"
    broken.write_text("game: 1\nedition: nowhere\n")
    done = ask("verify", broken)
    assert done.returncode == 2
    assert "broken.txt, line 2" in done.stderr


def test_a_game_dealt_from_a_seed_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    play_game(PlayOptions(seed="alone", hands=1, save=path), SeeingScreen(), words())
    done = ask("verify", path)
    assert done.returncode == 1
    assert "dealt from a seed" in done.stdout
    told = json.loads(ask("verify", "-", "--json", stdin=path.read_bytes()).stdout)
    assert told["sound"] is False


def test_a_record_without_a_hand_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("game: 1\nedition: winning-moves\nplayers: 2\n")
    done = ask("verify", path)
    assert done.returncode == 1
    assert "The record: " in done.stdout


def test_a_fault_is_reported_in_the_language_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "changed.txt"
    sitting = DrivenTable(table_settings(QUICK)).join("ann", "bob").start().play_to_the_end()
    assert sitting.table.game is not None
    text = game.to_text(sitting.table.game)
    deck = sitting.table.game.deals[0].deck
    other = next(card for card in deck if card is not deck[0])
    path.write_text(text.replace(f"deck: {deck[0]}", f"deck: {other}"), encoding="utf-8")
    english = ask("verify", path)
    assert english.returncode == 1
    assert "Hand 1: the deck in the record is not the deck that was shuffled." in english.stdout
    french = ask("verify", path, "--lang", "fr").stdout
    assert "Manche 1\u00a0: le paquet du relevé n'est pas celui qui a été mélangé." in french
    (hand, record) = json.loads(ask("verify", path, "--json", "--lang", "fr").stdout)["hands"][::-1]
    assert hand["faults"] == [
        {
            "code": "other_deck",
            "params": {},
            "sentence": "le paquet du relevé n'est pas celui qui a été mélangé",
        }
    ]
    (fault,) = record["faults"]
    assert (record["hand"], fault["code"]) == (0, "moves_do_not_follow")
    assert fault["params"]["detail"] in fault["sentence"]


def test_a_hand_still_being_played_is_reported_but_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "running.txt"
    sitting = DrivenTable(table_settings()).join("ann", "bob").start()
    sitting.play_on()
    assert sitting.table.game is not None
    path.write_text(game.to_text(sitting.table.game), encoding="utf-8")
    done = ask("verify", path)
    assert done.returncode == 0
    assert done.stdout == (
        "Hand 1 is still being played: its proof comes when it ends.\nSo far all is well.\n"
    )
    assert "se joue encore" in ask("verify", path, "--lang", "fr").stdout
    told = json.loads(ask("verify", path, "--json").stdout)
    assert told == {"sound": True, "hands": [{"hand": 1, "in_play": True, "faults": []}]}

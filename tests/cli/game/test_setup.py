"""From the options of `play` to a game: seeds, names, house rules, resuming."""

import re
from pathlib import Path

import pytest

from millebornes.cli.game import PlayOptions, play_game
from millebornes.cli.game.setup import PERSON
from millebornes.words import words
from tests.cli.people import ScriptedScreen, SeeingScreen
from tests.cli.records import only_record, read


def test_a_seed_deals_the_same_game_again(tmp_path: Path) -> None:
    records = []
    for name in ("one", "two"):
        options = PlayOptions(players=2, seed="again", hands=1, save=tmp_path / name)
        play_game(options, SeeingScreen(), words())
        records.append(read(tmp_path / name))
    assert records[0] == records[1]


def test_without_a_seed_a_random_one_is_chosen_and_shown() -> None:
    seeds = set()
    for _ in range(2):
        screen = ScriptedScreen()
        play_game(PlayOptions(), screen, words())
        found = re.search(r"Seed ([0-9a-f]{12}):", screen.text)
        assert found
        seeds.add(found[1])
    assert len(seeds) == 2


def test_the_person_starts_and_no_bot_has_the_same_name(data: Path) -> None:
    options = PlayOptions(edition="dujardin-2019", players=8, name="  HUGO ")
    screen = ScriptedScreen()
    play_game(options, screen, words())
    record = read(only_record(data))
    assert record.seats == ("HUGO", "Léa", "Chloé", "Louis", "Manon", "Jules", "Inès", "Gabin")
    assert record.dealer == 7
    assert "d = discard" in screen.questions[0]


def test_a_short_trip_and_house_rules_are_kept(data: Path, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('parent = "dujardin-2019"\nautoroute_cards = 2\n')
    options = PlayOptions(edition=str(house), players=4, short_trip=True, hands=3, target=1000)
    screen = ScriptedScreen()
    play_game(options, screen, words())
    record = read(only_record(data))
    assert record.start().trip == 700
    assert (record.edition.autoroute_cards, record.edition.hands) == (2, 3)
    assert "a trip of 700 km" in " ".join(screen.text.split())
    assert "Hands in this match: 3." in screen.text


def test_resume_finds_the_latest_unfinished_game(data: Path) -> None:
    play_game(PlayOptions(seed="old", hands=1), SeeingScreen(), words())
    play_game(PlayOptions(seed="new"), ScriptedScreen("d 1"), words())
    (data / "games" / "notes.txt").write_text("not a game")
    (data / "games" / "other.json").write_text("{}")
    screen = ScriptedScreen()
    assert play_game(PlayOptions(resume=True), screen, words()) == 0
    assert "Welcome back" in screen.text
    assert "-new.txt" in screen.text
    assert "You discard" in screen.text  # the latest events are repeated


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("a\x1b[31m", "a[31m"),
        ("Ann\u202e", "Ann"),
        (" Jean\tLuc ", "Jean Luc"),
        ("M\ufe0fax", "Max"),
    ],
)
def test_a_name_is_cleaned_as_tables_clean_it(typed: str, kept: str, data: Path) -> None:
    play_game(PlayOptions(name=typed), ScriptedScreen(), words())
    assert read(only_record(data)).seats[PERSON] == kept

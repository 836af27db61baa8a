"""`millebornes bots`."""

import json
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from millebornes.bots import GENTLEST, LEVELS, MEASURED, levels
from millebornes.cli.game.ladder import Ladder, write_ladder
from millebornes.words import languages, words

from .people import ask


@pytest.mark.parametrize("language", languages())
def test_every_level_is_listed_with_its_line_and_its_figure(language: str) -> None:
    done = ask("bots", "--lang", language)
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    said, spoken = " ".join(done.stdout.split()), words(language)
    places = [said.index(f"{level} {spoken.level(level)}") for level in LEVELS]
    assert places == sorted(places)
    for level in LEVELS:
        assert spoken.level_line(level) in said
        assert spoken.measured(*MEASURED[level]) in said


def test_a_figure_is_said_as_a_sentence_with_its_article() -> None:
    assert words("en").measured("learner", 0.754) == "Wins 75 of 100 matches against the Learner."
    french = words("fr")
    assert french.measured("learner", 0.75) == "Gagne 75 parties sur 100 contre l'Apprenti."
    sunday = french.measured("sunday-driver", 0.58)
    assert sunday == "Gagne 58 parties sur 100 contre le Conducteur du dimanche."


def test_bots_as_json() -> None:
    found = json.loads(ask("bots", "--json").stdout)
    assert [level["id"] for level in found["levels"]] == list(LEVELS)
    assert [level["id"] for level in found["levels"] if level["default"]] == [GENTLEST]
    assert found["levels"][1]["name"] == "Sunday Driver"
    assert found["levels"][1]["wins"] == MEASURED["sunday-driver"].wins
    assert all(level["against"] in LEVELS for level in found["levels"])


def test_the_level_played_last_is_marked_with_the_wins_against_it() -> None:
    write_ladder(Ladder("sunday-driver", {"learner": 3, "sunday-driver": 2}))
    said = ask("bots").stdout
    listed = said[said.index("sunday-driver  ") : said.index("commuter  ")]
    assert "Matches you have won against it here: 2." in listed
    assert said.count("unless you choose another") == listed.count("unless you choose another") == 1


def test_without_numba_the_levels_that_need_it_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "needs Numba" not in ask("bots").stdout
    monkeypatch.setattr(levels, "has_kernel", lambda: False)
    said = ask("bots").stdout
    assert said.index("needs Numba") > said.index("commuter  ")
    found = json.loads(ask("bots", "--json").stdout)["levels"]
    assert {level["id"] for level in found if not level["playable"]} == {"commuter"}


def test_bots_of_other_packages_are_listed_and_not_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "other packages" not in ask("bots").stdout
    theirs = EntryPoints(
        [EntryPoint("zigzag", "nowhere:Bot", "millebornes.bots"), EntryPoint("b", "n:B", "other")]
    )
    monkeypatch.setattr("importlib.metadata.entry_points", theirs.select)
    assert "\n    zigzag\n" in ask("bots").stdout.partition("From other packages")[2]
    assert json.loads(ask("bots", "--json").stdout)["installed"] == ["zigzag"]

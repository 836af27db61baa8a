"""`millebornes editions` and `millebornes edition`."""

import json
from pathlib import Path

import pytest

from millebornes.rules import DEFAULT_EDITION, EDITIONS, PRESETS
from millebornes.rules.edition import rule_fields
from millebornes.words import languages, rule_book, words
from tools.generate import ROOT

from .people import ask


def test_all_editions_are_listed() -> None:
    done = ask("editions")
    assert done.returncode == 0
    for edition in EDITIONS.values():
        assert edition.id in done.stdout
        assert str(edition.name) in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    listed = done.stdout[done.stdout.index(DEFAULT_EDITION.id) :]
    assert listed.index("Played unless you choose another.") < listed.index("Web article")
    assert done.stdout.count("Played unless") == 1


def test_editions_as_json() -> None:
    found = json.loads(ask("editions", "--json", "--lang", "fr").stdout)
    printed = [edition for edition in found if edition["printed"]]
    assert [edition["id"] for edition in printed] == list(EDITIONS)
    assert printed[-1]["players"] == [2, 3, 4, 6, 8]
    assert "coffret français" in printed[-1]["character"]
    presets = found[len(printed) :]
    assert [(edition["id"], edition["name"]) for edition in presets] == [
        ("family", "Famille"),
        ("quick", "Partie rapide"),
    ]
    assert [edition["id"] for edition in found if edition["default"]] == [DEFAULT_EDITION.id]


def test_presets_are_listed_apart_as_not_printed() -> None:
    said = ask("editions").stdout
    first, apart, second = said.partition("not printed in any box:")
    assert apart
    assert all(f"\n{name}  " in second and f"\n{name}  " not in first for name in PRESETS)
    assert all(name not in second for name in EDITIONS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_shown_like_any_house_rules(name: str) -> None:
    said = ask("edition", name).stdout
    assert said.startswith(f"{PRESETS[name].name}\n")
    assert "House rules on top of winning-moves." in said
    assert "start_rolling = true" in said


def test_an_unknown_edition_is_refused_with_every_name() -> None:
    done = ask("edition", "hasbro")
    assert done.returncode != 0
    assert "dujardin-2019, family, quick" in " ".join(done.stderr.split())


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_shows_every_field_with_its_source(name: str) -> None:
    done = ask("edition", name)
    assert done.returncode == 0
    for field in rule_fields():
        assert f"\n{field} = " in done.stdout
    assert done.stdout.count("Source: ") == len(rule_fields())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_shows_the_tables_of_its_page_in_80_columns(name: str, language: str) -> None:
    done = ask("edition", name, "--lang", language)
    assert max(map(len, done.stdout.splitlines())) <= 80
    spoken, edition = words(language).of(EDITIONS[name]), EDITIONS[name]
    shown = " ".join(done.stdout.split())
    for table in (
        rule_book.players_table(edition, spoken),
        rule_book.deck_table(edition, spoken),
        rule_book.scoring_table(edition, spoken),
        rule_book.differences(edition, spoken),
    ):
        for row in table.rows:
            assert all(word in shown for cell in row for word in cell.split())
    for title in ("players", "deck", "attacks", "scoring", "fields"):
        assert spoken.rule_book(title) in shown
    if edition is DEFAULT_EDITION:
        assert spoken.rule_book("no_differences") in shown
    else:
        assert spoken.rule_book("differences_from", edition=DEFAULT_EDITION.id) in shown


def test_the_page_and_the_terminal_say_the_same_of_the_score() -> None:
    shown = " ".join(ask("edition", "dujardin-2019").stdout.split())
    page = (ROOT / "docs" / "rules" / "dujardin-2019.md").read_text(encoding="utf-8")
    for line, points, when in rule_book.scoring_table(
        EDITIONS["dujardin-2019"], words("en").of(EDITIONS["dujardin-2019"])
    ).rows:
        assert f"| {line} | {points} | {when} |" in page
        assert f"{line} {points} {when.split()[0]}" in shown
    assert "for each kilometre travelled" in shown
    assert "miles" not in shown.replace("most_miles", "")


def test_house_rules_are_compared_with_their_parent(tmp_path: Path) -> None:
    house = tmp_path / "lake.toml"
    house.write_text('parent = "dujardin-2019"\nmax_200s = 4\n')
    shown = " ".join(ask("edition", house).stdout.split())
    assert "Differences from dujardin-2019 field here dujardin-2019 max_200s 4 2 200s each" in shown


def test_an_edition_as_json() -> None:
    found = json.loads(ask("edition", "article", "--json").stdout)
    assert found["id"] == "article"
    assert found["rules"]["trip"]["value"] == {"2": 700, "3": 700, "4": 1000}
    assert set(found["rules"]) == set(rule_fields())
    assert all(rule["source"] for rule in found["rules"].values())


def test_french_explains_the_fields() -> None:
    assert "à combien l'on peut jouer" in ask("edition", "article", "--lang", "fr").stdout


def test_house_rules_from_a_file(tmp_path: Path) -> None:
    house = tmp_path / "lake"  # any name works, if the file exists
    house.write_text('parent = "article"\nname = "[red]Lake"\nmax_200s = 4\n')
    done = ask("edition", house)
    assert "[red]Lake" in done.stdout
    assert "House rules on top of article." in done.stdout
    assert "max_200s = 4" in done.stdout
    assert "Source: house rule" in done.stdout

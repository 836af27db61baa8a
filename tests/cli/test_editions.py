"""The editions and every rule of one."""

import json
from pathlib import Path

import pytest

from millebornes.rules import DEFAULT_EDITION, EDITIONS
from millebornes.rules.edition import rule_fields

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
    assert [edition["id"] for edition in found] == list(EDITIONS)
    assert found[-1]["players"] == [2, 3, 4, 6, 8]
    assert "équipes" in found[-1]["character"]
    assert [edition["id"] for edition in found if edition["default"]] == [DEFAULT_EDITION.id]


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_shows_every_field_with_its_source(name: str) -> None:
    done = ask("edition", name)
    assert done.returncode == 0
    for field in rule_fields():
        assert f"\n{field} = " in done.stdout
    assert done.stdout.count("Source: ") == len(rule_fields())


def test_an_edition_as_json() -> None:
    found = json.loads(ask("edition", "article", "--json").stdout)
    assert found["id"] == "article"
    assert found["rules"]["trip"]["value"] == {"2": 700, "3": 700, "4": 1000}
    assert set(found["rules"]) == set(rule_fields())
    assert all(rule["source"] for rule in found["rules"].values())


def test_french_explains_the_fields() -> None:
    assert "à combien l'on peut jouer" in ask("edition", "article", "--lang", "fr").stdout


def test_house_rules_from_a_file(tmp_path: Path) -> None:
    house = tmp_path / "lake"  # any name will do, if the file is there
    house.write_text('parent = "article"\nname = "[red]Lake"\nmax_200s = 4\n')
    done = ask("edition", house)
    assert "[red]Lake" in done.stdout
    assert "House rules on top of article." in done.stdout
    assert "max_200s = 4" in done.stdout
    assert "Source: house rule" in done.stdout

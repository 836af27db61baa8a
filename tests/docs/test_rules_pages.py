"""The rules pages agree with the editions."""

import pytest

from millebornes.records import judge
from millebornes.rules import EDITIONS, PRESETS, EditionError, edition_named, house_rules
from millebornes.rules.cards import ALL_CARDS, DISTANCES
from millebornes.rules.edition import rule_fields
from millebornes.words import words
from tools.generate import ROOT
from tools.rules_pages import SAID

from .blocks import Block, blocks_of

HOUSE_RULES = ROOT / "docs" / "rules" / "house-rules.md"
EXAMPLES = [block for block in blocks_of(HOUSE_RULES) if block.kind == "toml"]


def test_every_edition_has_a_page() -> None:
    found = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert found == {*EDITIONS, "README", "house-rules", "names"}


def test_the_names_page_says_how_to_say_every_card() -> None:
    page = (ROOT / "docs" / "rules" / "names.md").read_text(encoding="utf-8")
    for card in set(ALL_CARDS) - DISTANCES:
        assert f"| `{card}` | {words('en').card(card)} | {words('fr').card(card)} | " in page
        assert SAID[card] in page
    for name in ("Emergency Vehicle", "Roulez", "Pneu crevé", "Réservoir"):
        assert name in page
        assert len(judge(f"hand 0: {name}")) == 1


@pytest.mark.parametrize("page", ["README.md", "docs/rules/README.md"])
def test_the_names_page_can_be_found(page: str) -> None:
    assert "names.md)" in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("block", EXAMPLES, ids=str)
def test_every_example_of_house_rules_is_accepted(block: Block) -> None:
    edition = house_rules(block.text)
    assert edition.id.startswith("house-")
    assert edition_named(str(edition.parent)).id == edition.parent


def test_every_mistake_is_told_as_the_page_says() -> None:
    blocks = blocks_of(HOUSE_RULES)
    mistakes = [(b, blocks[i + 1]) for i, b in enumerate(blocks) if b.kind == "toml-error"]
    assert mistakes
    for mistake, told in mistakes:
        with pytest.raises(EditionError) as raised:
            house_rules(mistake.text)
        assert f"{raised.value}\n" == told.text


def test_every_preset_is_explained() -> None:
    page = HOUSE_RULES.read_text(encoding="utf-8")
    for name in PRESETS:
        assert f"| `{name}` | " in page


def test_every_field_is_explained() -> None:
    page = HOUSE_RULES.read_text(encoding="utf-8")
    for name, rule in rule_fields().items():
        assert f"| `{name}` | {rule.means} | {rule.allowed} |" in page

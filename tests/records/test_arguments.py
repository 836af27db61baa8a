"""The arguments that people have most often, and how each edition settles them."""

import pytest

from millebornes.records import judge
from millebornes.records.arguments import ARGUMENTS
from millebornes.rules import EDITIONS

ALL = set(EDITIONS)
PILING = {"parker-1988", "encyclopedia"}
LEGAL = {
    # Parker's Special Notes, G, and the encyclopedia let hazards pile up.
    "already_stopped": PILING,
    "roll_after_remedy": set[str](),
    "roll_after_safety": set[str](),
    # Parker's Special Notes, G; Winning Moves §12.H; the article's only exception
    "limit_on_limit": {"parker-1988", "winning-moves", "article"},
    "limit_before_start": ALL,
    "limit_and_right_of_way": ALL,
    "hit_without_roll": ALL,
    "third_200": set[str](),
    # Two people drive 1000 km in the Dujardin box, 700 miles by the other rules.
    "past_the_trip": {"dujardin-2019"},
    "coup_fourre_after_drawing": set[str](),
    # Four people play for themselves in the Dujardin box.
    "coup_fourre_by_partner": ALL - {"dujardin-2019"},
    "discard_playable": ALL,
}


def test_there_are_twelve_arguments_and_each_has_an_id_of_its_own() -> None:
    assert [argument.id for argument in ARGUMENTS] == list(LEGAL)
    assert len(LEGAL) == 12


@pytest.mark.parametrize(("id_", "text"), ARGUMENTS)
def test_each_edition_settles_the_argument_as_its_text_does(id_: str, text: str) -> None:
    legal = set()
    for edition in EDITIONS.values():
        (judgement,) = judge(text, edition)
        *before, last = judgement.verdicts
        assert all(verdict.reason is None for verdict in before), (
            "only the last move is in question"
        )
        if last.reason is None:
            legal.add(edition.id)
    assert legal == LEGAL[id_]

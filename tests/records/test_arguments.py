"""The arguments that people have most often, and how each edition settles them."""

import pytest

from millebornes.records import RecordError, judge
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
    "past_the_trip": set[str](),
    "coup_fourre_after_drawing": set[str](),
    "coup_fourre_by_partner": ALL - {"article"},
    "discard_playable": ALL,
}
# The article is for up to four people. At four, the Dujardin box has no partners.
CANNOT_COME_UP = {"coup_fourre_by_partner": {"article"}}


def test_there_are_twelve_arguments_and_each_has_an_id_of_its_own() -> None:
    assert [argument.id for argument in ARGUMENTS] == list(LEGAL)
    assert len(LEGAL) == 12


@pytest.mark.parametrize(("id_", "text"), ARGUMENTS)
def test_each_edition_settles_the_argument_as_its_text_does(id_: str, text: str) -> None:
    legal = set()
    cannot_come_up = set()
    for edition in EDITIONS.values():
        try:
            (judgement,) = judge(text, edition)
        except RecordError:
            cannot_come_up.add(edition.id)
            continue
        *before, last = judgement.verdicts
        assert all(verdict.reason is None for verdict in before), (
            "only the last move is in question"
        )
        if last.reason is None:
            legal.add(edition.id)
    assert legal == LEGAL[id_]
    assert cannot_come_up == CANNOT_COME_UP.get(id_, set())

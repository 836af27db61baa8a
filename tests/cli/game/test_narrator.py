"""What the terminal game prints for the person."""

import pytest

from millebornes.bots import MEASURED
from millebornes.cli.game.intention import Unclear
from millebornes.cli.game.narrator import Narrator
from millebornes.records import position
from millebornes.rules import view
from millebornes.table.messages_out import BotEmoted
from millebornes.words import words
from tests.cli.people import SeeingScreen


def narrator() -> tuple[Narrator, SeeingScreen]:
    screen, spoken = SeeingScreen(), words("en")
    return Narrator(screen, spoken, spoken.named(["Léa", "Max"], 2, you=0)), screen


@pytest.mark.parametrize(
    ("text", "trip"),
    [
        ("turn: 0", 700),
        ("called: 0\nmiles 0: 700", 1000),
        ("called: 0\nmiles 0: 1000\nended: completed 0", 700),
    ],
)
def test_the_greeting_names_the_trip_of_the_hand_that_goes_on(text: str, trip: int) -> None:
    told, screen = narrator()
    told.greet(position.from_text(text), "learner", None, resumed=True)
    assert f"a trip of {trip} miles" in " ".join(screen.shown)


@pytest.mark.parametrize(("level", "name"), [("commuter", "Commuter"), ("my.bots:Mine", "Mine")])
def test_the_greeting_introduces_the_bots_and_how_strong_they_are(level: str, name: str) -> None:
    told, screen = narrator()
    told.greet(position.from_text("turn: 0"), level, None, resumed=False)
    said = " ".join(screen.shown)
    assert "Playing with you: Max." in said
    assert f"{name}." in said
    assert ("of 100 matches against the Sunday Driver." in said) == (level in MEASURED)


def test_a_muted_bot_is_not_printed() -> None:
    told, screen = narrator()
    hello = [BotEmoted(1, "Max", "hello")]
    told.tell_reactions(hello)
    assert screen.shown == ["Max: Hello!"]
    told.mute_bots()
    told.tell_reactions(hello)
    told.mute_bots()
    assert screen.shown.count("Max: Hello!") == 1
    told.tell_reactions(hello)
    assert screen.shown.count("Max: Hello!") == 2


@pytest.mark.parametrize("problem", ["unknown", "ambiguous", "whom", "no_number"])
def test_a_long_line_is_quoted_in_part(problem: str) -> None:
    told, screen = narrator()
    unclear = Unclear(problem, "y" * 500)  # type: ignore[arg-type]
    told.say_unclear(unclear, view(position.from_text("hand 0: ROLL"), 0))
    said = " ".join(screen.shown)
    assert "y" * 57 + "..." in said
    assert "y" * 58 not in said


@pytest.mark.parametrize(
    ("edition", "line", "more"),
    [
        ("winning-moves", "100    100 miles", "millebornes edition winning-moves"),
        ("dujardin-2019", "100    100 km", "millebornes edition dujardin-2019"),
    ],
)
def test_the_rules_are_shown_as_tables(edition: str, line: str, more: str) -> None:
    told, screen = narrator()
    told.show_rules(view(position.from_text(f"edition: {edition}"), 0))
    shown = [str(one) for one in screen.shown]
    assert max(map(len, shown)) <= screen.width
    assert any(one.startswith(line) for one in shown)
    assert "The deck" in shown
    assert "Scoring" in shown
    assert shown[-1].endswith(more)

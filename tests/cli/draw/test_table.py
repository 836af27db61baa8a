"""The table as text: everything needed for a decision, within 80 columns and 24 lines."""

import pytest
from rich.cells import cell_len

from millebornes.cli.draw.hand import draw_hand
from millebornes.cli.draw.table import draw_table
from millebornes.words import languages, words
from tests.cli.views import seen


def picture(text: str, language: str = "en", seat: int | None = 0) -> str:
    return "\n".join(
        line.plain for line in draw_table(*seen(text, language, seat), words(language), 80)
    )


def crowded(edition: str, players: int, sides: int) -> str:
    """A position with as many cards on the table as possible."""
    text = f"edition: {edition}\nplayers: {players}\nscores: {' '.join(['4975'] * sides)}\n"
    text += "discard: EOL\n"
    for side in range(sides):
        hazard = ("OUT", "ACC", "FLAT", "STOP")[side % 4]
        text += f"battle {side}: ROLL {hazard}\n" if side < 5 else ""
        text += f"speed {side}: LIM\n" if side < 4 else ""
        text += f"distance {side}: 25 50 75 100\n"
    safeties = ("ACE!", "TANK!", "PROOF!", "ROW!")
    for side in range(min(sides, 4)):
        text += f"safeties {side}: {safeties[side]}\n"
    if edition == "dujardin-2019":
        for side in range(4):
            text += f"autoroute {side}: 2\n"
    return text + "hand 0: ROLL REP GAS SPARE EOL EOL 200\n"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("edition", "players", "sides"),
    [
        ("winning-moves", 2, 2),
        ("winning-moves", 3, 3),
        ("winning-moves", 4, 2),
        ("winning-moves", 6, 3),
        ("dujardin-2019", 4, 4),
        ("dujardin-2019", 8, 4),
    ],
)
def test_the_decision_fits_on_a_screen(
    edition: str, players: int, sides: int, language: str
) -> None:
    known = seen(crowded(edition, players, sides), language)
    spoken = words(language)
    lines = draw_table(*known, spoken, 80) + draw_hand(*known, spoken, 80)
    assert max(cell_len(line.plain) for line in lines) <= 80
    assert len(lines) + 2 <= 24  # a blank line above, the question below


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("width", [50, 60, 75, 76, 100])
def test_narrow_and_wide_terminals(width: int, language: str) -> None:
    known = seen(crowded("dujardin-2019", 4, 4), language)
    spoken = words(language)
    lines = draw_table(*known, spoken, width) + draw_hand(*known, spoken, width)
    assert max(cell_len(line.plain) for line in lines) <= width


@pytest.mark.parametrize("players", [6, 8])
@pytest.mark.parametrize("language", languages())
def test_each_side_of_a_crowded_table_gets_one_line(players: int, language: str) -> None:
    text = crowded("dujardin-2019", players, players)
    text = text.replace("players:", "rule: teams_at = []\nplayers:")
    known = seen(text, language)
    lines = draw_table(*known, words(language), 80)
    assert len(lines) == players + 1
    assert max(cell_len(line.plain) for line in lines) <= 80
    assert "LIM · TANK! · AUTO 2" in lines[2].plain


@pytest.mark.parametrize(
    ("pile", "said"),
    [
        ("", "Not started: needs Roll"),
        ("battle 0: ROLL", "Roll: rolling"),
        ("battle 0: ROLL STOP", "Stop: needs Roll"),
        ("battle 0: ROLL ACC", "Accident: needs Repairs"),
        ("battle 0: ROLL ACC REP", "Repairs: now needs Roll"),
        ("battle 0: ROLL ACC\nsafeties 0: ACE", "Accident: now needs Roll"),
        ("safeties 0: ROW", "Right of Way: rolling"),
        ("battle 0: ROLL STOP\nsafeties 0: ROW", "Stop, rolling with Right of Way"),
        ("rule: start_rolling = true", "Rolling from the start"),
        ("rule: start_rolling = true\nsafeties 0: ROW", "Rolling from the start"),
        ("rule: start_rolling = true\nbattle 0: STOP", "Stop: needs Roll"),
        ("rule: remedy_restores_roll = true\nbattle 0: ROLL ACC REP", "Repairs: rolling"),
        ("speed 0: LIM", "Speed Limit: 25 or 50"),
        ("speed 0: LIM EOL", "no limit"),
        ("speed 0: LIM\nsafeties 0: ROW", "Speed Limit lifted"),
        ("distance 0: 25 100 25", "2×25 100"),
        ("safeties 0: ACE! TANK", "Driving Ace!, Extra Tank"),
        ("edition: dujardin-2019\nautoroute 0: 2", "Autoroute, turns left: 2"),
    ],
)
def test_each_pile_of_a_side_is_described(pile: str, said: str) -> None:
    assert said in picture(pile + "\nplayers: 2").splitlines()[2]


def test_the_road_shows_who_rolls_and_how_far() -> None:
    cars = "battle 0: ROLL\nmiles 0: 350\nmiles 1: 700"
    lines = picture(f"players: 2\nextension: 1\n{cars}").splitlines()
    assert "━━━━━━━━━━━━━▶╌" in lines[1]
    assert "━■┃" in lines[3]
    assert " 350 " in lines[1]


def test_a_spectator_sees_the_table() -> None:
    assert "Léa" in picture("players: 2", seat=None)

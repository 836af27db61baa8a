"""The report of a contest: columns that fit, and the running estimate."""

from rich.cells import cell_len

from millebornes import arena
from millebornes.cli.draw.contest import draw_contest, draw_estimate
from millebornes.rules import EDITIONS
from millebornes.words import words

ENGLISH, FRENCH = words("en"), words("fr")


def test_the_running_estimate_names_a_bot_and_its_interval() -> None:
    best = arena.play("article", ["greedy", "random"], pairs=100).bots[0]
    low, high = (f"{100 * share:.1f}" for share in best.match_wins[1:])
    won = f"{100 * best.match_wins.value:.1f}"
    assert draw_estimate(best, ENGLISH) == f"greedy {won} % ({low} to {high})"
    french = f"greedy {won} % ({low} à {high})".replace(".", ",")
    assert (
        draw_estimate(best, FRENCH)
        .replace("\N{NARROW NO-BREAK SPACE}", " ")
        .replace("\N{NO-BREAK SPACE}", " ")
        == french
    )


def test_a_report_fits_any_screen() -> None:
    dujardin = EDITIONS["dujardin-2019"]
    bots = ["greedy", "random", "commuter"]
    result = arena.play(dujardin, bots, pairs=20, players=4)
    for width in (40, 60, 100):
        lines = draw_contest(result, ENGLISH, speed=1234.5, width=width)
        assert all(cell_len(line.plain) <= width for line in lines)
        text = "\n".join(line.plain for line in lines)
        assert all(name in text for name in bots)
        assert "1,234 matches per second." in text

"""The report of a simulation: every figure legible, in both languages and at any width."""

import re

import pytest
from rich.cells import cell_len

from tests.cli.people import ask, run

QUICK = ("simulate", "--hands", "2000", "--jobs", "2")
FIGURE = re.compile(r"\d[\d.,\u00a0\u202f]*")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_people_get_sentences_tables_and_a_chart(lang: str) -> None:
    done = ask(*QUICK, "--bots", "greedy,random", "--lang", lang)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "Winning Moves Classic" in done.stdout
    assert ("2,000 hands" if lang == "en" else "2 000 manches") in done.stdout
    assert "greedy" in done.stdout
    assert "■■■" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("kind", ["--hands", "--matches"])
@pytest.mark.parametrize("bots", ["greedy", "greedy,random", "greedy,random,sunday-driver"])
def test_no_figure_is_cut_off_on_a_narrow_screen(bots: str, kind: str, lang: str) -> None:
    told = {}
    for width in (40, 60, 80, 100):
        done = ask(
            *("simulate", kind, "4", "--jobs", "1", "--players", "3", "--seed", "2"),
            *("--bots", bots, "--lang", lang),
            env={"COLUMNS": str(width)},
        )
        lines = done.stdout.splitlines()
        assert max(map(cell_len, lines)) <= width
        assert "…" not in done.stdout
        told[width] = {figure for line in lines[:-1] for figure in FIGURE.findall(line)}
        assert all(name in done.stdout for name in bots.split(","))
    assert told[40] == told[60] == told[80] == told[100]
    assert len(told[40]) > 20


def test_all_figures_have_the_same_thousands_separator() -> None:
    done = ask("simulate", "--matches", "300", "--seed", "1000", "--bots", "greedy,random")
    assert set(re.findall(r"\d{4,}", done.stdout)) == {"1000"}, "only the seed is no figure"


def test_an_ascii_terminal_shows_every_character_of_a_simulation() -> None:
    done = run(*QUICK, "--bots", "greedy,random", env={"PYTHONIOENCODING": "ascii"})
    assert re.search(r"Points of a hand +\d[\d,]* ~ \d", done.stdout)
    assert "?" not in done.stdout

"""Bad input of any kind: a clear sentence on stderr, exit code 2, no traceback."""

from pathlib import Path

import pytest

from .people import ask, run

LINK = "http://127.0.0.1:9/t/ID"
GAME = "game: 1\nedition: winning-moves\nplayers: 2\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "binary").write_bytes(b"\x00\x01\x02")
    (tmp_path / "latin").write_bytes("players: 2\nhand 0: é\n".encode("latin-1"))
    (tmp_path / "empty").write_text("")
    (tmp_path / "card").write_text("players: 2\nhand 0: ROLL FOO\n")
    (tmp_path / "escape").write_text("players: 2\nhand 0: \x1b[31mred\n")
    (tmp_path / "game").write_text(GAME)
    (tmp_path / "moves").write_text(GAME + "deal: 1\ndeck: ROLL\nmoves: ROLL\n")
    (tmp_path / "broken.toml").write_text('parent = "article"\nmax_200s = = 4\n')
    (tmp_path / "key.toml").write_text('parent = "article"\nmax_300s = 4\n')
    (tmp_path / "value.toml").write_text('parent = "article"\nmax_200s = 40\n')
    (tmp_path / "orphan.toml").write_text("max_200s = 4\n")
    (tmp_path / "deep.toml").write_text('parent = "article"\nmax_200s = ' + "[" * 20_000)
    (tmp_path / "digits.toml").write_text('parent = "article"\nmax_200s = ' + "9" * 5_000)
    (tmp_path / "nested.toml").write_text('parent = "article"\nmax_200s = ' + "[" * 90 + "]" * 90)
    (tmp_path / "huge.toml").write_text('parent = "article"\nmax_200s = ' + "9" * 480)
    (tmp_path / "long.toml").write_text('parent = "article"\n' + "k" * 400 + " = 1")
    (tmp_path / "eight.toml").write_text('parent = "article"\nextension_at = [8]\n')
    (tmp_path / "full").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["judge", "{}/nowhere"], "no such file"),
        (["judge", "{}/full"], "a folder"),
        (["judge", "{}/binary"], "not a text file"),
        (["judge", "{}/latin"], "line 2, byte 9: found 0xe9, expected text in UTF-8"),
        (["judge", "{}/empty"], "found nothing, expected a position"),
        (["judge", "{}/card"], "line 2, column 14: found 'FOO', expected a card"),
        (["judge", "{}/escape"], "line 2, column 9"),
        (["judge", "{}/game"], "line 1, column 1: found 'game'"),
        (["judge", "{}/card", "--edition", "parker"], "no edition 'parker'"),
        (["judge", "{}/card", "--lang", "xx"], "'xx': choose one of en, fr"),
        (["replay", "{}/nowhere"], "no such file"),
        (["replay", "{}/empty"], "found nothing, expected 'game: 1'"),
        (["replay", "{}/card"], "expected 'game: 1'"),
        (["replay", "{}/moves"], "found this deck"),
        (["replay", "{}/game", "--at", "1"], "no step 1"),
        (["replay", "{}/game", "--at", "x"], "--at"),
        (["edition", "nothing"], "no edition 'nothing'"),
        (["edition", "{}/nothing.toml"], "no such file"),
        (["edition", "{}/broken.toml"], "(at line 2, column 12)"),
        (
            ["edition", "{}/key.toml"],
            "max_300s = 4 is not allowed: expected max_200s, or another of",
        ),
        (["edition", "{}/value.toml"], "max_200s = 40 is not allowed: expected a whole number"),
        (
            ["edition", "{}/orphan.toml"],
            (
                "orphan.toml: parent is missing: expected one of parker-1988, winning-moves, "
                "article, encyclopedia, dujardin-2019, family, quick, as in: "
                'parent = "winning-moves".'
            ),
        ),
        (["edition", "{}/orphan.toml", "--lang", "fr"], "orphan.toml\u00a0: il manque parent"),
        (["edition", "{}/deep.toml"], "deep.toml: characters = 20030 is not allowed"),
        (["edition", "{}/nested.toml"], f"max_200s = {'[' * 57}... is not allowed: expected a"),
        (["edition", "{}/digits.toml"], "digits.toml: characters in one line = 5011 is not"),
        (["edition", "{}/huge.toml"], f"max_200s = {'9' * 57}... is not allowed: expected a whole"),
        (["edition", "{}/long.toml"], f"{'k' * 57}... = 1 is not allowed: expected one of the"),
        (
            ["edition", "{}/eight.toml"],
            (
                "extension_at = [8] is not allowed: expected only player counts of these rules "
                "(2, 3, 4), or player_counts with 8 as well."
            ),
        ),
        (["judge", "{}/card", "--edition", "x" * 200], f"no edition '{'x' * 57}...'"),
        (["play", "--bot", "x" * 200], f"no bot '{'x' * 57}...'"),
        (["editions", "--lang", "x" * 200], f"'{'x' * 57}...'"),
        (["editions", "--lang", "klingon"], "klingon"),
        (["play", "--edition", "{}/value.toml"], "max_200s = 40"),
        (["play", "--players", "5"], "cannot be played with 5 players: choose one of 2, 3, 4, 6"),
        (["play", "--players", "many"], "--players"),
        (["play", "--hands", "-1"], "--hands -1 is not allowed"),
        (["play", "--target", "7"], "--target 7 is not allowed"),
        (["play", "--short-trip"], "--short-trip true is not allowed"),
        (
            ["play", "--bot", "deep-blue"],
            "no bot 'deep-blue': choose one of learner, ",
        ),
        (["play", "--name", " "], "A name must have 1 to 24 visible characters"),
        (["play", "--name", "x" * 25], "A name must have 1 to 24 visible characters"),
        (["play", "--name", "\x1b"], "A name must have 1 to 24 visible characters"),
        (["play", "--name", "\u3164"], "characters that cannot be seen"),
        (["bot", "sunday-driver", "--join", LINK, "--name", "\u3164"], "cannot be seen"),
        (["bot", "sunday-driver", "--join", LINK, "--name", "x" * 25], "1 to 24 visible"),
        (["play", "--lang", "xx"], "xx"),
        (["play", "--save", "{}/game"], "already exists"),
        (["play", "--save", "{}/card/file"], "cannot be saved"),
        (["play", "{}/game"], "--resume"),
        (["play", "--resume"], "no unfinished game"),
        (["play", "--resume", "--seed", "1"], "--seed does not go with --resume"),
        (["play", "--resume", "{}/game"], "hides cards"),
        (["play", "--resume", "{}/nowhere"], "no such file"),
        (["play", "--resume", "{}/moves"], "hides cards"),
        (["play", "--resume", "{}/binary"], "not a text file"),
    ],
)
def test_bad_input_is_reported_with_exit_code_2(folder: Path, args: list[str], said: str) -> None:
    given = [arg.replace("{}", str(folder)) for arg in args]
    done = ask(*given, env={"MILLEBORNES_DATA": str(folder / "data")})
    assert done.returncode == 2, done.stdout
    assert said in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    assert done.stdout == ""


def test_an_error_is_one_line_on_stderr(folder: Path) -> None:
    done = run("judge", folder / "card", data=folder)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("millebornes: ")
    assert done.stderr.count("\n") == 1


def test_a_data_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("play", data=tmp_path / "file")
    assert done.returncode == 2
    assert "cannot be saved" in done.stderr


def test_errors_are_reported_in_french(tmp_path: Path) -> None:
    done = ask("judge", tmp_path / "rien", "--lang", "fr")
    assert done.returncode == 2
    assert done.stderr.endswith(": ce fichier n'existe pas.\n")
    done = ask("play", "--players", "5", "--lang", "fr")
    assert "se joue à 2, 3, 4, 6, pas à 5" in done.stderr

"""The output through a pipe, with NO_COLOR, and in encodings without accents."""

from pathlib import Path

import pytest

from .people import ESCAPE, blind_person, run


def test_a_pipe_gets_no_escape_codes(tmp_path: Path) -> None:
    done = run("play", "--seed", "1", stdin="?\nscore\n1\n", data=tmp_path)
    assert done.returncode == 0
    assert ESCAPE not in done.stdout
    assert "\r" not in done.stdout


def test_answers_are_echoed_in_a_transcript(tmp_path: Path) -> None:
    done = run("play", "--seed", "1", stdin="xyzzy\n", data=tmp_path)
    assert "? = help): xyzzy\n" in done.stdout


def test_no_color_overrides_force_color(tmp_path: Path) -> None:
    loud = run("play", "--seed", "1", stdin="1\n", data=tmp_path, env={"FORCE_COLOR": "1"})
    assert ESCAPE in loud.stdout
    quiet = {"FORCE_COLOR": "1", "NO_COLOR": "1"}
    assert ESCAPE not in run("play", "--seed", "1", stdin="1\n", data=tmp_path, env=quiet).stdout
    assert ESCAPE not in run("editions", env=quiet).stdout


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_ascii_terminal_gets_the_nearest_letters(lang: str, tmp_path: Path) -> None:
    done = run(
        "play", "--lang", lang, "--hands", "1", "--seed", "1", "--name", "Zoé Ünal 日本",
        stdin=blind_person(200), data=tmp_path, env={"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.isascii()
    assert "Zoe Unal ??" in done.stdout
    assert "Lea" in done.stdout


def test_json_for_an_ascii_terminal_is_lossless() -> None:
    import json

    plain = run("editions", "--json", "--lang", "fr", env={"PYTHONIOENCODING": "ascii"})
    assert plain.stdout.isascii()
    assert json.loads(plain.stdout) == json.loads(run("editions", "--json", "--lang", "fr").stdout)


def test_undecodable_input_does_no_harm(tmp_path: Path) -> None:
    done = run("play", stdin=b"\xff\xfe\nL\xc3\xa9a\n\x00\n", data=tmp_path)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_control_codes_in_a_file_do_not_reach_the_terminal() -> None:
    text = 'game: 1\nplayers: 2\nseat 0: "\\u001b[31mred"\nseat 1: "\\u0007"\n'
    done = run("replay", "-", stdin=text)
    assert done.returncode == 0
    assert ESCAPE not in done.stdout
    assert "[31mred" in done.stdout


def test_a_closed_output_causes_no_traceback(tmp_path: Path) -> None:
    import subprocess

    from .people import COMMAND, environment

    process = subprocess.Popen(
        [*COMMAND, "edition", "article"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(timeout=30)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    import subprocess

    from .people import COMMAND, environment

    for args in (["editions"], ["edition", "article", "--json"], ["play"]):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [*COMMAND, *args],
                stdin=subprocess.DEVNULL,
                stdout=full,
                stderr=subprocess.PIPE,
                env=environment(tmp_path),
                check=False,
                text=True,
            )
        assert done.returncode == 2
        assert done.stderr.startswith("millebornes: The output cannot be written: ")
        assert done.stderr.count("\n") == 1


def test_a_closed_input_ends_the_game_cleanly(tmp_path: Path) -> None:
    done = run("play", stdin="", data=tmp_path)
    assert done.returncode == 0
    assert "To go on: millebornes play --resume" in done.stdout

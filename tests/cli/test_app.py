"""The command line as a whole: the version, the list of commands, unknown commands."""

import subprocess
import sys

from millebornes import __version__

from .people import environment, run


def test_version_is_printed_before_anything_else_is_loaded() -> None:
    code = (
        "import sys; sys.argv = ['millebornes', '--version'];"
        "from millebornes.__main__ import main; main();"
        "heavy = {'typer', 'rich', 'platformdirs', 'millebornes.rules', 'millebornes.cli'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout.splitlines() == [f"millebornes {__version__}", "[]"]


def test_version_can_be_combined_with_other_options() -> None:
    assert run("--version", "--help").returncode == 0


def test_the_module_can_be_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "millebornes", "--version"],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    assert done.stdout == f"millebornes {__version__}\n"


def test_without_arguments_the_commands_are_listed() -> None:
    done = run()
    assert done.returncode == 0
    for command in ("editions", "edition", "judge", "replay", "play"):
        assert f"\n  {command} " in done.stdout


def test_an_unknown_command_is_refused() -> None:
    done = run("drive")
    assert done.returncode == 2
    assert "drive" in done.stderr
    assert "Traceback" not in done.stderr

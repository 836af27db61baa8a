"""`millebornes serve`: every setting is an option; what cannot be is told at the start."""

import re
import signal
import socket
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import httpx
import pytest

from millebornes.server.config import Config

from .people import ask, environment, run

PATIENCE = 30  # only how long a broken program is waited for


def test_every_setting_has_an_option() -> None:
    said = ask("serve", "--help", env={"COLUMNS": "200"}).stdout
    for setting in fields(Config):
        assert f"--{setting.name.replace('_', '-')}" in said
        assert setting.metadata["means"][1:30] in said


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_address_is_printed_and_ctrl_c_ends_it_well(language: str, tmp_path: Path) -> None:
    database = tmp_path / "new" / "folder" / "tables.sqlite"
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "millebornes", "serve", "--port", "0", "--lang", language),
            *("--database", str(database), "--bot-workers", "1", "--log-level", "warning"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(PYTHONUNBUFFERED="1"),
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)$", first)
        assert found, first
        assert str(database) in process.stdout.readline()
        assert "Ctrl-C" in process.stdout.readline()
        assert httpx.get(f"{found[0]}/api/health", timeout=PATIENCE).json() == {"status": "ok"}
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, errors) == (0, "", "")
    assert database.exists()


def refused(*args: str | Path, env: dict[str, str] | None = None) -> str:
    done = run("serve", *args, env=env)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return " ".join(done.stderr.split())


def test_bad_settings_are_named_with_their_source(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text("max_tables = 0\n")
    assert "port = 99999 (from --port): allowed is 0 to 65535" in refused("--port", "99999")
    assert "max_tables = 0" in refused("--config", config)
    assert "log_level = 'loud' (from MILLEBORNES_LOG_LEVEL)" in refused(
        env={"MILLEBORNES_LOG_LEVEL": "loud"}
    )
    assert "origins" in refused("--origins", "example.org")
    assert "config" in refused("--config", tmp_path / "missing.toml")
    assert "Le serveur ne peut pas démarrer" in refused("--port", "-1", "--lang", "fr")


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        told = refused("--port", port, "--database", tmp_path / "tables.sqlite")
    assert f"port {port} of 127.0.0.1 is in use" in told
    assert "--port" in told


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert "cannot be made" in refused("--port", "0", "--database", file / "tables.sqlite")
    assert "is a folder" in refused("--port", "0", "--database", tmp_path)
    garbage = tmp_path / "garbage.sqlite"
    garbage.write_text("this is no database, and long enough to be looked at" * 100)
    assert "database" in refused("--port", "0", "--database", garbage)

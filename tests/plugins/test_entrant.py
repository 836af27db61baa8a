"""A bot is found by its name, or the error says what is wrong with it and what is allowed."""

import pickle
import sys
from pathlib import Path
from typing import get_args

import pytest

from millebornes.bots import LEVELS, YARDSTICKS
from millebornes.fast import POLICIES
from millebornes.plugins import Entrant, UnknownBot, entrant, find_bot
from millebornes.plugins.conformance import Check, Result
from millebornes.plugins.entrant import Code
from millebornes.plugins.player import Fault
from millebornes.words import languages, words

from .outside import CLASSES, STRANGE, started, strange, views


def refusal(name: str, **options: bool) -> UnknownBot:
    with pytest.raises(UnknownBot) as caught:
        find_bot(name, **options)
    for language in languages():
        sentence = words(language).sentence(caught.value)
        assert sentence.replace("\u00a0", " ").isprintable()
        assert len(sentence) < 500
    return caught.value


def install(folder: Path, name: str, place: str) -> None:
    """A package that lists a bot as an entry point."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[millebornes.bots]\n{name} = {place}\n")


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_found_by_its_name_and_plays(level: str) -> None:
    found = find_bot(level)
    assert found == find_bot(level, in_arena=True) == Entrant(level, "level")
    assert not found.is_outside
    with started(found) as player:
        player.get_ready()
        assert all(player.choose(view) in view.legal_moves for view in views()[:5])


def test_policies_and_yardsticks_play_in_the_arena_only() -> None:
    for name in {*POLICIES, *YARDSTICKS} - set(LEVELS):
        assert find_bot(name, in_arena=True).kind in ("policy", "yardstick")
        error = refusal(name)
        assert (error.code, error.params["name"]) == ("unknown", name)
        assert name not in str(error.params["bots"]).split(", ")


def test_a_class_is_found_and_plays_in_a_process_of_its_own() -> None:
    found = find_bot(f"{CLASSES}:First")
    assert found.kind == "class"
    assert found.is_outside
    assert CLASSES not in sys.modules
    with started(pickle.loads(pickle.dumps(found))) as player:
        assert [player.choose(view) for view in views()] == [
            view.legal_moves[0] for view in views()
        ]
    assert CLASSES not in sys.modules


def test_a_class_in_the_current_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path(__file__).with_name("class_bots.py").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert find_bot("mine:First").kind == "class"


def test_an_entry_point_is_found_and_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "careful", f"{CLASSES}:First")
    install(tmp_path, "reckless", f"{CLASSES}:Nobody")
    install(tmp_path, "learner", f"{CLASSES}:Raising")
    monkeypatch.syspath_prepend(tmp_path)
    found = find_bot("careful")
    assert found == Entrant("careful", "entry_point")
    with started(found) as player:
        assert player.choose(views()[0]) == views()[0].legal_moves[0]
    error = refusal("reckless")
    assert error.code == "no_class"
    assert error.params == {**error.params, "name": "reckless", "class": "Nobody"}
    assert {"careful", "reckless"} <= set(str(refusal("cautious").params["bots"]).split(", "))
    assert find_bot("learner").kind == "level", "a name of ours stays ours"


def test_a_program_is_found_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "my bots"
    folder.mkdir()
    (folder / "bot.py").write_text(STRANGE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in (strange("fine"), f'cmd:{sys.executable} "my bots/bot.py" fine'):
        found = find_bot(name)
        assert found == Entrant(name, "program")
        with started(found) as player:
            assert player.choose(views()[0]) == views()[0].legal_moves[0]


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("nobody", "unknown", "choose one of learner, sunday-driver"),
        ("", "unknown", "''"),
        ("no\x1b[2J\nbody", "unknown", "'no [2J body'"),
        ("x" * 1000, "unknown", "xxx...'"),
        ("a b:C", "unknown", "'a b:C'"),
        (":Class", "unknown", "':Class'"),
        ("module:", "unknown", "'module:'"),
        ("millebornes.no.such:Bot", "no_module", "no module millebornes.no.such"),
        ("nowhere_at_all:Bot", "no_module", "no module nowhere_at_all"),
        (f"{CLASSES}:Nobody", "no_class", f"{CLASSES} has no class Nobody"),
        (f"{CLASSES}:First.Second", "no_class", "no class First.Second"),
        (f"{CLASSES}:a_function", "no_class", "no class a_function"),
        (f"{CLASSES}:NoBot", "no_choose", "NoBot has no method choose"),
        (f"{CLASSES}:Needy", "cannot_load", "missing 1 required positional argument: 'engine'"),
        ("cmd:", "bad_command", "expected cmd: and a program"),
        ("cmd:   ", "bad_command", "expected cmd: and a program"),
        ("cmd:python3 'bot.py", "bad_command", "expected cmd: and a program"),
        ("cmd:no-such-program --fast", "no_program", "no program 'no-such-program'"),
        ("cmd:./no-such-program", "no_program", "no program './no-such-program'"),
        (f"cmd:{STRANGE}", "not_executable", "make it executable"),
    ],
)
def test_a_name_that_is_none_is_refused_with_what_is_allowed(
    name: str, code: str, said: str
) -> None:
    error = refusal(name)
    assert error.code == code
    assert said in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("import nowhere_at_all", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("class Bot(", "SyntaxError"),
        ("raise SystemExit('bye')", "SystemExit: bye"),
        ("import os; os._exit(5)", "exit code 5"),
        ("import threading; threading.Event().wait()", "no answer within 1 s"),
    ],
)
def test_a_module_that_cannot_be_imported_is_reported(
    source: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.py").write_text(source + "\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    if "threading" in source:
        monkeypatch.setattr(entrant, "START_PATIENCE", 1.0)
    error = refusal("broken:Bot")
    assert error.code == "cannot_load"
    assert problem in str(error)


def test_without_numba_the_levels_that_need_it_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrant, "has_kernel", lambda: False)
    monkeypatch.setattr(entrant, "playable", lambda: ("learner", "sunday-driver"))
    error = refusal("commuter", in_arena=True)
    assert str(error) == (
        "The bot 'commuter' needs Numba, which is not installed here: "
        "choose one of learner, sunday-driver."
    )
    assert refusal("greedy", in_arena=True).code == "unknown"
    assert find_bot("sunday-driver").kind == "level"


@pytest.mark.parametrize("language", languages())
def test_every_code_has_a_sentence_and_every_sentence_a_code(language: str) -> None:
    spoken = words(language).data
    assert set(spoken["unknown_bot"]) == set(get_args(Code))
    assert set(spoken["bot_faults"]) == set(get_args(Fault))
    possible = {f"{check}_{result}" for check in get_args(Check) for result in get_args(Result)}
    found = set(spoken["bot_findings"])
    assert found <= possible
    for check in get_args(Check):
        assert f"{check}_passed" in found
        assert f"{check}_skipped" in found or check == "start"
        assert f"{check}_failed" in found or check == "same"

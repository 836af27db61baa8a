"""The judge over REST: by your edition, by all five, and within bounds."""

import logging
from typing import Any

import httpx
import pytest

from millebornes.rules import EDITIONS
from millebornes.server.api.judge import _argument
from tests.virtual_time import ManualClock

from .local_app import PROGRAM, LocalApp, error_code, local_app

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"
PILED = "battle 1: ROLL ACC\nhand 0: FLAT\nmoves: FLAT>1\n"
"""A Flat Tire on a car that has had an accident."""


async def ask(client: httpx.AsyncClient, text: str, **more: Any) -> Any:
    answer = await client.post("/api/judge", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def judged(app: LocalApp, text: str, **more: Any) -> Any:
    _, client = await app.guest()
    async with client:
        return await ask(client, text, **more)


def legal_in(answer: Any) -> set[str]:
    """The editions in which the last move is legal."""
    return {
        id_
        for id_, verdict in answer["editions"].items()
        if verdict["error"] is None and verdict["positions"][-1]["moves"][-1]["legal"]
    }


async def test_a_position_is_judged_by_your_edition_and_by_all_five() -> None:
    async with local_app() as app:
        answer = await judged(app, PILED, edition="article")
        assert list(answer["editions"]) == list(EDITIONS)
        assert legal_in(answer) == {"parker-1988", "encyclopedia"}
        assert answer["own"] == answer["editions"]["article"]
        assert (answer["own"]["edition"], answer["own"]["name"]) == ("article", "Web article")
        (position,) = answer["own"]["positions"]
        (move,) = position["moves"]
        assert (move["token"], move["seat"], move["legal"]) == ("FLAT>1", 0, False)
        assert move["code"] == "already_stopped"
        assert "Accident" in move["sentence"]
        assert position["sheets"] is None


async def test_without_an_edition_the_text_decides_and_then_the_default() -> None:
    async with local_app() as app:
        assert (await judged(app, PILED))["own"]["edition"] == "winning-moves"
        answer = await judged(app, f"edition: encyclopedia\n{PILED}")
        assert answer["own"]["edition"] == "encyclopedia"
        answer = await judged(app, f"edition: encyclopedia\n{PILED}", edition="article")
        assert answer["own"]["edition"] == "article"


async def test_house_rules_judge_in_place_of_an_edition() -> None:
    toml = 'parent = "winning-moves"\nname = "Ours"\nbattle_hazard_on = "started"\n'
    async with local_app() as app:
        answer = await judged(app, PILED, toml=toml, edition="article")
        assert answer["own"]["name"] == "Ours"
        assert answer["own"]["positions"][0]["moves"][0]["legal"]
        assert legal_in(answer) == {"parker-1988", "encyclopedia"}
        answer = await judged(app, f'rule: battle_hazard_on = "started"\n{PILED}')
        assert legal_in(answer) == set(EDITIONS)


async def test_house_rules_or_an_edition_that_does_not_exist_are_refused() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            for wrong in ({"toml": "x ="}, {"edition": "parker-1962"}):
                answer = await client.post("/api/judge", json={"text": PILED, **wrong})
                assert (answer.status_code, error_code(answer)) == (400, "bad_rules")


async def test_a_wrong_text_is_told_with_its_line_and_column_in_every_edition() -> None:
    async with local_app() as app:
        answer = await judged(app, "battle 0: ROLL\nhand 0: BANANA\n")
        for verdict in (answer["own"], *answer["editions"].values()):
            assert verdict["positions"] == []
            assert (verdict["error"]["line"], verdict["error"]["column"]) == (2, 9)
            assert "'BANANA'" in verdict["error"]["sentence"]
            assert verdict["error"]["code"] is None
        answer = await judged(app, "edition: parker-1962\nhand 0: 25\n")
        assert answer["own"]["edition"] == "winning-moves"
        assert (answer["own"]["error"]["line"], answer["own"]["error"]["column"]) == (1, 10)


async def test_a_position_that_cannot_be_is_told_with_its_place_and_why() -> None:
    async with local_app() as app:
        answer = await judged(app, "edition: article\nended: completed 0\nmiles 0: 400\n")
        for verdict in (answer["own"], *answer["editions"].values()):
            error = verdict["error"]
            assert (error["line"], error["column"]) == (3, 10)
            assert error["sentence"] == f"Line 3, column 10: '400' cannot be. {error['problem']}"
            assert error["problem"].startswith("Side 0 completed the trip")
            assert error["code"] == "not_completed"


async def test_an_edition_that_cannot_hold_the_position_says_so() -> None:
    async with local_app() as app:
        answer = await judged(app, "players: 6\nhand 0: LIM\nmoves: LIM>1\n")
        assert legal_in(answer) == {*EDITIONS} - {"article"}
        assert "6" in answer["editions"]["article"]["error"]["sentence"]
        assert answer["own"]["error"] is None


async def test_a_finished_hand_comes_with_its_score_sheets() -> None:
    async with local_app() as app:
        text = "battle 0: ROLL\nmiles 0: 600\nhand 0: 100\nmoves: 100 end\n"
        (position,) = (await judged(app, text))["own"]["positions"]
        assert [move["legal"] for move in position["moves"]] == [True, True]
        assert [sheet["miles"] for sheet in position["sheets"]] == [700, 0]
        assert position["sheets"][0]["trip"] == 400


async def test_an_attack_that_nobody_answers_is_told_too() -> None:
    async with local_app() as app:
        text = "battle 1: ROLL\nhand 0: STOP\nmoves: STOP>1 -\n"
        (position,) = (await judged(app, text))["own"]["positions"]
        assert all(move["legal"] and move["sentence"] for move in position["moves"])


async def test_verdicts_are_told_in_the_language_of_the_request() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            answer = await client.post("/api/judge?lang=fr", json={"text": PILED})
            (move,) = answer.json()["own"]["positions"][0]["moves"]
            assert "Accident" in move["sentence"]
            assert "Impossible" in move["sentence"]


@pytest.mark.parametrize(
    ("moves", "read"),
    [
        ("out of gas > Léa", "OUT>1"),
        ("Max: discard 25", "0:x25"),
        ("as du volant, 25", "ACE 0:25"),
        ("out of gas > Léa  Extra Tank!", "OUT>1 1:TANK!"),
        # With its seat named, the 100 would decline the coup fourré first.
        ("out of gas on Léa  100", "OUT>1 100"),
    ],
)
async def test_the_text_comes_back_in_codes_and_means_the_same(moves: str, read: str) -> None:
    text = (
        "title: Who\n  is right?\nplayers: 3\nseat 0: Max\nseat 1: Léa\nBattle Léa: feu vert\n"
        "battle Max: roll\nhand Max: out of gas, 25, Driving Ace\nhand Léa: 100 extra tank\n"
        f"turn: Max\nmoves: {moves}\n"
    )
    async with local_app() as app:
        answer = await judged(app, text)
        assert answer["text"] == (
            "title: Who is right?\nseat 0: Max\nseat 1: Léa\nplayers: 3\nbattle 1: ROLL\n"
            f"battle 0: ROLL\nhand 0: OUT 25 ACE\nhand 1: 100 TANK\nturn: 0\nmoves: {read}\n"
        )
        again = await judged(app, answer["text"])
        assert again["text"] == answer["text"]
        assert legal_in(again) == legal_in(answer)
        assert (await judged(app, "moves: banana"))["text"] is None
        assert (await judged(app, "edition: parker-1962"))["text"] is None


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("seat 0: Jo Ann\nmoves: " + "Jo Ann: discard ? " * 17, 2, "at most 16 moves"),
        ("moves: " + "Fin de limite de vitesse " * 25, 1, "at most 120 words for the moves"),
        (f"{PILED}---\n{PILED}", 5, "one position only"),
        ("hand 0: 25\nmoves: " + "x? " * 17, 2, "at most 16 moves"),
        ("rule: hands = 1\n" * 11, 11, "at most 10 rules"),
        ("Hand 0: 25\nMoves: " + "x? " * 17, 2, "at most 16 moves"),
        ("RULE: hands = 1\n" * 11, 11, "at most 10 rules"),
        ("rule: a" + ".a" * 80 + " = 1\n", 1, "at most 120 characters"),
        ("title: a\n" + "a\n" * 100, 1, "at most 100"),
        ("title: " + "a " * 300, 1, "at most 300"),
    ],
)
async def test_what_would_take_long_is_refused_by_name(text: str, line: int, told: str) -> None:
    async with local_app() as app:
        answer = await judged(app, text)
        for verdict in (answer["own"], *answer["editions"].values()):
            assert verdict["error"]["line"] == line
            assert told in verdict["error"]["sentence"]


async def test_a_text_of_more_than_8_kib_is_refused() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            answer = await client.post("/api/judge", json={"text": "#" * 8192})
            assert (answer.status_code, error_code(answer)) == (413, "message_too_long")
            answer = await client.post("/api/judge", json={"text": PILED, "cards": 1})
            assert (answer.status_code, error_code(answer)) == (400, "bad_message")


async def test_only_a_guest_may_ask_the_judge() -> None:
    async with local_app() as app, app.http(**PROGRAM) as stranger:
        answer = await stranger.post("/api/judge", json={"text": PILED})
        assert (answer.status_code, error_code(answer)) == (401, "no_guest")


async def test_the_judge_is_asked_only_so_often_by_a_guest_and_from_an_address() -> None:
    clock = ManualClock()

    async def status(client: httpx.AsyncClient, **more: Any) -> int:
        return (await client.post("/api/judge", json={"text": PILED, **more})).status_code

    async with local_app(clock=clock, judgements_per_minute=2, house_rules_per_minute=1) as app:
        _, one = await app.guest(HERE)
        async with one:
            assert [await status(one) for _ in range(3)] == [200, 200, 429]
            clock.advance(60)
            toml = 'parent = "article"\n'
            assert [await status(one, toml=toml) for _ in range(2)] == [200, 429]
        codes = []
        for _ in range(20):
            _, client = await app.guest(ELSEWHERE)
            async with client:
                codes += [await status(client), await status(client)]
        assert codes == [200] * 20 + [429] * 20


async def test_nothing_of_a_position_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="millebornes")
    async with local_app() as app:
        await judged(app, "title: A secret\nhand 0: BANANA\n")
        await judged(app, PILED)
    assert "BANANA" not in caplog.text
    assert "FLAT" not in caplog.text


async def test_the_arguments_are_listed_with_the_verdict_of_each_edition() -> None:
    async with local_app() as app, app.http() as client:
        answer = await client.get("/api/arguments")
        arguments = answer.json()
        assert len(arguments) == 12
        assert answer.headers["vary"] == "Accept-Language"
        for argument in arguments:
            assert list(argument["editions"]) == list(EDITIONS)
            whole = await judged(app, argument["text"])
            for id_, told in argument["editions"].items():
                verdict = whole["editions"][id_]
                if told["legal"] is None:
                    problem = verdict["error"]["problem"]
                    assert told == {"legal": None, "sentence": problem, "rule": None}
                    continue
                last = verdict["positions"][0]["moves"][-1]
                assert told == {key: last[key] for key in ("legal", "sentence", "rule")}


async def test_the_arguments_are_judged_once_for_each_language() -> None:
    _argument.cache_clear()
    async with local_app() as app, app.http() as client:
        for language in ("en", "fr", "en", "fr"):
            await client.get("/api/arguments", headers={"Accept-Language": language})
    assert _argument.cache_info().misses == 2 * 12

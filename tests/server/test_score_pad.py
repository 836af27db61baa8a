"""The score pad over REST: for guests, so many a minute, at most 8 KB, and nothing is stored."""

import json
from typing import Any

import httpx

from tests.virtual_time import ManualClock

from .local_app import PROGRAM, error_code, local_app

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"
HAND = {
    "completed_by": 0,
    "miles": [700, 475],
    "safeties": [
        {"card": "ACE", "side": 0, "crosswise": True},
        {"card": "TANK", "side": 0},
        {"card": "ROW", "side": 1},
    ],
}


async def score(client: httpx.AsyncClient, **pad: Any) -> httpx.Response:
    return await client.post("/api/score-pad", json=pad)


async def test_a_hand_with_the_box_is_scored_and_the_next_dealer_named() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            told = (await score(client, dealer=1, hands=[HAND])).json()
    (hand,) = told["hands"]
    sheet = {line: points for line, points in hand["sheets"][0].items() if points}
    lines = {"miles": 700, "safeties": 200, "coups_fourres": 300, "trip": 400, "safe_trip": 300}
    assert sheet == lines | {"total": 1900}
    assert hand["totals"] == [1900, 575]
    assert (told["dealer"], told["over"], told["winner"], told["fault"]) == (0, False, None, None)
    assert (told["sides"], told["trip"], told["extended_trip"]) == (2, 700, 1000)
    assert told["asks"] == ["called", "pile", "two_hundreds"]


async def test_a_fault_is_told_in_the_language_and_with_the_names_of_the_players() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            wrong = HAND | {"miles": [400, 475]}
            pad = {"names": ["Léa", "Max"], "hands": [HAND, wrong, HAND]}
            told = (await client.post("/api/score-pad?lang=fr", json=pad)).json()
            numbered = (await score(client, hands=[wrong])).json()
    assert len(told["hands"]) == 1
    assert told["dealer"] == 1
    assert told["fault"] == {
        "hand": 1,
        "code": "not_completed",
        "sentence": (
            "Léa a achevé l'étape sans allonge, donc en est à 700 bornes\u00a0: "
            "400, c'est impossible."
        ),
        "rule": "Winning Moves, §1; §10.B; §11.B",
    }
    assert numbered["fault"]["sentence"].startswith("Side 0 completed the trip")


async def test_a_pad_that_does_not_fit_its_players_is_refused_by_name() -> None:
    bad: list[tuple[dict[str, Any], str, str]] = [
        ({"edition": "nope"}, "bad_rules", "edition"),
        ({"toml": 'parent = "article"\nnonsense = 1'}, "bad_rules", "nonsense"),
        ({"toml": "x ="}, "bad_rules", "line 1"),
        ({"players": 7}, "bad_rules", "players"),
        ({"players": 3, "teams": True}, "bad_rules", "teams"),
        ({"short_trip": True}, "bad_rules", "short_trip"),
        ({"dealer": 2}, "bad_rules", "dealer"),
        ({"names": ["Ada"]}, "bad_message", "names: expected 2 names"),
        ({"hands": [{"miles": [0, 0]}] * 61}, "bad_message", "hands"),
        ({"hands": [HAND, {"miles": [1]}]}, "bad_message", "hands[1].miles: expected 2 numbers"),
        ({"hands": [HAND | {"completed_by": 2}]}, "bad_message", "hands[0].completed_by"),
        ({"hands": [HAND | {"caller": 2}]}, "bad_message", "hands[0].caller"),
        ({"hands": [HAND | {"with_200s": [2]}]}, "bad_message", "hands[0].with_200s"),
        ({"hands": [HAND | {"safeties": [{"card": "ACE", "side": 2}]}]}, "bad_message", "safeties"),
        ({"hands": [HAND | {"safeties": [{"card": "ROLL", "side": 1}]}]}, "bad_message", "ROLL"),
        ({"hands": [HAND | {"miles": [-25, 0]}]}, "bad_message", "miles"),
        ({"hands": [HAND | {"bonus": 300}]}, "bad_message", "bonus"),
    ]
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            for pad, code, named in bad:
                answer = await score(client, **pad)
                assert (answer.status_code, error_code(answer)) == (400, code), pad
                assert named in answer.json()["sentence"]


async def test_a_pad_of_more_than_8_kb_is_refused() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            pad = json.dumps({"hands": [{"completed_by": 0, "miles": [700, 0]}]}).encode()
            for size, status in ((8192, 200), (8193, 413)):
                body = pad + b" " * (size - len(pad))
                answer = await client.post("/api/score-pad", content=body)
                assert answer.status_code == status
            assert error_code(answer) == "message_too_long"
            assert "8192" in answer.json()["sentence"]


async def test_the_longest_match_that_people_play_fits() -> None:
    safeties = [
        {"card": card, "side": 3, "crosswise": True} for card in ("ACE", "TANK", "PROOF", "ROW")
    ]
    hand = {"completed_by": 3, "miles": [975] * 4, "with_200s": [0], "safeties": safeties}
    pad = {"edition": "dujardin-2019", "players": 8, "names": ["Bartholomew"] * 8}
    assert len(json.dumps(pad | {"hands": [hand] * 30}, separators=(",", ":"))) < 8192


async def test_only_a_guest_may_ask_and_only_so_often() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, score_pads_per_minute=2) as app:
        async with app.http(**PROGRAM) as stranger:
            answer = await score(stranger)
            assert (answer.status_code, error_code(answer)) == (401, "no_guest")
        _, one = await app.guest(HERE)
        _, two = await app.guest(HERE)
        async with one, two:
            codes = [(await score(one, players=players)).status_code for players in (2, 7, 2)]
            assert codes == [200, 400, 429]
            assert (await one.post("/api/house-rules", json={"toml": "x"})).status_code == 400
            assert (await score(two)).status_code == 200
            clock.advance(30)
            assert [(await score(one)).status_code for _ in range(2)] == [200, 429]


async def test_an_address_has_ten_times_as_many_whatever_its_guests() -> None:
    async with local_app(clock=ManualClock(), score_pads_per_minute=1) as app:
        codes = []
        for _ in range(12):
            _, client = await app.guest(HERE)
            async with client:
                codes.append((await score(client)).status_code)
        assert codes == [200] * 10 + [429] * 2
        _, other = await app.guest(ELSEWHERE)
        async with other:
            assert (await score(other)).status_code == 200

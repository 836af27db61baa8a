"""House rules take long to read: only guests may ask, and only so often."""

import httpx

from tests.virtual_time import ManualClock

from .local_app import HOUSE_RULES, PROGRAM, error_code, local_app, open_table

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


async def check(client: httpx.AsyncClient, toml: str = HOUSE_RULES) -> int:
    return (await client.post("/api/house-rules", json={"toml": toml})).status_code


async def test_only_a_guest_may_have_house_rules_checked() -> None:
    async with local_app() as app:
        async with app.http(**PROGRAM) as stranger:
            answer = await stranger.post("/api/house-rules", json={"toml": HOUSE_RULES})
            assert (answer.status_code, error_code(answer)) == (401, "no_guest")
        async with app.browser() as browser:
            assert await check(browser) == 401
            await browser.post("/api/guests", json={})
            assert await check(browser) == 200


async def test_checking_and_opening_with_house_rules_are_limited_for_each_guest() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, house_rules_per_minute=3) as app:
        _, one = await app.guest(HERE)
        _, two = await app.guest(HERE)
        async with one, two:
            assert [await check(one), await check(one, "x =")] == [200, 400]
            await open_table(one, house_rules=HOUSE_RULES)
            assert await check(one) == 429
            refused = await one.post(
                "/api/tables", json={"name": "Ada", "house_rules": HOUSE_RULES}
            )
            assert (refused.status_code, error_code(refused)) == (429, "too_many")
            await open_table(one)
            assert (await one.get("/api/editions")).status_code == 200
            assert await check(two) == 200
            clock.advance(20)
            assert [await check(one), await check(one)] == [200, 429]


async def test_an_address_has_ten_times_as_many_whatever_its_guests() -> None:
    async with local_app(clock=ManualClock(), house_rules_per_minute=1) as app:
        codes = []
        for _ in range(12):
            _, client = await app.guest(HERE)
            async with client:
                codes.append(await check(client))
        assert codes == [200] * 10 + [429] * 2
        _, other = await app.guest(ELSEWHERE)
        async with other:
            assert await check(other) == 200


async def test_dots_are_refused_by_name_and_not_parsed() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            toml = 'parent = "article"\n' + "a" + ".a" * 200 + " = 1"
            for path, body in (
                ("/api/house-rules", {"toml": toml}),
                ("/api/tables", {"name": "Ada", "house_rules": toml}),
            ):
                answer = await client.post(path, json=body)
                assert (answer.status_code, error_code(answer)) == (400, "bad_rules")
                assert "dots = 200: expected at most 150" in answer.json()["sentence"]

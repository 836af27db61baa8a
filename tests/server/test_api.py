"""Every REST operation: its answers and its errors."""

import json
from pathlib import Path
from typing import Any

import apsw
import pytest
from starlette.routing import Route

from millebornes.bots import BOTS
from millebornes.records import game as game_text
from millebornes.rules import EDITIONS, PRESETS
from millebornes.rules.edition import rule_fields
from millebornes.server.admission import hash_token
from millebornes.server.api.openapi import document
from millebornes.server.store import FinishedGame, Summary
from millebornes.server.store.sqlite_schema import MIGRATIONS
from millebornes.table import rest
from tools.logs import LOGS

from .local_app import (
    HOUSE_RULES,
    PROGRAM,
    LocalApp,
    error_code,
    local_app,
    open_table,
    watched_practice,
)

HEALTH = {"status": "ok", "program": "millebornes"}


async def test_the_process_says_that_it_is_healthy_and_ready() -> None:
    async with local_app() as app, app.http() as client:
        assert (await client.get("/api/health")).json() == HEALTH
        ready = await client.get("/api/ready")
        assert (ready.status_code, ready.json()) == (200, {"status": "ready"})
        await app.server.hub.stop()
        ready = await client.get("/api/ready")
        assert (ready.status_code, ready.json()) == (503, {"status": "starting"})


async def test_every_printed_edition_is_listed_with_every_rule() -> None:
    async with local_app() as app, app.http() as client:
        listed = (await client.get("/api/editions")).json()
        assert [edition["id"] for edition in listed] == list(EDITIONS)
        for edition in listed:
            one = (await client.get(f"/api/editions/{edition['id']}")).json()
            assert one == edition
            assert {rule["name"] for rule in one["rules"]} >= {"hands", "player_counts"}
        missing = await client.get("/api/editions/nope")
        assert (missing.status_code, error_code(missing)) == (404, "not_found")


async def test_presets_are_listed_apart_from_the_printed_editions() -> None:
    async with local_app() as app, app.http() as client:
        french = {"Accept-Language": "fr"}
        listed = (await client.get("/api/presets", headers=french)).json()
        assert [preset["preset"] for preset in listed] == list(PRESETS)
        for preset in listed:
            name, edition = preset["preset"], preset["edition"]
            assert edition["id"] == PRESETS[name].id
            assert edition["parent"] == "winning-moves"
            assert (await client.get(f"/api/editions/{name}", headers=french)).json() == edition
        family = listed[0]["edition"]
        assert family["name"] == "Famille"
        assert "toute voiture roule dès le départ" in family["character"]


async def test_a_table_plays_a_preset_by_its_name() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            table = await open_table(client, edition="family")
            played = (await client.get(f"/api/tables/{table}/edition")).json()
            assert (played["id"], played["name"]) == (PRESETS["family"].id, "Family")
            refused = await client.post("/api/tables", json={"name": "Ada", "edition": "hasbro"})
            assert (refused.status_code, error_code(refused)) == (400, "bad_rules")
            assert "dujardin-2019, family, quick" in refused.json()["sentence"]


async def test_the_list_of_editions_is_compressed_for_those_who_can_take_it() -> None:
    async with local_app() as app, app.http() as client:
        plain = await client.get("/api/editions", headers={"Accept-Encoding": "gzip;q=0"})
        packed = await client.get("/api/editions", headers={"Accept-Encoding": "br, gzip"})
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) < len(plain.content) / 4
        assert packed.json() == plain.json()
        assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding, Accept-Language"


async def test_the_bots_offered_are_those_that_exist() -> None:
    async with local_app() as app, app.http() as client:
        levels = [bot["level"] for bot in (await client.get("/api/bots")).json()]
        assert levels == list(BOTS)


async def test_house_rules_are_checked_and_told_in_full() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            good = await client.post("/api/house-rules", json={"toml": HOUSE_RULES})
            assert good.status_code == 200
            assert good.json()["parent"] == "winning-moves"
            values = {rule["name"]: rule["value"] for rule in good.json()["rules"]}
            assert values["hands"] == 1
            for bad in (
                "not toml =",
                'parent = "nope"',
                'parent = "winning-moves"\nnonsense = 1',
                f"hands = {'9' * 5000}",
                "a = " + "[" * 3000,
            ):
                answer = await client.post("/api/house-rules", json={"toml": bad})
                assert (answer.status_code, error_code(answer)) == (400, "bad_rules"), bad[:50]


async def test_a_form_learns_every_rule_with_its_values_and_its_words() -> None:
    async with local_app() as app, app.http() as client:
        for language in ("en", "fr"):
            groups = (await client.get("/api/rules", params={"lang": language})).json()
            assert [group["group"] for group in groups][:2] == ["length", "common"]
            rules = {rule["name"]: rule for group in groups for rule in group["rules"]}
            assert rules.keys() == rule_fields().keys()
            assert len({rule["label"] for rule in rules.values()}) == len(rules)
            for name, rule in rules.items():
                declared = rule_fields()[name].values
                assert (rule["kind"], rule["most"]) == (declared.kind, declared.most)
                assert [choice["value"] for choice in rule["choices"]] == [*declared.choices]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("max_200s = 9", "max_200s"),
        ("trip = { 2 = 1000 }", "extension_at"),
        ('name = ""\nhands = 1', "name"),
        ('name = "\\u3164"\nhands = 1', "name"),
        ("nonsense = 1", None),
        ("hands =", None),
    ],
)
async def test_the_answer_to_a_bad_rule_names_it(text: str, rule: str | None) -> None:
    toml = f'parent = "winning-moves"\n{text}\n'
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            checked = await client.post("/api/house-rules", json={"toml": toml})
            opened = await client.post("/api/tables", json={"name": "Ada", "house_rules": toml})
            assert (checked.status_code, checked.json().get("rule")) == (400, rule)
            assert opened.json() == checked.json()


async def test_the_name_of_house_rules_is_cleaned_like_other_names() -> None:
    toml = 'parent = "article"\nname = "  At \\t the\\u202e lake\\u200b "\nhands = 3\n'
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            table = await open_table(client, house_rules=toml)
            edition = (await client.get(f"/api/tables/{table}/edition")).json()
            assert edition["name"] == "At the lake"
            (running,) = (await client.get("/api/games")).json()["running"]
            assert running["edition_name"] == "At the lake"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"name": "Ada", "players": "two"}',
        b'{"name": "Ada", "players": 1}',
        b'{"name": "Ada", "nonsense": 1}',
        b'{"name": ""}',
        b'{"name": "Ada", "window": 1}',
        b'{"name": "Ada", "clock": 1}',
        b'{"name": "\\ud800"}',
        b'{"name": "Ada", "edition": "nope"}',
        b'{"name": "Ada", "players": 7}',
        b'{"name": "Ada", "seed": "mine"}',
        b'{"name": "Ada", "house_rules": "x ="}',
        b'{"name": "\\u200b\\u0007"}',
        json.dumps({"name": "Ada" * 10}).encode(),
        b"[" * 10_000,
    ],
)
async def test_a_table_that_cannot_be_is_refused_with_a_sentence(body: bytes) -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            answer = await client.post("/api/tables", content=body)
            assert answer.status_code == 400, answer.text
            assert error_code(answer) in ("bad_message", "bad_rules", "bad_name")
            assert len(app.server.hub) == 0


@pytest.mark.parametrize(
    ("players", "teams", "has_teams"),
    [(4, None, True), (4, True, True), (4, False, False), (3, None, False), (3, False, False)],
)
async def test_whether_to_play_in_teams_can_be_chosen(
    players: int, teams: bool | None, has_teams: bool
) -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            table = await open_table(client, players=players, teams=teams)
            assert (await client.get(f"/api/tables/{table}")).json()["teams"] is has_teams
            rules = (await client.get(f"/api/tables/{table}/edition")).json()
            is_printed = (rules["id"] == "winning-moves") is (players == 3 or has_teams)
            assert is_printed, rules["id"]


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"players": 2, "teams": True}, "teams = true: expected teams of two at 4, 6 or 8"),
        ({"players": 3, "teams": True}, "teams = true: expected teams of two at 4, 6 or 8"),
        ({"players": 8, "teams": True}, "players = 8"),
        ({"players": 8, "teams": False}, "players = 8"),
    ],
)
async def test_teams_that_cannot_be_are_refused_by_name(
    settings: dict[str, Any], named: str
) -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            answer = await client.post("/api/tables", json={"name": "Ada", **settings})
            assert (answer.status_code, error_code(answer)) == (400, "bad_rules")
            assert named in answer.json()["sentence"]


async def test_a_body_that_is_too_long_is_not_read_to_its_end() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            answer = await client.post("/api/tables", content=b" " * 20_000)
            assert (answer.status_code, error_code(answer)) == (413, "message_too_long")


async def test_opening_a_table_needs_a_guest_and_room_on_the_server() -> None:
    async with local_app(max_tables=1) as app:
        async with app.http(**PROGRAM) as stranger:
            answer = await stranger.post("/api/tables", json={"name": "Ada"})
            assert (answer.status_code, error_code(answer)) == (401, "no_guest")
        _, client = await app.guest()
        async with client:
            await open_table(client)
            answer = await client.post("/api/tables", json={"name": "Ada"})
            assert (answer.status_code, error_code(answer)) == (503, "server_full")


async def test_a_link_lets_others_join_sit_and_watch() -> None:
    async with local_app() as app:
        _, host = await app.guest()
        _, friend = await app.guest()
        _, third = await app.guest()
        async with host, friend, third:
            table = await open_table(host, players=2)
            seen = (await friend.get(f"/api/tables/{table}")).json()
            assert (seen["phase"], seen["you"], seen["member"]) == ("lobby", None, None)
            path = f"/api/tables/{table}/join"
            taken = await friend.post(path, json={"name": "Bea", "seat": 0})
            assert (taken.status_code, error_code(taken)) == (409, "seat_taken")
            seen = (await friend.post(path, json={"name": "Ada"})).json()
            assert seen["you"] == 1
            assert [seat["name"] for seat in seen["seats"]] == ["Ada", "Ada 2"]
            seen = (await third.post(path, json={"name": "Cy", "watch": True})).json()
            assert seen["you"] is None
            assert seen["watching"] == ["Cy"]
            bad = await third.post(path, json={"name": " \t "})
            assert (bad.status_code, error_code(bad)) == (409, "bad_name")


async def test_names_are_one_line_of_composed_text() -> None:
    async with local_app() as app:
        _, host = await app.guest()
        async with host:
            table = await open_table(host, name="  Re\u0301ne\u0301\n<b>\u202e  x ")
            seen = (await host.get(f"/api/tables/{table}")).json()
            assert seen["seats"][0]["name"] == "R\u00e9n\u00e9 <b> x"


async def play_to_the_end(app: LocalApp, token: str, table: str) -> None:
    """The host plays the first legal move each time, against a bot."""
    async with app.socket(table, token) as wire:
        wire.say({"type": "add_bot", "seat": 1, "level": next(iter(BOTS))})
        wire.say({"type": "start"})
        answered = -1
        while True:
            seen = (await wire.next())["table"]
            asked = seen["asked"]
            if seen["phase"] == "over":
                return
            if asked is None or asked["decision"] == answered:
                continue
            if asked["what"] == "next":
                answered = asked["decision"]
                wire.say({"type": "next", "decision": answered})
            elif seen["hand"] and seen["hand"]["legal_moves"]:
                answered = asked["decision"]
                move = seen["hand"]["legal_moves"][0]
                wire.say({"type": "move", "decision": answered, "id": str(answered), "move": move})


async def test_a_game_is_among_the_running_then_the_recent_and_its_record_can_be_read() -> None:
    async with local_app(messages_per_second=1000) as app:
        token, host = await app.guest()
        _, other = await app.guest()
        async with host, other:
            fast = {"pace": 0, "bot_window": 0, "window": 1000}
            rules = {"house_rules": HOUSE_RULES, "practice": True, "seed": "api"}
            table = await open_table(host, **fast, **rules)
            record = await host.get(f"/api/tables/{table}/record")
            assert (record.status_code, error_code(record)) == (404, "not_found")
            mine = (await host.get("/api/games")).json()
            assert [game["table"] for game in mine["running"]] == [table]
            assert mine["running"][0]["edition_name"] == "Short"
            assert mine["recent"] == []
            await play_to_the_end(app, token, table)
            record = await host.get(f"/api/tables/{table}/record")
            assert record.headers["content-type"].startswith("text/plain")
            (finished,) = (await host.get("/api/games")).json()["recent"]
            kept = await host.get(f"/api/games/{finished['game']}")
            assert game_text.from_text(kept.text) == game_text.from_text(record.text)
            played = game_text.from_text(kept.text)
            assert tuple(finished["totals"]) == played.result
            # The record has the id alone; the list beside it has the name, too.
            assert finished["edition_name"] == "Short"
            assert "Short" not in kept.text
            for number, dealt in enumerate(played.deals, start=1):
                told = (await host.get(f"/api/tables/{table}/hands/{number}")).json()
                assert [step["move"] for step in told] == [None, *map(str, dealt.moves)]
                hand = f"/api/games/{finished['game']}/hands/{number}"
                assert (await host.get(hand)).json() == told
            assert told[-1]["table"]["phase"] == "over"
            assert {event["type"] for event in told[-1]["events"]} >= {"match_ended"}
            for hand in ("0", "99", "one", "-1"):
                missing = await host.get(f"/api/games/{finished['game']}/hands/{hand}")
                assert (missing.status_code, error_code(missing)) == (404, "not_found")
            assert (await other.get(f"/api/games/{finished['game']}/hands/1")).status_code == 404
            foreign = await other.get(f"/api/games/{finished['game']}")
            unknown = await other.get("/api/games/nope")
            assert foreign.status_code == unknown.status_code == 404
            assert foreign.content == unknown.content
            async with app.http() as stranger:
                assert (await stranger.get("/api/games")).status_code == 401


async def test_a_list_of_games_reads_no_record_that_has_its_summary_beside_it() -> None:
    summary = Summary("parker-1988", ("Ada", "Léa"), (5000, 3200))
    async with local_app(retention_days=0) as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
            guest = await app.server.store.guest_of(hash_token(token))
            assert guest is not None
            game = FinishedGame("g-1", table, 1, "is not read", (guest,), summary)
            await app.server.store.close_table(table, game)
            (listed,) = (await host.get("/api/games")).json()["recent"]
            assert listed == {
                "game": "g-1",
                "ended": 1,
                "edition": "parker-1988",
                "names": ["Ada", "Léa"],
                "totals": [5000, 3200],
                "edition_name": "Parker Brothers 1988",
            }


async def test_games_of_a_database_without_summaries_are_still_listed(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    record = (LOGS / "0.1.0" / "people-and-a-bot.txt").read_text(encoding="utf-8")
    played = game_text.from_text(record)
    token = "token-of-the-guest"
    old = apsw.Connection(str(path))
    old.execute(MIGRATIONS[0])
    old.pragma("user_version", 1)
    old.execute("INSERT INTO guests VALUES ('ada', 1)")
    old.execute("INSERT INTO tokens VALUES (?, 'ada', 1)", (hash_token(token),))
    old.execute("INSERT INTO games VALUES ('g-1', 't', 1, ?, ?)", (record, '["ada"]'))
    old.execute("INSERT INTO players VALUES ('ada', 1, 'g-1')")
    old.close()
    async with (
        local_app(database=str(path), retention_days=0) as app,
        app.http(Authorization=f"Bearer {token}") as host,
    ):
        (listed,) = (await host.get("/api/games")).json()["recent"]
        assert listed["edition"] == played.edition.id
        assert tuple(listed["names"]) == played.seats
        assert tuple(listed["totals"]) == played.result
        assert (await host.get("/api/games/g-1")).text == record
        assert (await host.get("/api/games/g-1/hands/1")).status_code == 200
        changed = apsw.Connection(str(path))
        changed.execute("UPDATE games SET record = replace(record, 'ROLL', 'STOP>1')")
        changed.close()
        unlike = await host.get("/api/games/g-1/hands/1")
        assert (unlike.status_code, error_code(unlike)) == (409, "no_replay")


async def test_a_running_hand_is_cut_from_the_record_that_others_read() -> None:
    async with local_app() as app:
        token, host = await app.guest()
        _, watcher = await app.guest()
        async with host, watcher, app.http() as stranger:
            table = await watched_practice(app, token, host, watcher)
            own = game_text.from_text((await host.get(f"/api/tables/{table}/record")).text)
            seen = game_text.from_text((await watcher.get(f"/api/tables/{table}/record")).text)
            assert (await stranger.get(f"/api/tables/{table}/record")).status_code == 404
            known = [card for card in own.deals[0].deck if card != "?"]
            assert 6 <= len(known) < len(own.deals[0].deck)
            assert set(seen.deals[0].deck) == {"?"}
            assert own.seed is None
            assert seen.seed is None
            path = f"/api/tables/{table}/hands/1"
            (mine, *_), (theirs, *_) = [(await one.get(path)).json() for one in (host, watcher)]
            assert (await stranger.get(path)).status_code == 404
            assert "?" not in mine["hands"][0]
            assert set(mine["hands"][1]) == {"?"}
            assert {card for hand in theirs["hands"] for card in hand} == {"?"}


@pytest.mark.parametrize(
    ("headers", "query", "french"),
    [
        ({}, "", False),
        ({"Accept-Language": "fr"}, "", True),
        ({"Accept-Language": "fr-CA,en;q=0.8"}, "", True),
        ({"Accept-Language": "fr;q=0.3, en;q=0.9"}, "", False),
        ({"Accept-Language": "de, fr;q=0.5"}, "", True),
        ({"Accept-Language": "fr;q=0"}, "", False),
        ({"Accept-Language": "fr;q=many,;;,"}, "", False),
        ({"Accept-Language": "en"}, "?lang=fr", True),
        ({"Accept-Language": "fr"}, "?lang=en", False),
        ({"Accept-Language": "fr"}, "?lang=klingon", True),
    ],
)
async def test_sentences_are_in_the_language_asked_for(
    headers: dict[str, str], query: str, french: bool
) -> None:
    async with local_app() as app, app.http(**headers) as client:
        sentence = (await client.get(f"/api/tables/nope{query}")).json()["sentence"]
        assert (sentence != "There is nothing here.") is french


async def test_an_address_that_leads_nowhere_is_answered_like_any_error() -> None:
    async with local_app() as app, app.http(**PROGRAM) as client:
        nowhere = await client.get("/api/nope")
        assert (nowhere.status_code, error_code(nowhere)) == (404, "not_found")
        wrong = await client.request("DELETE", "/api/tables")
        assert (wrong.status_code, error_code(wrong)) == (405, "not_here")
        assert "POST" in wrong.headers["allow"]


async def test_metrics_count_what_happens() -> None:
    async with local_app() as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
            async with app.socket(table, token) as wire:
                await wire.next()
                wire.say("nonsense")
                await wire.next("rejected")
                wire.say({"type": "start"})
                await wire.next("rejected")
                text = (await host.get("/metrics")).text
    values = dict(line.split() for line in text.splitlines() if not line.startswith("#"))
    assert values["millebornes_tables"] == "1"
    assert values["millebornes_connections"] == "1"
    assert values["millebornes_connections_opened_total"] == "1"
    assert values["millebornes_messages_bad_total"] == "1"
    assert values["millebornes_inputs_refused_total"] == "1"


async def test_the_openapi_document_names_every_operation_once() -> None:
    async with local_app() as app, app.http() as client:
        told = (await client.get("/api/openapi.json")).json()
        assert told == json.loads(json.dumps(document(app.server.operations)))
        routes = {
            (method.lower(), route.path)
            for route in app.asgi.routes
            if isinstance(route, Route) and route.path.startswith("/api/")
            for method in route.methods or ()
            if method != "HEAD"
        }
        described = {(method, path) for path, item in told["paths"].items() for method in item}
        assert described == routes - {("get", "/api/openapi.json")}
        ids = [op["operationId"] for item in told["paths"].values() for op in item.values()]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", rest.__all__)
async def test_every_field_of_the_rest_interface_is_explained_in_the_openapi_document(
    name: str,
) -> None:
    async with local_app() as app, app.http() as client:
        schemas = (await client.get("/api/openapi.json")).json()["components"]["schemas"]
    schema = schemas[name]
    assert schema["description"].strip()
    fields = getattr(rest, name).__struct_fields__
    assert tuple(schema["properties"]) == fields
    for field in fields:
        described = schema["properties"][field].get("description", "")
        assert described.endswith("."), field


async def test_types_that_the_socket_has_too_are_explained_as_in_their_source() -> None:
    async with local_app() as app, app.http() as client:
        schemas = (await client.get("/api/openapi.json")).json()["components"]["schemas"]
    away = schemas["SeatView"]["properties"]["away"]
    assert away == {"type": "boolean", "description": "A bot plays for this person."}


async def test_a_full_disk_refuses_with_a_sentence_and_reading_goes_on(tmp_path: Path) -> None:
    async with local_app(database=str(tmp_path / "tables.sqlite")) as app:
        _, host = await app.guest()
        async with host:
            table = await open_table(host)
            writer = app.server.store._writer  # type: ignore[attr-defined]
            writer.execute("PRAGMA max_page_count = 1")
            answers = [await host.post("/api/tables", json={"name": "Ada"}) for _ in range(20)]
            refused = [answer for answer in answers if answer.status_code != 201]
            assert refused
            assert {(a.status_code, error_code(a)) for a in refused} == {(503, "cannot_write")}
            assert (await host.get(f"/api/tables/{table}")).status_code == 200
            writer.execute("PRAGMA max_page_count = 1000000")
            await open_table(host)


@pytest.mark.parametrize(
    ("players", "wanted", "plays"),
    [(4, None, True), (4, True, True), (4, False, False), (3, None, False), (2, False, False)],
)
async def test_partners_may_be_chosen(players: int, wanted: bool | None, plays: bool) -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            table = await open_table(client, players=players, teams=wanted)
            seen = (await client.get(f"/api/tables/{table}")).json()
            assert seen["teams"] is plays
            is_printed = seen["edition"] == "winning-moves"
            assert is_printed is (wanted is not False or players == 2)


async def test_an_odd_number_cannot_play_in_pairs() -> None:
    async with local_app() as app:
        _, client = await app.guest()
        async with client:
            body = {"name": "Ada", "players": 3, "teams": True}
            answer = await client.post("/api/tables", json=body)
            assert (answer.status_code, error_code(answer)) == (400, "bad_rules")

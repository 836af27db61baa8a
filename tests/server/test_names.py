"""Names as they come to a server: refused with a sentence, logged as they are shown."""

import pytest

from millebornes.server.codec import decode_input
from millebornes.table import messages_in as says

from .local_app import error_code, local_app, open_table


@pytest.mark.parametrize(
    ("name", "code"), [("ㅤ", "name_not_shown"), ("\ufe0f", "bad_name"), ("x" * 25, "bad_name")]
)
async def test_a_table_is_not_opened_under_a_name_that_cannot_be(name: str, code: str) -> None:
    async with local_app() as app:
        _, host = await app.guest()
        async with host:
            answer = await host.post("/api/tables", json={"name": name})
            assert (answer.status_code, error_code(answer)) == (400, code)
            assert "{" not in answer.json()["sentence"]
            assert len(app.server.hub) == 0


async def test_whoever_looks_like_somebody_at_the_table_is_told_whom() -> None:
    async with local_app() as app:
        _, host = await app.guest()
        _, other = await app.guest()
        async with host, other:
            table = await open_table(host, name="Max", players=2)
            answer = await other.post(f"/api/tables/{table}/join", json={"name": "Мах"})
            assert (answer.status_code, error_code(answer)) == (409, "name_looks_like")
            assert "Max" in answer.json()["sentence"]
            joined = await other.post(f"/api/tables/{table}/join", json={"name": "❤\ufe0f"})
            assert joined.status_code == 200
            again = await other.post(f"/api/tables/{table}/join", json={"name": "Мах"})
            assert [seat["name"] for seat in again.json()["seats"]] == ["Max", "❤"]
            log = await app.server.store.log(table)
            joins = [decode_input(row.guest, row.data) for row in log]
            assert says.Join("❤") in joins

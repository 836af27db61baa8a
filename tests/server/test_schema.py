"""The OpenAPI document against a real server: every answer matches it."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server_process import GENEROUS, ServerProcess, server_process

EXAMPLES = 20
CUT_OFF = "Invalid HTTP request received."
"""What uvicorn says of a request that is cut off with 413 because it is too long."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("schema"), **GENEROUS) as running:
        yield running


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: str(mode.value))
def test_every_operation_answers_anything_as_the_document_says(
    mode: GenerationMode, server: ServerProcess
) -> None:
    program = {"Authorization": "Bearer none"}
    token = httpx.post(f"{server.url}/api/guests", json={}, headers=program).json()["token"]
    known = {"Authorization": f"Bearer {token}"}
    body = {"name": "Ada"}
    table = httpx.post(f"{server.url}/api/tables", json=body, headers=known).json()["table"]
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    statuses: dict[str, set[int]] = {}
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()

        @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,  # what is asserted below must not depend on the draw
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        def check(case: Any, data: st.DataObject) -> None:
            # An existing table, half of the time.
            if "table" in (case.path_parameters or {}) and data.draw(st.booleans()):
                case.path_parameters["table"] = table
            headers = data.draw(st.sampled_from([known, program, {}]))
            response = case.call(headers=headers)
            statuses.setdefault(case.operation.label, set()).add(response.status_code)
            case.validate_response(response, checks=CHECKS)

        check()
    assert len(statuses) >= 15
    if mode is GenerationMode.POSITIVE:
        assert 201 in statuses["POST /api/tables"]
        assert 200 in statuses["GET /api/tables/{table}"]
        assert {200, 404} <= statuses["GET /api/tables/{table}"]
    alarming = [line for line in server.log() if line["level"] in ("warning", "error")]
    assert not [line for line in alarming if line["message"] != CUT_OFF]


def test_the_document_is_a_valid_openapi_document(server: ServerProcess) -> None:
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    schema.validate()

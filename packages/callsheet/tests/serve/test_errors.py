"""Errors: one table over the whole tree, told as problems, without a word about this machine."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.serve.stage import HELLO, serving

from callsheet import errors
from callsheet.serve.problems import STATUS, failed, status_of
from callsheet.serve.routes.documented import USUAL

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("S1")

TREE = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, errors.CallsheetError)
]


@pytest.mark.parametrize("kind", TREE, ids=lambda kind: kind.__name__)
def test_every_error_of_the_tree_has_a_status_and_a_title(kind: type[Any]) -> None:
    answer = failed(kind("said"), "req_1")
    problem = msgspec.json.decode(answer.body)
    assert answer.status_code == status_of(kind("said")) == problem["status"]
    assert problem["type"] == f"urn:callsheet:error:{kind.code}"
    assert problem["code"] == kind.code
    assert problem["retryable"] is kind.retryable
    assert problem["request"] == "req_1"
    assert problem["title"] != "It was refused", "a status without words"
    assert ("retry-after" in answer.headers) == (answer.status_code in (429, 503))


def test_the_table_says_what_was_promised() -> None:
    said = {
        errors.PlanError: 422,
        errors.InputsError: 422,
        errors.UnknownRunError: 404,
        errors.UnknownPlanError: 404,
        errors.UnknownArtifactError: 404,
        errors.KeyReusedError: 409,
        errors.RequestRefusedError: 409,
        errors.LedgerShortError: 402,
        errors.DeniedError: 403,
        errors.StoreFullError: 507,
        errors.StoreBusyError: 503,
        errors.EngineClosedError: 503,
        errors.RateLimitedError: 429,
    }
    assert {kind: status_of(kind("x")) for kind in said} == said
    assert set(STATUS.values()) - {202, 402, 409, 410, 412, 507} <= set(USUAL)


def test_what_a_store_says_of_this_machine_stays_here() -> None:
    answer = failed(errors.StoreCorruptError("/srv/ada/callsheet.db is broken"), "r")
    assert b"/srv" not in answer.body


# Each starts a server.
@pytest.mark.slow
async def test_refusals_are_problems_too(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        asked: dict[tuple[str, str], int] = {
            ("GET", "/api/runs/nope"): 404,
            ("GET", "/api/nowhere"): 404,
            ("PATCH", "/api/runs"): 405,
            ("GET", "/api/runs?colour=red"): 422,
            ("GET", "/api/runs?limit=0"): 422,
            ("GET", "/api/runs?cursor=forged"): 400,
            ("GET", "/api/keys"): 403,
        }
        for (method, path), status in asked.items():
            answer = await client.request(method, path)
            assert answer.status_code == status, (path, answer.text)
            assert answer.headers["content-type"] == "application/problem+json"
            problem = answer.json()
            assert problem["status"] == status
            assert problem["request"] == answer.headers["x-request-id"]
        wrong = await client.post("/api/runs", json={"plan": {**HELLO, "colour": "red"}})
        assert wrong.status_code == 422
        assert wrong.json()["problems"][0]["place"] == "colour"
        unknown = await client.post("/api/runs", json={"plan": HELLO, "colour": "red"})
        assert unknown.status_code == 422
        assert unknown.json()["problems"][0]["place"] == "body.colour"


@pytest.mark.slow
async def test_a_mistake_of_ours_is_told_without_a_traceback(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:

        def broken(*_: object) -> None:
            raise ZeroDivisionError("/a/path/of/ours")

        served.service.tenant = broken  # type: ignore[method-assign,assignment]  # as a bug would
        answer = await (await served.client()).get("/api/runs")
        assert answer.status_code == 500
        assert answer.json()["code"] == "internal"
        assert "Zero" not in answer.text
        assert "/a/path" not in answer.text

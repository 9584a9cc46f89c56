"""The OpenAPI document: what it says is what there is, with an example of everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.serve.stage import LOCAL, serving
from tests.serve.threaded import threaded

from callsheet import Engine
from callsheet.serve.app import application
from callsheet.serve.document import document_of
from callsheet.serve.service import Service

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi import APIRouter

pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1")]

METHODS = ("get", "post", "put", "delete", "head")


async def document(*more: APIRouter) -> dict[str, Any]:
    async with Engine.in_memory() as engine:
        return document_of(application(Service(engine), more))


async def test_every_answer_and_every_body_has_an_example() -> None:
    told = await document()
    assert told["openapi"].startswith("3.1")
    must_have_examples(told)


def must_have_examples(told: dict[str, Any]) -> None:
    for path, operations in told["paths"].items():
        for method in METHODS:
            operation = operations.get(method)
            if operation is None:
                continue
            where = f"{method} {path}"
            for status, answer in operation["responses"].items():
                for kind, content in answer.get("content", {}).items():
                    assert "example" in content or kind == "*/*", (where, status, kind)
            body = operation.get("requestBody")
            if body is not None:
                for content in body["content"].values():
                    assert "example" in content, where


async def test_every_operation_says_what_it_does_and_how_it_is_refused() -> None:
    told = await document()
    must_say_how_it_is_refused(told)
    assert told["components"]["securitySchemes"]["key"]["scheme"] == "bearer"


def must_say_how_it_is_refused(told: dict[str, Any]) -> None:
    for path, operations in told["paths"].items():
        for method, operation in operations.items():
            assert operation["description"], (method, path)
            assert {"400", "401", "403", "404", "422", "429"} <= operation["responses"].keys()


async def test_the_document_and_the_page_are_served(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        assert (await client.get("/openapi.json")).json()["info"]["title"] == "Callsheet"
        page = await client.get("/")
        assert "/openapi.json" in page.text
        assert page.headers["content-type"].startswith("text/html")


# Thousands of requests, made up from the document.
@pytest.mark.long
def test_what_is_answered_is_what_the_document_says(tmp_path: Path) -> None:
    from schemathesis import openapi

    with threaded(tmp_path / "home") as served:
        schema = openapi.from_url(f"{served.url}/openapi.json")
        headers = {"Authorization": f"Bearer {LOCAL}"}
        for operation in schema.exclude(path_regex="/(events|feed)$").get_all_operations():
            known: Any = operation.ok()  # type: ignore[union-attr]  # it is one
            _each(known.as_strategy(), headers)


def _each(strategy: Any, headers: dict[str, str]) -> None:
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis import checks

    # What is answered is told. That all is taken that fits a schema is not said: a cursor is text.
    checked = [
        checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]

    @settings(
        max_examples=20,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=strategy)
    def ask(case: Any) -> None:
        case.call_and_validate(headers=headers, timeout=60, checks=checked)

    ask()


async def test_the_reference_of_the_routes_is_made_from_the_document() -> None:
    from tests.serve.rest_page import PAGE, page

    assert PAGE.read_text("utf-8") == await page(), "python -m tests.serve.rest_page makes it anew"

"""The OpenAPI document: what it says is what there is, with an example of everything."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.serve.stage import LOCAL, serving
from tests.serve.threaded import threaded

from callsheet import Engine
from callsheet.serve.app import application
from callsheet.serve.document import document_of
from callsheet.serve.service import Service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastapi import APIRouter
    from hypothesis import settings as Settings  # noqa: N812 -- a class with the name of a function

pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1")]

LONG = 10
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


@contextmanager
def described(tmp_path: Path) -> Iterator[Any]:
    """What a service says of itself; streams go on, and are left out."""
    from schemathesis import openapi

    with threaded(tmp_path / "home") as served:
        schema = openapi.from_url(f"{served.url}/openapi.json")
        yield schema.exclude(path_regex="/(events|feed|flow)$")


# A request for each route, made up from the document; thousands in the long test.
@pytest.mark.parametrize("examples", [1, pytest.param(20, marks=pytest.mark.long)])
def test_what_is_answered_is_what_the_document_says(tmp_path: Path, examples: int) -> None:
    with described(tmp_path) as schema:
        for operation in schema.get_all_operations():
            _each(operation.ok().as_strategy(), examples)


# Requests that go on with what earlier ones were answered: a run that was started is cancelled.
@pytest.mark.parametrize("examples", [3, pytest.param(100, marks=pytest.mark.long)])
def test_what_is_answered_in_a_row_is_what_the_document_says(tmp_path: Path, examples: int) -> None:
    with described(tmp_path) as schema:

        class Machine(schema.as_state_machine()):  # type: ignore[misc]  # made up from the document
            def get_call_kwargs(self, case: Any) -> dict[str, Any]:
                del case
                return ASKED

            def validate_response(self, response: Any, case: Any, **_: Any) -> None:
                case.validate_response(response, checks=_checks())

        Machine.run(settings=_settings(examples))


ASKED = {"headers": {"Authorization": f"Bearer {LOCAL}"}, "timeout": 60}


def _checks() -> list[Any]:
    from schemathesis import checks

    # What is answered is told. That all is taken that fits a schema is not said: a cursor is text.
    return [
        checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]


def _settings(examples: int) -> Settings:
    from hypothesis import HealthCheck, Phase, settings

    return settings(
        max_examples=examples,
        stateful_step_count=8,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
        # The same each time, where it runs with every change.
        derandomize=examples < LONG,
    )


def _each(strategy: Any, examples: int) -> None:
    from hypothesis import given

    @_settings(examples)
    @given(case=strategy)
    def ask(case: Any) -> None:
        case.call_and_validate(**ASKED, checks=_checks())

    ask()


async def test_the_reference_of_the_routes_is_made_from_the_document() -> None:
    from tests.serve.rest_page import PAGE, page

    assert PAGE.read_text("utf-8") == await page(), "python -m tests.serve.rest_page makes it anew"

"""HTTP services as tools, against a server on this machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import FakeContext
from tests.unit.tools.web import Handler, serving

from callsheet import errors
from callsheet.tools.outside.endpoint import http_tool
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.tools.registry import AnyTool


@pytest.fixture
def server() -> Iterator[str]:
    with serving() as address:
        yield address


async def call(tool: AnyTool, **args: Any) -> Any:
    return await Registry([tool]).call(tool.spec.name, args, FakeContext())


def local(url: str, **declared: Any) -> AnyTool:
    return http_tool("t", url, allow_private=["127.0.0.1"], **declared)


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    ("given", "spelled"),
    [
        ("a b", "a%20b"),
        ("../x", "..%2Fx"),
        ("?q=1#f", "%3Fq%3D1%23f"),
        ("ü/é", "%C3%BC%2F%C3%A9"),
        (7, "7"),
    ],
)
async def test_an_argument_stays_within_its_place_in_the_url(
    server: str, given: object, spelled: str
) -> None:
    tool = local(f"{server}/query/${{args.id}}/end?q=${{args.id}}", output="text")
    assert await call(tool, id=given) == f"/query/{spelled}/end?q={spelled}"


@pytest.mark.parametrize("given", [".", ".."])
async def test_an_argument_cannot_climb(server: str, given: str) -> None:
    with pytest.raises(errors.InvalidError, match="cannot stand in the URL"):
        await call(local(f"{server}/query/${{args.id}}"), id=given)


async def test_what_no_blank_names_goes_into_the_query_of_a_read(server: str) -> None:
    tool = local(
        f"{server}/query",
        query={"fixed": "1", "city": "${args.town}", "none": "${args.none}"},
        args={"days": "integer", "none": {"default": None}},
        output="text",
    )
    assert await call(tool, town="Oslo", days=3) == "/query?fixed=1&city=Oslo&days=3"


@pytest.mark.requirement("E6", "E18")
async def test_what_no_blank_names_is_the_body_of_a_write(server: str) -> None:
    tool = local(f"{server}/echo", method="POST", args={"title": "string", "tags": "array"})
    assert tool.spec.effect == "write"
    said = await call(tool, title="Hi", tags=["a"])
    assert json.loads(said["body"]) == {"title": "Hi", "tags": ["a"]}
    assert said["headers"]["Idempotency-Key"] == "key-1"
    assert said["headers"]["Content-Type"] == "application/json"


async def test_a_body_is_a_form_in_which_whole_blanks_keep_their_type(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACKER_TEAM", "the blue one")
    tool = local(
        f"{server}/echo",
        method="PUT",
        headers={"X-Team": "It is ${env.TRACKER_TEAM}", "X-Who": "${args.who}"},
        json={"n": "${args.n}", "text": "n is ${args.n}", "key": "${key}", "plain": [1, True]},
        args={"who": {"type": ["string", "null"], "default": None}},
    )
    said = await call(tool, n=3)
    sent = {"n": 3, "text": "n is 3", "key": "key-1", "plain": [1, True]}
    assert json.loads(said["body"]) == sent
    assert said["headers"]["X-Team"] == "It is the blue one"
    assert "X-Who" not in said["headers"]


async def test_a_variable_that_is_not_set_is_named(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRACKER_TOKEN", raising=False)
    tool = local(f"{server}/json", headers={"Authorization": "${env.TRACKER_TOKEN}"})
    with pytest.raises(errors.FatalError, match="TRACKER_TOKEN is not set"):
        await call(tool)


async def test_a_secret_that_a_server_repeats_is_not_in_the_error(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACKER_TOKEN", "s3cret")
    headers = {"Authorization": "Bearer ${env.TRACKER_TOKEN}"}
    with pytest.raises(errors.DeniedError, match=r"the token Bearer \$TRACKER_TOKEN"):
        await call(local(f"{server}/telltale", method="POST", headers=headers))


async def test_an_answer_is_json_text_or_the_whole_response(server: str) -> None:
    assert await call(local(f"{server}/json")) == {"a": [1, None]}
    assert await call(local(f"{server}/json", output="text")) == '{"a": [1, null]}'
    whole = await call(local(f"{server}/json", output="response"))
    assert (whole["status"], whole["json"]) == (200, {"a": [1, None]})
    assert await call(local(f"{server}/headers")) is None


@pytest.mark.requirement("E10")
async def test_an_answer_that_is_not_what_was_declared_leaves_a_write_in_doubt(server: str) -> None:
    with pytest.raises(errors.FatalError, match="it is not JSON") as caught:
        await call(local(f"{server}/not-json"))
    assert caught.value.nothing_happened
    with pytest.raises(errors.FatalError, match="it is not JSON") as caught:
        await call(local(f"{server}/not-json", method="POST"))
    assert not caught.value.nothing_happened
    with pytest.raises(errors.FatalError, match="it is not text"):
        await call(local(f"{server}/bytes", output="text"))


@pytest.mark.requirement("E7")
async def test_a_status_is_an_error_of_its_class(server: str) -> None:
    with pytest.raises(errors.RateLimitedError) as caught:
        await call(local(f"{server}/429"))
    assert caught.value.retry_after == 7.0


async def test_a_declared_service_is_no_way_into_the_house(server: str) -> None:
    with pytest.raises(errors.DeniedError, match="not a public address"):
        await call(http_tool("t", f"{server}/echo", method="POST"))
    assert Handler.asked == []


def test_a_declaration_is_a_tool_like_any_other() -> None:
    tool = http_tool(
        "tickets.close",
        "https://tracker.example/tickets/${args.output.id}",
        method="DELETE",
        idempotent=True,
        description="Close a ticket.",
        returns={"type": "object"},
    )
    spec = tool.spec
    assert (spec.effect, spec.idempotent, spec.timeout) == ("write", True, 30.0)
    assert spec.output_schema == {"type": "object"}
    assert spec.input_schema["properties"] == {"output": {"type": "object"}}
    assert http_tool("t", "https://x.example/", timeout="5m").spec.timeout == 300
    assert http_tool("t", "https://x.example/", method="POST", effect="read").spec.effect == "read"


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"url": "ftp://x.example"}, "must begin with http:// or https://"),
        ({"url": "${args.url}"}, "must begin with http:// or https://"),
        ({"url": "https://${args.host}/x"}, "a host that is written out"),
        ({"url": "https://x.example${args.host}/x"}, "has a blank in its host"),
        ({"url": "https://x.example/${inputs.a}"}, "write ${args.NAME}"),
        ({"url": 7}, "url must be text"),
        ({"method": "FETCH"}, "method must be one of GET"),
        ({"headers": {"A": 1}}, "headers must be a mapping of names to texts"),
        ({"headers": {"A": "${x}"}}, "headers ${x} cannot be filled"),
        ({"query": ["a"]}, "query must be a mapping"),
        ({"json": {"a": "${x}"}}, "json ${x} cannot be filled"),
        ({"json": {"a": 1}, "args": {"b": "string"}}, "nothing is done with the argument 'b'"),
        ({"output": "xml"}, "output must be one of json"),
        ({"allow_private": ["a b"]}, "which is no host"),
        ({"isolated": True}, "never isolated"),
        ({"method": "GET", "undo": "x"}, "only a write can have undo"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_write(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(errors.ToolDefinitionError) as caught:
        http_tool("t", **{"url": "https://x.example/", **wrong})
    assert complaint in caught.value.message

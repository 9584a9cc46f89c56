"""`http.get` and `http.request`, against a server on this machine."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import socket
import ssl
import sys
from typing import TYPE_CHECKING, Any

import pytest
import trustme
from tests.unit.tools.ctx import PATIENCE, FakeContext
from tests.unit.tools.web import Handler, serving

from callsheet import errors
from callsheet.tools.outside import exchange
from callsheet.tools.outside.http import http_tools
from callsheet.tools.outside.network import network_of
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def server() -> Iterator[str]:
    with serving() as address:
        yield address


def registry(*allowed: str) -> Registry:
    return Registry(http_tools(network_of(allowed)))


async def get(url: str, **args: Any) -> Any:
    return await registry("127.0.0.1").call("http.get", {"url": url, **args}, FakeContext())


async def fetch(url: str, *allowed: str) -> Any:
    """As `get`, with other addresses allowed."""
    return await registry(*allowed).call("http.get", {"url": url}, FakeContext())


async def request(method: str, url: str, **args: Any) -> Any:
    given = {"method": method, "url": url, **args}
    return await registry("127.0.0.1").call("http.request", given, FakeContext())


@pytest.mark.parametrize(
    ("path", "name", "content"),
    [
        ("/text", "body", "ø"),
        ("/json", "json", {"a": [1, None]}),
        ("/problem", "json", []),
        ("/not-json", "body", "{"),
        ("/nan", "body", '{"a": NaN}'),
        ("/bytes", "base64", base64.b64encode(b"\xff\xfe\x00").decode()),
        ("/moved", "json", {"a": [1, None]}),
    ],
)
async def test_an_answer_comes_as_json_text_or_base64(
    server: str, path: str, name: str, content: object
) -> None:
    answer = await get(server + path)
    assert answer["status"] == 200
    assert answer[name] == content
    assert answer["headers"]["content-type"]


async def test_headers_are_sent(server: str) -> None:
    answer = await get(f"{server}/headers", headers={"X-Mine": "yes"})
    assert answer["headers"]["x-seen-x-mine"] == "yes"
    assert answer["headers"]["x-seen-host"] == server.removeprefix("http://")


async def test_a_user_in_the_address_is_sent_as_credentials(server: str) -> None:
    answer = await get(server.replace("http://", "http://me:pw@") + "/headers")
    credentials = answer["headers"]["x-seen-authorization"].removeprefix("Basic ")
    assert base64.b64decode(credentials) == b"me:pw"


async def test_a_query_is_added_with_every_value_spelled(server: str) -> None:
    query = {"q": "a&b=c ü", "n": 3, "many": ["x", "y"], "none": None, "yes": True}
    answer = await get(f"{server}/query?first=1", query=query)
    assert answer["body"] == "/query?first=1&q=a%26b%3Dc+%C3%BC&n=3&many=x&many=y&yes=true"
    assert answer["url"] == f"{server}/query"


@pytest.mark.requirement("E7")
@pytest.mark.parametrize(
    ("path", "kind", "retry_after"),
    [
        ("/400", errors.InvalidError, None),
        ("/409", errors.InvalidError, None),
        ("/422", errors.InvalidError, None),
        ("/502", errors.TransientError, None),
        ("/504", errors.TransientError, None),
        ("/to-file", errors.InvalidError, None),
        ("/to-metadata", errors.DeniedError, None),
        ("/404", errors.InvalidError, None),
        ("/401", errors.DeniedError, None),
        ("/403", errors.DeniedError, None),
        ("/408", errors.TransientError, None),
        ("/429", errors.RateLimitedError, 7.0),
        ("/429-date", errors.RateLimitedError, 90.0),
        ("/429-odd", errors.RateLimitedError, None),
        ("/500", errors.TransientError, None),
        ("/503", errors.TransientError, 3.0),
        ("/circle", errors.FatalError, None),
        ("/hang-up", errors.TransientError, None),
    ],
)
async def test_an_answer_that_is_none_is_an_error_of_the_right_class(
    server: str, path: str, kind: type[errors.ToolError], retry_after: float | None
) -> None:
    with pytest.raises(errors.ToolError) as caught:
        await get(server + path)
    assert type(caught.value) is kind
    assert caught.value.retry_after == retry_after


@pytest.mark.requirement("E8")
async def test_a_server_that_does_not_answer_is_a_timeout(server: str) -> None:
    with pytest.raises(errors.ToolTimeoutError, match=r"did not answer within 0\.05 s"):
        await get(f"{server}/slow", timeout=0.05)


@pytest.mark.requirement("E7")
async def test_a_server_that_is_not_there_says_that_nothing_was_done() -> None:
    with socket.socket() as taken:
        # Bound and not listening: nobody else can, and nobody answers.
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(errors.NotDoneError, match="cannot be reached"):
            await get(f"http://127.0.0.1:{taken.getsockname()[1]}/")


async def test_an_answer_that_is_too_large_is_refused(server: str) -> None:
    assert len((await get(f"{server}/large", max_bytes=2000))["body"]) == 2000
    with pytest.raises(errors.FatalError, match="more than 1,999 bytes"):
        await get(f"{server}/large", max_bytes=1999)


@pytest.mark.parametrize(
    "url", ["ftp://x/y", "file:///etc/passwd", "nothing", "http://", "http://[::1", "http://x:y/"]
)
async def test_only_web_addresses_are_fetched(url: str) -> None:
    with pytest.raises(errors.InvalidError, match=r"args\.url"):
        await get(url)


async def test_an_error_does_not_show_what_may_be_secret_in_the_address(server: str) -> None:
    address = server.replace("http://", "http://user:hunter2@")
    with pytest.raises(errors.InvalidError) as caught:
        await get(f"{address}/404?token=hunter2#hunter2")
    assert "hunter2" not in caught.value.message
    assert f"{server}/404 answered 404." in caught.value.message


async def test_what_a_server_says_is_wrong_is_repeated(server: str) -> None:
    with pytest.raises(errors.InvalidError, match=r"answered 409: it is taken\."):
        await get(f"{server}/409")
    with pytest.raises(errors.InvalidError, match=r"answered 422: .*no such city"):
        await get(f"{server}/422")


@pytest.mark.requirement("E7")
async def test_a_status_counts_even_if_its_text_never_ends(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "LISTENING", 0.05)
    with pytest.raises(errors.InvalidError, match="answered 409: half"):
        await request("POST", f"{server}/slow-409")


@pytest.mark.requirement("E8")
async def test_an_answer_that_stops_in_the_middle_is_a_timeout(server: str) -> None:
    with pytest.raises(errors.ToolTimeoutError, match=r"did not answer within 0\.05 s"):
        await get(f"{server}/slow-body", timeout=0.05)


@pytest.mark.parametrize("header", ["X-Mine\r\nX-Other", "", "X Mine"])
async def test_a_header_cannot_bring_another_one_in(server: str, header: str) -> None:
    for headers in ({header: "x"}, {"X-Mine": "a\r\nX-Other: b"}):
        with pytest.raises(errors.InvalidError, match="cannot be sent"):
            await get(f"{server}/headers", headers=headers)


async def test_headers_do_not_follow_a_redirect_to_another_server(server: str) -> None:
    headers = {"Authorization": "Bearer s3cret", "X-Api-Key": "s3cret", "Accept": "text/html"}
    with serving() as other:
        answer = await get(f"{server}/elsewhere?{other.rpartition(':')[2]}", headers=headers)
    assert answer["url"] == f"{other}/headers"
    assert answer["headers"]["x-seen-accept"] == "text/html"
    assert "s3cret" not in str(answer)


# Writes


@pytest.mark.requirement("E6", "E18")
async def test_a_write_sends_its_body_and_the_key_of_the_step(server: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        answer = await request(method, f"{server}/echo", json={"a": [1, None]})
        said = answer["json"]
        assert (said["method"], json.loads(said["body"])) == (method, {"a": [1, None]})
        assert said["headers"]["Content-Type"] == "application/json"
        assert said["headers"]["Idempotency-Key"] == "key-1"


async def test_a_write_may_send_text_and_a_key_of_its_own(server: str) -> None:
    headers = {"content-type": "text/csv", "idempotency-key": "mine"}
    said = (await request("POST", f"{server}/echo", body="a,ü", headers=headers))["json"]
    assert said["body"] == "a,ü"
    found = {name.lower(): text for name, text in said["headers"].items()}
    assert (found["content-type"], said["keys"]) == ("text/csv", ["mine"])
    with pytest.raises(errors.InvalidError, match="not both"):
        await request("POST", f"{server}/echo", body="a", json=1)


async def test_a_request_may_also_be_a_read_without_a_key(server: str) -> None:
    answer = await request("GET", f"{server}/headers")
    assert "x-seen-idempotency-key" not in answer["headers"]
    assert (await request("HEAD", f"{server}/any"))["headers"]["x-head"] == "yes"


@pytest.mark.requirement("E7", "E10")
@pytest.mark.parametrize(
    ("path", "kind", "nothing_happened"),
    [
        ("/400", errors.InvalidError, True),
        ("/409", errors.InvalidError, True),
        ("/403", errors.DeniedError, True),
        ("/429", errors.RateLimitedError, True),
        ("/408", errors.TransientError, False),
        ("/500", errors.TransientError, False),
        ("/503", errors.TransientError, False),
        ("/hang-up", errors.TransientError, False),
        ("/slow", errors.ToolTimeoutError, False),
        ("/slow-body", errors.ToolTimeoutError, False),
        ("/large", errors.FatalError, False),
        ("/to-metadata-307", errors.DeniedError, True),
    ],
)
async def test_a_failed_write_says_that_nothing_happened_only_if_that_is_certain(
    server: str, path: str, kind: type[errors.ToolError], nothing_happened: bool
) -> None:
    slow = {"timeout": 0.2} if "slow" in path else {}
    with pytest.raises(errors.ToolError) as caught:
        await request("POST", server + path, max_bytes=1000, **slow)
    assert isinstance(caught.value, kind)
    assert caught.value.nothing_happened is nothing_happened
    assert len(Handler.asked) <= 1


@pytest.mark.requirement("E10")
async def test_a_write_to_a_server_that_is_not_there_was_not_done() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(errors.NotDoneError, match="cannot be reached"):
            await request("POST", f"http://127.0.0.1:{taken.getsockname()[1]}/")


@pytest.mark.requirement("E10")
async def test_a_write_that_waits_for_a_connection_was_not_done() -> None:
    with deaf("127.0.0.1", 0) as port, pytest.raises(errors.NotDoneError):
        await request("POST", f"http://127.0.0.1:{port}/", timeout=0.1)


@contextlib.contextmanager
def deaf(address: str, port: int) -> Iterator[int]:
    """A port on which nobody is heard, nor refused: its queue is full."""
    with socket.socket() as full, contextlib.ExitStack() as stack:
        full.bind((address, port))
        full.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        yield full.getsockname()[1]


@pytest.mark.requirement("E10")
async def test_a_write_that_is_told_to_stop_was_not_done_if_it_was_not_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolving = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        resolving.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", never)
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        going = group.create_task(told_to_stop("http://slow-name.test/"))
        await resolving.wait()
        going.cancel()
    assert isinstance(going.result(), errors.NotDoneError)


@pytest.mark.requirement("E10")
async def test_a_write_that_is_told_to_stop_is_in_doubt_if_it_was_sent(server: str) -> None:
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        going = group.create_task(told_to_stop(f"{server}/slow"))
        while not Handler.asked:
            await asyncio.to_thread(bool)
        going.cancel()
    assert isinstance(going.result(), asyncio.CancelledError)


async def told_to_stop(url: str) -> BaseException | None:
    """How a request ends that is cancelled."""
    try:
        await request("POST", url)
    except BaseException as exc:  # noqa: BLE001 -- it is looked at
        return exc
    return None


async def test_a_write_follows_only_where_it_is_told_that_nothing_was_done(server: str) -> None:
    answer = await request("POST", f"{server}/again", json=1)
    assert (answer["json"]["method"], answer["json"]["body"]) == ("POST", "1")
    assert Handler.asked == ["POST /again", "POST /echo"]
    answer = await request("POST", f"{server}/see-other")
    assert (answer["status"], answer["headers"]["location"]) == (303, "/json")


# The network


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "LOCALHOST.", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "10.0.0.1"],
)
async def test_a_private_address_is_refused_unless_it_is_allowed(server: str, host: str) -> None:
    port = server.rpartition(":")[2]
    for tool, args in (("http.get", {}), ("http.request", {"method": "POST"})):
        url = f"http://{host}:{port}/echo"
        with pytest.raises(errors.DeniedError, match=r"not a public address.*allow_private"):
            await registry().call(tool, {"url": url, **args}, FakeContext())
    assert Handler.asked == []


@pytest.mark.parametrize("allowed", ["localhost", "127.0.0.0/8"])
async def test_a_host_or_a_block_may_be_allowed(server: str, allowed: str) -> None:
    url = f"http://localhost:{server.rpartition(':')[2]}/json"
    answer = await fetch(url, allowed)
    assert answer["json"] == {"a": [1, None]}


@pytest.mark.parametrize("host", ["2130706433", "0177.0.0.1", "0x7f.0.0.1", "127.1", "0x7f000001"])
async def test_a_host_that_is_a_number_in_disguise_is_refused(server: str, host: str) -> None:
    with pytest.raises(errors.InvalidError, match="address"):
        await get(f"http://{host}:{server.rpartition(':')[2]}/json")


async def test_a_redirect_is_looked_at_like_any_address(server: str) -> None:
    """`localhost` is allowed; the server sends us to 127.0.0.1, which is not."""
    own = server.rpartition(":")[2]
    url = f"http://localhost:{own}/elsewhere?{own}"
    with pytest.raises(errors.DeniedError, match=r"127\.0\.0\.1 is not a public address"):
        await fetch(url, "localhost")


async def test_the_address_that_was_looked_at_is_the_one_that_is_connected_to(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that means something else the second time is asked for once."""
    loop = asyncio.get_running_loop()
    asked: list[str] = []
    port = int(server.rpartition(":")[2])

    async def rebinding(host: str, *_: object, **__: object) -> list[Any]:
        asked.append(str(host))
        address = "127.0.0.1" if len(asked) == 1 else "127.0.0.2"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(loop, "getaddrinfo", rebinding)
    url = f"http://rebinding.test:{port}/headers"
    answer = await fetch(url, "127.0.0.1")
    assert answer["headers"]["x-seen-host"] == f"rebinding.test:{port}"
    assert asked.count("rebinding.test") == 1


@pytest.mark.requirement("E6")
async def test_a_certificate_is_checked_against_the_name_not_the_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    authority = trustme.CA()
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    monkeypatch.setattr(exchange, "_certificates", lambda: trusted)

    async def local(*_: object, **__: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", local)
    with serving(authority.issue_cert("real.test")) as server:
        port = server.rpartition(":")[2]
        answer = await get(f"https://real.test:{port}/json")
        assert answer["url"] == f"https://real.test:{port}/json"
        with pytest.raises(errors.NotDoneError, match=r"not valid for 'other\.test'"):
            await get(f"https://other.test:{port}/json")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one local address")
async def test_an_address_that_says_nothing_does_not_take_the_time_of_the_others(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(server.rpartition(":")[2])

    async def two(host: str, *_: object, **__: object) -> list[Any]:
        found = ["127.0.0.2", "127.0.0.1"] if host == "two.test" else [host]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", two)
    monkeypatch.setattr(exchange, "_CONNECT", 0.1)
    with deaf("127.0.0.2", port):
        answer = await fetch(f"http://two.test:{port}/json", "127.0.0.0/8")
    assert answer["status"] == 200


async def test_a_proxy_of_the_environment_is_not_asked(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would resolve the name itself, and nobody would look at the address."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert (await get(f"{server}/json"))["status"] == 200


async def test_when_one_address_does_not_answer_the_next_is_tried(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(server.rpartition(":")[2])

    async def two(host: str, *_: object, **__: object) -> list[Any]:
        # Nobody listens on the first, and the last is not allowed.
        found = ["127.0.0.1"] if host != "two.test" else ["127.0.0.2", "127.0.0.1", "10.0.0.1"]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", two)
    url = f"http://two.test:{port}/json"
    answer = await fetch(url, "127.0.0.0/8")
    assert answer["status"] == 200

"""`http.get`, against a server on this machine."""

from __future__ import annotations

import base64
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import PATIENCE, FakeContext
from typing_extensions import override

from callsheet import errors
from callsheet.tools.http import http_tools
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator

DATE = "Wed, 01 May 2024 10:00:00 GMT"
LATER = "Wed, 01 May 2024 10:01:30 GMT"

ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/text": (200, {"Content-Type": "text/plain; charset=latin-1"}, b"\xf8"),
    "/json": (200, {"Content-Type": "application/json"}, b'{"a": [1, null]}'),
    "/problem": (200, {"Content-Type": "application/problem+json"}, b"[]"),
    "/not-json": (200, {"Content-Type": "application/json"}, b"{"),
    "/nan": (200, {"Content-Type": "application/json"}, b'{"a": NaN}'),
    "/bytes": (200, {"Content-Type": "image/png"}, b"\xff\xfe\x00"),
    "/large": (200, {"Content-Type": "text/plain"}, b"x" * 2000),
    "/moved": (302, {"Location": "/json"}, b""),
    "/circle": (302, {"Location": "/circle"}, b""),
    "/400": (400, {}, b""),
    "/401": (401, {}, b""),
    "/403": (403, {}, b""),
    "/404": (404, {}, b""),
    "/408": (408, {}, b""),
    "/429": (429, {"Retry-After": "7"}, b""),
    "/429-date": (429, {"Retry-After": LATER, "Date": DATE}, b""),
    "/429-odd": (429, {"Retry-After": "soon"}, b""),
    "/500": (500, {}, b""),
    "/503": (503, {"Retry-After": "3"}, b""),
}


class Handler(BaseHTTPRequestHandler):
    release: threading.Event

    def do_GET(self) -> None:
        if self.path == "/slow":
            self.release.wait(PATIENCE)
        if self.path in ("/hang-up", "/slow"):
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if self.path == "/headers":
            status, headers, body = 200, {"X-Seen": self.headers.get("X-Mine", "")}, b""
        else:
            status, headers, body = ANSWERS[self.path.partition("?")[0]]
        self.send_response_only(status)
        for name, text in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    @override
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Handler.release = threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        Handler.release.set()
        server.shutdown()
        thread.join(PATIENCE)


async def get(url: str, **args: Any) -> Any:
    return await Registry(http_tools()).call("http.get", {"url": url, **args}, FakeContext())


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
    assert answer["headers"]["x-seen"] == "yes"


@pytest.mark.requirement("E7")
@pytest.mark.parametrize(
    ("path", "kind", "retry_after"),
    [
        ("/400", errors.InvalidError, None),
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

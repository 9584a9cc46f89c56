"""Servers are hostile: what they send is bounded, and what a plan sends cannot lie about itself."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import ipaddress
import json
import threading
import tracemalloc
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import FakeContext
from typing_extensions import override

from callsheet.core.grants import Grant, Grants
from callsheet.errors import DeniedError, InvalidError, ToolError
from callsheet.runtime.secrets import Revealed
from callsheet.tools.outside.http import http_tools
from callsheet.tools.outside.network import Network, is_public
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.requirement("S10")


def bomb(layers: int) -> bytes:
    """A few bytes that become 200 MB, in one layer, and again and again in more."""
    packer = zlib.compressobj(9, wbits=31)
    packed = b"".join(packer.compress(b"\0" * 1_000_000) for _ in range(200)) + packer.flush()
    for _ in range(layers - 1):
        packed = gzip.compress(packed)
    return packed


DEEP = b"[" * 100_000 + b"]" * 100_000
JSON = {"Content-Type": "application/json"}
TEXT = {"Content-Type": "text/plain"}
SMALL = b'{"a": "' + b"x" * 3_000 + b'"}'

ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/gzip": (200, {**JSON, "Content-Encoding": "gzip"}, gzip.compress(SMALL)),
    "/x-gzip": (200, {**JSON, "Content-Encoding": "x-gzip"}, gzip.compress(SMALL)),
    "/deflate": (200, {**JSON, "Content-Encoding": "deflate"}, zlib.compress(SMALL)),
    "/raw-deflate": (200, {**JSON, "Content-Encoding": "deflate"}, zlib.compress(SMALL)[2:-4]),
    "/identity": (200, {**JSON, "Content-Encoding": "identity"}, SMALL),
    "/two-megabytes": (200, {**TEXT, "Content-Encoding": "gzip"}, gzip.compress(b"x" * 2_000_000)),
    "/half": (200, {**TEXT, "Content-Encoding": "gzip"}, gzip.compress(SMALL)[:-9]),
    "/not-gzip": (200, {**TEXT, "Content-Encoding": "gzip"}, b"not packed at all"),
    "/twice": (200, {**TEXT, "Content-Encoding": "gzip, gzip"}, gzip.compress(gzip.compress(b""))),
    "/brotli": (200, {**TEXT, "Content-Encoding": "br"}, b"\x0b"),
    "/deep": (200, JSON, DEEP),
    "/undefined": (200, {"Content-Type": "text/plain; charset=undefined"}, b"x"),
    "/punycode": (200, {"Content-Type": "text/plain; charset=punycode"}, b"x" * 200_000),
    "/nonsense": (200, {"Content-Type": "text/plain; charset=no-such"}, b"x"),
    "/hex": (200, {"Content-Type": "text/plain; charset=hex"}, b"00"),
    "/digits": (200, JSON, b"1" * 5_000),
    "/400-digits": (200, JSON, b'{"a": 1' + b"0" * 400 + b"}"),
    "/surrogate": (200, JSON, b'{"\\ud800": 1}'),
}


class Handler(BaseHTTPRequestHandler):
    seen: list[str]

    def do_GET(self) -> None:
        self.seen.append(self.path)
        status, headers, body = ANSWERS[self.path]
        self.send_response_only(status)
        for name, text in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, text)
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # whoever has heard enough hangs up
            self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    @override
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    for layers in (1, 2, 3):
        packed, said = bomb(layers), ", ".join(["gzip"] * layers)
        ANSWERS[f"/bomb-{layers}"] = (200, {**TEXT, "Content-Encoding": said}, packed)
        ANSWERS[f"/bomb-{layers}-409"] = (409, {**TEXT, "Content-Encoding": said}, packed)
    Handler.seen = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


@pytest.fixture
def registry() -> Registry:
    return Registry(http_tools(Network(everything=True)))


async def get(registry: Registry, url: str, **args: Any) -> Any:
    return await registry.call("http.get", {"url": url, **args}, FakeContext())


@pytest.mark.slow  # bombs of 200 MB
@pytest.mark.parametrize("name", ["bomb-1", "bomb-2", "bomb-3"])
@pytest.mark.parametrize("kind", ["", "-409"])
async def test_a_bomb_is_refused_before_it_has_become_large(
    server: str, registry: Registry, name: str, kind: str
) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ToolError, match=r"more than 10,000,000 bytes|nobody asked for|409"):
            await get(registry, f"{server}/{name}{kind}")
        assert tracemalloc.get_traced_memory()[1] < 45_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.slow  # a bomb of 200 MB
async def test_the_loop_goes_on_while_much_is_unpacked(server: str, registry: Registry) -> None:
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)  # noqa: TID251 -- a turn of the loop, no time
            turns += 1

    async with asyncio.TaskGroup() as group:
        turning = group.create_task(turn())
        with pytest.raises(ToolError, match="more than 100,000,000 bytes"):
            await get(registry, f"{server}/bomb-1", max_bytes=100_000_000)
        turning.cancel()
    # Once for each of the hundred pieces, at the least.
    assert turns > 100


async def test_one_layer_of_packing_is_taken_off(server: str, registry: Registry) -> None:
    for path in ("/gzip", "/x-gzip", "/deflate", "/raw-deflate", "/identity"):
        found = await get(registry, server + path)
        assert found["json"] == json.loads(SMALL), path
    assert len((await get(registry, f"{server}/two-megabytes"))["body"]) == 2_000_000


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("/half", "its end is missing"),
        ("/not-gzip", "it cannot be unpacked"),
        ("/twice", "packed as 'gzip, gzip', which nobody asked for"),
        ("/brotli", "packed as 'br', which nobody asked for"),
    ],
)
async def test_what_cannot_be_unpacked_is_said_clearly(
    server: str, registry: Registry, path: str, complaint: str
) -> None:
    with pytest.raises(ToolError) as caught:
        await get(registry, server + path)
    assert complaint in caught.value.message


@pytest.mark.parametrize("path", ["/deep", "/digits", "/400-digits", "/surrogate"])
async def test_json_that_is_none_of_ours_stays_text(
    server: str, registry: Registry, path: str
) -> None:
    found = await get(registry, server + path)
    assert found["body"].encode() == ANSWERS[path][2]


@pytest.mark.parametrize("path", ["/undefined", "/punycode", "/nonsense", "/hex"])
async def test_a_character_set_that_is_none_gives_bytes(
    server: str, registry: Registry, path: str
) -> None:
    assert "base64" in await get(registry, server + path)


@pytest.mark.parametrize(
    "name",
    ["Host", "content-length", "Transfer-Encoding", "Connection", "Upgrade", "TE", "Expect"],
)
@pytest.mark.parametrize("tool", ["http.get", "http.request"])
async def test_a_plan_cannot_say_whom_a_request_is_for_or_where_it_ends(
    server: str, registry: Registry, name: str, tool: str
) -> None:
    args: dict[str, Any] = {"url": f"{server}/gzip", "headers": {name: "1"}}
    args |= {"method": "POST"} if tool == "http.request" else {}
    before = len(Handler.seen)
    with pytest.raises(InvalidError, match="not a plan's to set"):
        await registry.call(tool, args, FakeContext())
    assert len(Handler.seen) == before


async def test_an_address_with_a_blank_before_it_is_invalid(registry: Registry) -> None:
    with pytest.raises(InvalidError, match="must begin with http"):
        await get(registry, " http://127.0.0.1:1/")


async def test_a_secret_goes_to_no_host_that_it_is_not_granted_for(
    server: str, registry: Registry
) -> None:
    grants = Grants(secrets={"KEY": Grant(hosts=("api.example.com", "*.example.org"))})
    ctx = FakeContext(secrets=Revealed({"KEY": "hunter2hunter2"}, grants))
    before = len(Handler.seen)
    with pytest.raises(DeniedError, match=r"KEY is not granted for the host 127\.0\.0\.1"):
        await registry.call("http.get", {"url": f"{server}/gzip"}, ctx)
    assert len(Handler.seen) == before
    allowed = Grants(secrets={"KEY": Grant(hosts=("127.0.0.1",))})
    ctx = FakeContext(secrets=Revealed({"KEY": "hunter2hunter2"}, allowed))
    assert await registry.call("http.get", {"url": f"{server}/gzip"}, ctx)


NOT_PUBLIC = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.8",
    "192.0.0.170",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "3fff:fff:ffff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "4000::1",
]
PUBLIC = "1.1.1.1 8.8.8.8 100.128.0.1 172.32.0.1 192.0.1.1 198.20.0.1 2606:4700::1111 2a00:1450::1"


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_public_is_known_by_our_own_table(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", [*PUBLIC.split(), "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_an_address_that_is_public_stays_one(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["192.0.0.192", "[3fff::1]", "[fd00:ec2::254]"])
async def test_it_is_refused_before_anything_is_sent(address: str) -> None:
    registry = Registry(http_tools())
    with pytest.raises(DeniedError, match="is not a public address"):
        await registry.call("http.get", {"url": f"http://{address}/"}, FakeContext())

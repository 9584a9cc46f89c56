"""What nobody should send: each is refused by name, and the service goes on."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING

import pytest
from tests.serve.stage import ASKS, HELLO, SECONDS, serving, started

from callsheet.serve.http import body, protocol, strict
from callsheet.serve.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.requirement("S1", "S10")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": Infinity}', "Infinity"),
        (b'{"a": 1e999}', "finite"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a": {"b": 1, "b": 2}}', "twice"),
        (b'{"a": 99999999999999999999}', "integer"),
        (b'"\\ud800"', "broken text"),
        (b"\xff", "UTF-8"),
        (b"[" * 100_000, "deeper"),
        (b"[" * 65 + b"]" * 65, "deeper"),
        (b'{"a":' * 70 + b"1" + b"}" * 70, "deeper"),
        (b"1" * 5000, "read"),
    ],
)
def test_json_that_means_different_things_is_refused(body: bytes, said: str) -> None:
    with pytest.raises(Refusal) as refusal:
        strict.read(body)
    assert refusal.value.status_code == 400
    assert said in refusal.value.detail


def test_brackets_in_text_are_no_depth() -> None:
    assert strict.read(json.dumps({"a": "[" * 1000 + '"'}).encode()) == {"a": "[" * 1000 + '"'}
    assert strict.read(b"[" * 64 + b"]" * 64)


@pytest.mark.slow
async def test_bodies_are_refused_by_name(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.owner()
        run = await started(client, ASKS)
        for path, body, place in (
            ("/api/runs", {}, "plan"),
            ("/api/runs", {"plan": HELLO, "plan_id": "x"}, "plan"),
            ("/api/runs", {"plan": 7}, "body.plan"),
            ("/api/runs", {"plan": HELLO, "inputs": []}, "body.inputs"),
            ("/api/runs", {"plan": HELLO, "open": "yes"}, "body.open"),
            ("/api/runs", {"plan": HELLO, "key": ""}, "body.key"),
            ("/api/runs", {"plan": HELLO, "subject": 1}, "body.subject"),
            ("/api/runs", {"plan": "/etc/passwd"}, "plan"),
            ("/api/plans/check", {"plan": HELLO, "x": 1}, "body.x"),
            ("/api/plans", [], "body"),
            (f"/api/runs/{run}/answer", {"question": "ok"}, "body.answer"),
            (f"/api/runs/{run}/answer", {"question": "ok", "answer": 1}, "question"),
            (f"/api/runs/{run}/steps", {}, "body"),
            (f"/api/runs/{run}/steps", ["x"], "body.0"),
            (f"/api/runs/{run}/undo", {"to": "ok", "x": 1}, "body.x"),
            (f"/api/runs/{run}/fork", {}, "body.step"),
            (f"/api/runs/{run}/cancel", {"reason": 7}, "body.reason"),
            ("/api/keys", {"name": "x", "scopes": ["nope"]}, "scope"),
            ("/api/keys", {"name": "x", "scopes": []}, "body.scopes"),
            ("/api/ledger/grants", {"tenant": "a", "usd": -1}, "body.usd"),
            ("/api/ledger/grants", {"tenant": "a", "usd": True}, "body.usd"),
            ("/api/ledger/grants", {"tenant": "a"}, "granted"),
            ("/api/tickets", {"path": "https://evil.example/"}, "path"),
        ):
            answer = await client.post(path, json=body)
            assert answer.status_code == 422, (path, body, answer.text)
            assert place in answer.text, (path, body, answer.text)
        assert "root:" not in (await client.post("/api/runs", json={"plan": "/etc/passwd"})).text


@pytest.mark.slow
async def test_text_of_a_plan_is_read_as_text_and_has_lines(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        text = "callsheet: 1\nsteps:\n  - id: a\n    tool: vaule\n    args: {value: 1}\n"
        found = (await client.post("/api/plans/check", json={"plan": text})).json()
        assert found["ok"] is False
        assert found["problems"][0]["line"] == 4
        good = text.replace("vaule", "value")
        done = await client.post("/api/runs?wait=30", json={"plan": good})
        assert done.json()["state"] == "succeeded"


@pytest.mark.slow
async def test_names_with_odd_characters_are_unknown_and_no_more(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.owner()
        for name in ("..", "%2e%2e", "a%00b", "%ff", "a%2Fb", "'; DROP TABLE runs", "x" * 3000):
            for path in ("runs", "plans", "tools", "artifacts", "lineage", "context/s", "keys"):
                method = "DELETE" if path == "keys" else "GET"
                answer = await client.request(method, f"/api/{path}/{name}")
                assert answer.status_code in (404, 405, 422), (path, name, answer.text)
        assert (await client.get("/api/runs/..%2f..%2fhealth")).status_code == 404


@pytest.mark.slow
async def test_bodies_that_are_too_large_are_refused_early(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.owner()
        large = "x" * 1_100_000
        assert (await client.post("/api/tickets", json={"path": large})).status_code == 413
        plan = {"plan": {**HELLO, "description": large}}
        assert (await client.post("/api/plans/check", json=plan)).status_code == 200
        huge = {"plan": {**HELLO, "description": large * 5}}
        assert (await client.post("/api/plans/check", json=huge)).status_code == 413

        async def pieces() -> AsyncIterator[bytes]:
            for _ in range(20):
                yield b"x" * 100_000

        cut = await client.post(
            "/api/tickets", content=pieces(), headers={"Content-Type": "application/json"}
        )
        assert cut.status_code == 413


@pytest.mark.slow
async def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "STALLED", 0.2)
    async with serving(tmp_path / "home") as served:
        said = await asyncio.to_thread(
            _send,
            served.url,
            b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Connection: close\r\nContent-Length: 100\r\n\r\n{",
        )
        assert b" 408 " in said


@pytest.mark.slow
async def test_a_head_that_does_not_come_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEAD", 0.2)
    async with serving(tmp_path / "home") as served:
        assert await asyncio.to_thread(_send, served.url, b"GET /health HTTP/1.1\r\nX: ") == b""
        assert await asyncio.to_thread(_send, served.url, b"") == b""


@pytest.mark.slow
async def test_a_half_closed_connection_is_answered_and_harms_nobody(tmp_path: Path) -> None:
    plan = (
        b'{"plan": {"name": "a", "steps": [{"id": "a", "tool": "wait", "args": {"seconds": 0}}]}}'
    )
    request = (
        b"POST /api/runs?wait=30 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(plan), plan)
    )
    async with serving(tmp_path / "home") as served:
        said = await asyncio.to_thread(_send, served.url, request, shut=True)
        assert said.startswith(b"HTTP/1.1 200 ")
        assert b'"state":"succeeded"' in said
        assert await asyncio.to_thread(_send, served.url, request[:-9], shut=True) == b""
        client = await served.client()
        run = await started(client, ASKS)
        stream = f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        await asyncio.to_thread(_send, served.url, stream, shut=True)  # it ends: nobody listens
        assert (await client.get("/health")).status_code == 200


TWICE = b"Host: localhost\r\nHost: evil.example\r\n"
NOT_HTTP = {
    "nonsense": b"nonsense\r\n\r\n",
    "no host": b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n",
    "two hosts": b"GET /health HTTP/1.1\r\nConnection: close\r\n" + TWICE + b"\r\n",
    "another's address": b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "two lengths": b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a large head": b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n" % (b"x" * 70_000),
    "a large head without an end": b"GET /health HTTP/1.1\r\nX: " + b"x" * 300_000,
    "many headers": b"GET /health HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
}


@pytest.mark.slow
async def test_what_is_not_clear_http_is_refused_as_any_problem(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        for what, data in NOT_HTTP.items():
            said = await asyncio.to_thread(_send, served.url, data)
            assert said.startswith(b"HTTP/1.1 400 "), what
            assert b"application/problem+json" in said, what
            assert b'"code":"http"' in said, what
        client = await served.client()
        assert (await client.get("/health")).status_code == 200


@pytest.mark.slow
async def test_requests_one_after_the_other_are_answered_in_order(tmp_path: Path) -> None:
    ask = "GET /%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
    data = ask % ("health", "") + ask % ("ready", "") + ask % ("health", "Connection: close\r\n")
    async with serving(tmp_path / "home") as served:
        said = await asyncio.to_thread(_send, served.url, data.encode())
        answers = [part.rpartition(b"\r\n")[2] for part in said.split(b"HTTP/1.1 ")[1:]]
        assert [b"version" in each for each in answers] == [True, False, True]


@pytest.mark.slow
async def test_an_answer_may_take_longer_than_a_head(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEAD", 0.2)
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        plan = {"steps": [{"id": "a", "tool": "wait", "args": {"seconds": 0.6}}]}
        for _ in range(2):  # the second time on a connection that was used
            answer = await client.post("/api/runs?wait=30", json={"plan": plan})
            assert answer.json()["state"] == "succeeded"


@pytest.mark.slow
async def test_an_upload_is_named_as_files_are(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.owner()
        for name in ("..", "a/b", "a\\b", "a\0b", "a\r\nX-Evil: 1"):
            sent = await client.post("/api/artifacts", params={"name": name}, content=b"x")
            assert sent.status_code == 422, name


def _send(url: str, data: bytes, *, shut: bool = False) -> bytes:
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=SECONDS) as sent:
        sent.sendall(data)
        if shut:
            sent.shutdown(socket.SHUT_WR)
        said = b""
        try:
            while piece := sent.recv(65536):
                said += piece
        except ConnectionResetError:
            pass
        return said


@pytest.mark.slow
async def test_a_client_that_goes_away_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its request waits on, for nobody: the service has no reason to wait for that at its end.
    monkeypatch.setattr("callsheet.serve.server.GRACE", 1)
    async with serving(tmp_path / "home") as served:
        client = await served.owner()
        body = json.dumps({"plan": ASKS}).encode()
        head = (
            b"POST /api/runs?wait=60 HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
        )
        host, port = served.url.removeprefix("http://").split(":")

        def come_and_go() -> None:
            with socket.create_connection((host, int(port)), timeout=SECONDS) as sent:
                sent.sendall(head + body)

        await asyncio.to_thread(come_and_go)
        async with asyncio.timeout(SECONDS):
            while not (listed := (await client.get("/api/runs")).json()["items"]):
                pass
        assert listed[0]["state"] in ("running", "waiting")

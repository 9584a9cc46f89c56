"""What there is besides runs: artifacts with ranges, lists with cursors, context, the ledger."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from tests.serve.stage import HELLO, serving, started, until

from callsheet.serve.server import listening

if TYPE_CHECKING:
    from pathlib import Path

# Each starts a server.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1")]


async def test_artifacts_are_kept_and_read_whole_or_in_part(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        data = bytes(range(256)) * 1000
        kept = await client.post("/api/artifacts?name=a.bin", content=data)
        digest = kept.json()["$artifact"]
        path = f"/api/artifacts/{digest}"
        whole = await client.get(path)
        assert (whole.status_code, whole.content) == (200, data)
        assert whole.headers["etag"] == f'"{digest}"'
        assert whole.headers["x-content-type-options"] == "nosniff"
        assert whole.headers["content-disposition"].startswith("attachment")
        for said, part in (
            ("bytes=0-0", data[:1]),
            ("bytes=1-300", data[1:301]),
            ("bytes=255990-", data[255990:]),
            ("bytes=-5", data[-5:]),
            ("bytes=10-999999999", data[10:]),
        ):
            found = await client.get(path, headers={"Range": said})
            assert (found.status_code, found.content) == (206, part), said
        beyond = await client.get(path, headers={"Range": "bytes=999999999-"})
        assert beyond.status_code == 416
        assert beyond.headers["content-range"] == f"bytes */{len(data)}"
        same = await client.get(path, headers={"If-None-Match": f'"{digest}"'})
        assert (same.status_code, same.content) == (304, b"")
        head = await client.head(path)
        assert (head.headers["content-length"], head.content) == (str(len(data)), b"")
        empty = (await client.post("/api/artifacts", content=b"")).json()["$artifact"]
        assert (await client.get(f"/api/artifacts/{empty}")).content == b""


async def test_an_upload_keeps_its_type_and_its_name(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        acme, beta = await served.tenant("acme"), await served.tenant("beta")
        data = b"\x89PNG picture"
        put = "/api/artifacts?name=süß.png"
        kept = await acme.post(put, content=data, headers={"Content-Type": "image/png"})
        path = f"/api/artifacts/{kept.json()['$artifact']}"
        found = await acme.get(path)
        assert found.headers["content-type"] == "image/png"
        assert found.headers["content-disposition"] == "inline; filename*=UTF-8''s%C3%BC%C3%9F.png"
        (listed,) = (await acme.get("/api/artifacts")).json()["items"]
        assert listed["media_type"] == "image/png"
        assert (await beta.get(path)).status_code == 404
        # The same bytes of another tenant are what that one says they are.
        await beta.post("/api/artifacts?name=b.txt", content=data)
        assert (await beta.get(path)).headers["content-disposition"].startswith("attachment")
        assert (await acme.get(path)).headers["content-type"] == "image/png"


def test_an_answer_does_not_wait_for_its_head_to_be_acknowledged() -> None:
    listener, _ = listening("127.0.0.1", 0)
    with listener:
        assert listener.proto == socket.IPPROTO_TCP, "asyncio sets TCP_NODELAY on no other"


async def test_lists_are_read_page_by_page_without_loss_or_repetition(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client, other = await served.tenant("acme"), await served.tenant("beta")
        made = [await started(client) for _ in range(7)]
        seen: list[str] = []
        cursor = ""
        while True:
            page = (await client.get(f"/api/runs?limit=3{cursor}")).json()
            seen += [each["run"] for each in page["items"]]
            if page["next"] is None:
                break
            cursor = f"&cursor={page['next']}"
        assert seen == sorted(made, reverse=True)
        forged = cursor.replace("cursor=", "cursor=A")
        assert (await client.get(f"/api/runs?limit=3{forged}")).status_code == 400
        assert (await client.get(f"/api/plans?limit=3{cursor}")).status_code == 400
        assert (await other.get(f"/api/runs?limit=3{cursor}")).status_code == 400


async def test_context_changes_only_what_was_read(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        path = "/api/context/project:blue/style"
        first = await client.put(path, json={"value": {"a": 1}}, headers={"If-Match": '"0"'})
        assert (first.status_code, first.headers["etag"]) == (200, '"1"')
        stale = await client.put(path, json={"value": 2}, headers={"If-Match": '"0"'})
        assert (stale.status_code, stale.json()["code"]) == (412, "stale_context")
        assert (await client.put(path, json={"value": 2})).headers["etag"] == '"2"'
        assert (await client.get(f"{path}?version=1")).json()["value"] == {"a": 1}
        assert (await client.delete(path, headers={"If-Match": '"1"'})).status_code == 412
        assert (await client.delete(path)).status_code == 204
        assert (await client.get(path)).status_code == 404


async def test_the_ledger_adds_up_and_refuses_what_it_does_not_cover(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        owner, acme = await served.owner(), await served.tenant("acme")
        assert (await acme.get("/api/ledger")).status_code == 404
        grant = {"tenant": "acme", "usd": 1.5, "note": "=1+1"}
        assert (await owner.post("/api/ledger/grants", json=grant)).status_code == 201
        short = {"plan": {**HELLO, "budget": {"usd": 2}}}
        refused = await acme.post("/api/runs", json=short)
        assert (refused.status_code, refused.json()["code"]) == (402, "ledger_short")
        run = await started(acme, {**HELLO, "budget": {"usd": 1}})
        await until(acme, run, "succeeded")
        told = (await acme.get("/api/ledger/statement")).json()
        kinds = [line["kind"] for line in told["postings"]]
        assert kinds == ["grant", "reserve", "refund"]
        assert told["closing"]["available"]["usd"] == 1.5
        lines = (await acme.get("/api/ledger/statement?format=csv")).text.splitlines()
        assert len(lines) == 4
        assert "'=1+1" in lines[1], "a note is no formula"


async def test_a_run_is_told_in_part_and_anew_when_it_changes(tmp_path: Path) -> None:
    plan = {
        "steps": [
            {"id": "a", "tool": "book", "args": {"city": "Oslo"}},
            {"id": "b", "tool": "value", "args": {"value": 1}},
        ],
        "output": "${steps.b}",
    }
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        run = await started(client, plan)
        await until(client, run, "succeeded")
        path = f"/api/runs/{run}"
        whole = (await client.get(path)).json()
        assert {key: step["label"] for key, step in whole["steps"].items()} == {"a": "a", "b": "b"}
        assert (await client.get(path)).json() == whole
        assert (await client.get(f"{path}?steps=none")).json()["steps"] == {}
        assert (await client.get(f"{path}?steps=failed")).json()["steps"] == {}
        thin = (await client.get(f"{path}?outputs=false")).json()
        assert "output" not in thin
        assert "output" not in thin["steps"]["a"]
        attempts = (await client.get(f"{path}/steps/a/attempts")).json()["items"]
        assert [each["outcome"] for each in attempts] == ["succeeded"]
        assert (await client.get(f"{path}/steps/z/attempts")).status_code == 404
        repeats = (await client.get(f"{path}/steps/a/repeats")).json()["items"]
        assert [each["step"] for each in repeats] == ["a"]
        only = await client.post(f"{path}/undo", json={"only": "a"})
        assert only.status_code == 200, only.text
        found = await client.get(path)
        assert found.json()["steps"]["a"]["state"] in ("undoing", "undone")
        assert (await client.post(f"{path}/replay")).json()["same"] is True
        assert (await client.delete(path)).status_code == 204
        assert (await client.get(path)).status_code == 404

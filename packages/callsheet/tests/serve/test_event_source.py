"""An `EventSource` as browsers have it: it comes with a ticket, comes back, and stops at the end.

A browser's, and Node's, where one is installed: that follows the same standard.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

import httpx
import pytest
from tests.serve.browser import Pages, opened
from tests.serve.stage import ASKS, HELLO, LOCAL, SECONDS
from tests.serve.threaded import threaded

from callsheet.serve.server import Extras

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.serve.stage import Served

# A service, and a program of its own.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1")]

PROGRAM = """
const [url] = process.argv.slice(1);
const source = new EventSource(url);
const seen = [];
source.addEventListener("entry", (event) => {
  seen.push([event.lastEventId, JSON.parse(event.data).kind]);
});
source.onerror = () => { source.close(); console.log(JSON.stringify(seen)); process.exit(0); };
"""


PAGE = """
const say = (what) => fetch("/test/say", {method: "POST", body: JSON.stringify(what)});
const asked = new URLSearchParams(location.search);
const source = new EventSource(asked.get("stream"));
const seen = [];
let opened = 0;
source.onopen = () => { opened += 1; };
source.addEventListener("entry", (event) => {
  seen.push([event.lastEventId, JSON.parse(event.data).kind]);
  if (seen.at(-1)[1] === "QuestionAsked") { say({asked: JSON.parse(event.data).question}); }
});
source.onerror = () => {
  if (source.readyState === EventSource.CLOSED) { say({seen, opened}); }
};
"""
PICTURE = """
const picture = new Image();
const say = (what) => fetch("/test/say", {method: "POST", body: JSON.stringify(what)});
picture.onload = () => say([picture.naturalWidth, picture.naturalHeight]);
picture.onerror = () => say("broken");
picture.src = new URLSearchParams(location.search).get("stream");
"""
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360"
    "606060000000050001a5f645400000000049454e44ae426082"
)


@contextmanager
def browsing(home: Path, script: str) -> Iterator[tuple[Served, Pages, httpx.Client]]:
    """A service with a page for a browser, and somebody with the key of the home."""
    pages = Pages(script)
    headers = {"Authorization": f"Bearer {LOCAL}"}
    with (
        threaded(home, extras=Extras(mount=pages.mount)) as served,
        httpx.Client(
            base_url=served.url, headers=headers, timeout=SECONDS, trust_env=False
        ) as owner,
    ):
        yield served, pages, owner


def test_a_browser_comes_back_where_it_was_and_stops_at_the_end(tmp_path: Path) -> None:
    with browsing(tmp_path / "home", PAGE) as (served, pages, owner):
        run = owner.post("/api/runs", json={"plan": ASKS}).json()["run"]
        path = f"/api/runs/{run}/events"
        with opened(f"{served.url}/test/page?stream={path}", tmp_path / "profile"):
            question = pages.said()["asked"]
            for stream in tuple(served.service.streams):
                served.loop.call_soon_threadsafe(stream.end)  # the browser asks again by itself
            answer = {"question": question, "answer": "yes"}
            assert owner.post(f"/api/runs/{run}/answer", json=answer).status_code == 200
            told = pages.said()
        numbers = [int(number) for number, _ in told["seen"]]
        assert numbers == list(range(1, len(numbers) + 1))  # each once, and in order
        assert told["seen"][-1][1] == "RunEnded"
        assert told["opened"] >= 2  # and the last time it was told 204, and closed itself


def test_a_browser_reads_with_a_ticket_and_not_twice(tmp_path: Path) -> None:
    with browsing(tmp_path / "home", PAGE) as (served, pages, owner):
        run = owner.post("/api/runs?wait=30", json={"plan": HELLO}).json()["run"]
        path = f"/api/runs/{run}/events"
        ticket = owner.post("/api/tickets", json={"path": path}).json()["ticket"]
        asked = quote(f"{path}?ticket={ticket}", safe="")
        with opened(f"{served.url}/test/page?stream={asked}", tmp_path / "profile"):
            told = pages.said()
        assert told["seen"][-1][1] == "RunEnded"
        assert told["opened"] == 1  # the second time the ticket opens nothing


def test_a_browser_shows_a_picture_with_a_ticket(tmp_path: Path) -> None:
    with browsing(tmp_path / "home", PICTURE) as (served, pages, owner):
        sent = owner.post("/api/artifacts", content=PIXEL, headers={"Content-Type": "image/png"})
        path = sent.headers["Location"]
        ticket = owner.post("/api/tickets", json={"path": path}).json()["ticket"]
        asked = quote(f"{path}?ticket={ticket}", safe="")
        with opened(f"{served.url}/test/page?stream={asked}", tmp_path / "profile"):
            assert pages.said() == [1, 1]


def test_a_page_reads_a_run_with_a_ticket(tmp_path: Path) -> None:
    node = shutil.which("node")
    words = [str(node), "--experimental-eventsource", "--no-warnings", "-e"]
    probe = [*words, "new EventSource('http://127.0.0.1:9').close()"]
    if node is None or subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("There is no Node with an EventSource here")
    headers = {"Authorization": f"Bearer {LOCAL}"}
    with (
        threaded(tmp_path / "home") as served,
        httpx.Client(
            base_url=served.url, headers=headers, timeout=SECONDS, trust_env=False
        ) as owner,
    ):
        run = owner.post("/api/runs?wait=30", json={"plan": HELLO}).json()["run"]
        path = f"/api/runs/{run}/events"
        ticket = owner.post("/api/tickets", json={"path": path}).json()["ticket"]
        done = subprocess.run(
            [*words, PROGRAM, f"{served.url}{path}?ticket={ticket}"],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        seen = json.loads(done.stdout)
        assert [number for number, _ in seen] == [str(n) for n in range(1, len(seen) + 1)]
        assert (seen[0][1], seen[-1][1]) == ("RunStarted", "RunEnded")

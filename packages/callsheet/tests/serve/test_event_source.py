"""An `EventSource` as browsers have it: it comes with a ticket, comes back, and stops at the end.

Node's, where one is installed: it follows the same standard, and sends `Last-Event-ID` by itself.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.serve.stage import HELLO, LOCAL, SECONDS
from tests.serve.threaded import threaded

if TYPE_CHECKING:
    from pathlib import Path

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

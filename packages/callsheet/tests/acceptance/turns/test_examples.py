"""The examples of the documents, as readers run them."""

from __future__ import annotations

import asyncio
import json
import runpy
import sys
from pathlib import Path

import pytest
from tests.acceptance.turns.theatre import config

from callsheet import Engine
from callsheet.testing.models import ModelServer, Say, calls

ROOT = Path(__file__).parents[5]

# Programs, each with a process or a server of its own.
pytestmark = pytest.mark.slow


@pytest.mark.requirement("E13")
def test_the_example_runs_offline(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "turn.py"), run_name="__main__")
    assert capsys.readouterr().out.splitlines() == [
        "Looking both up.",
        "  call_1: {'degrees': 4}",
        "  call_2: {'degrees': 19}",
        "It is 4 degrees in Oslo and 19 degrees in Rome.",
        "answered, 2 calls, 58 tokens",
    ]


async def test_the_page_of_the_documents_serves_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fastapi.testclient import TestClient

    def browse(app: object) -> list[dict[str, object]]:
        with TestClient(app) as browser:  # type: ignore[arg-type]
            asked = {"message": "Weather?", "key": "k1"}
            turn = browser.post("/turns", params=asked).json()
            assert browser.post("/turns", params=asked).json() == turn
            with browser.stream("GET", f"/turns/{turn['turn']}/flow") as stream:
                lines = [line for line in stream.iter_lines() if line.startswith("data: ")]
        return [json.loads(line[len("data: ") :]) for line in lines]

    monkeypatch.chdir(tmp_path)
    async with asyncio.timeout(60), ModelServer() as server:
        async with Engine.open("talk"):
            pass  # a home of one's own: what lies in it is trusted
        (tmp_path / "talk" / "callsheet.toml").write_text(config(server))
        server.answers(Say("Looking. "), *calls("c1", "weather", {"city": "Oslo"}))
        server.answers(Say("4 degrees."))
        page = runpy.run_path(str(ROOT / "docs_src" / "turns" / "page.py"))
        updates = await asyncio.to_thread(browse, page["app"])
    assert updates[-1]["state"] == "answered"
    assert {"degrees": 4} in [update.get("result") for update in updates]


async def test_the_program_of_the_documents_talks(tmp_path: Path) -> None:
    async with asyncio.timeout(60), ModelServer() as server:
        (tmp_path / "callsheet.toml").write_text(config(server))
        server.answers(Say("Looking. "), *calls("c1", "weather", {"city": "Oslo"}))
        server.answers(Say("Four degrees."))
        server.answers(Say("Still four."))
        program = await asyncio.create_subprocess_exec(
            sys.executable,
            str(ROOT / "docs_src" / "turns" / "talk.py"),
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await program.communicate()
    assert program.returncode == 0
    assert "Four degrees." in out.decode()
    assert out.decode().splitlines()[-1] == "Still four."

"""Whole films that a model has written: checked, the same from a recording, and after a crash."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import EXAMPLES, command, environment
from tests.acceptance.writers.desk import Scripts, a_script, answer, overlong

from callsheet.testing.models import Gate, ModelServer

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from pathlib import Path

# Whole processes, real sockets, and films that are drawn.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P3"), pytest.mark.requirement("P5")]

BRIEF = EXAMPLES / "briefs" / "saltwing.yaml"
PATIENCE = 240
"""Seconds: nothing takes that long, whatever else the machine does."""


class Office:
    """A directory in which commands are typed, with a model on a server."""

    def __init__(self, server: ModelServer, directory: Path) -> None:
        self._directory = directory
        home = directory / "home"
        home.mkdir(mode=0o700)
        self._config = home / "callsheet.toml"
        self._config.write_text(
            f'[models.writer]\nmodel = "openai:gpt-4o"\nbase_url = "{server.openai}"\n'
            'price = {input = 2.0, output = 10.0}\nrecord = "tape.jsonl"\n'
        )

    async def opened(self) -> None:
        """Trust the configuration."""
        await self.done("trust", self._config)

    async def begun(self, *words: object) -> Process:
        return await asyncio.create_subprocess_exec(
            *command(*words),
            cwd=self._directory,
            env=environment(self._directory),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    async def done(self, *words: object) -> str:
        """What a command prints that does not fail."""
        process = await self.begun(*words)
        try:
            out, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert process.returncode == 0, out.decode()
        return out.decode()

    async def make(self, writer: str, home: str, *more: object) -> str:
        brief = self._directory / "small.yaml"
        brief.write_text(BRIEF.read_text().replace("fps: 30", "fps: 24, resolution: 270x480"))
        words = ("make", brief, "-o", f"{home}-film", "--home", home, "--today", "2026-11-15")
        return await self.done(*words, "--writer", writer, *more)

    def file(self, name: str) -> Path:
        return self._directory / name


def digests(folder: Path) -> dict[str, str]:
    """Of everything that was made, but for the report: it names its run."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "report.json"
    }


@pytest.mark.requirement("P13")
async def test_the_same_brief_and_recording_are_the_same_film_byte_for_byte(tmp_path: Path) -> None:
    async with ModelServer() as server:
        office = Office(server, tmp_path)
        await office.opened()
        server.otherwise(a_script(Scripts(BRIEF), overlong))
        told = await office.make("writer", "home")
        assert "written by writer: 4 of 5 beats, 1 repaired; 5 of 5 shots" in told
        assert "checks passed" in told
        asked = len(server.requests)
        await office.make("recorded:tape.jsonl", "other")
        assert len(server.requests) == asked
    made, again = (digests(office.file(f"{home}-film")) for home in ("home", "other"))
    assert made == again
    assert "film.mp4" in made
    report = json.loads(office.file("home-film/report.json").read_text())
    assert report["summary"]["film"] == "passed"
    assert report["summary"]["writer"]["beats"] == {"model": 4, "repaired": 1}
    script: dict[str, Any] = json.loads(office.file("home-film/script.json").read_text())
    sources = {beat["source"]: beat["source_step"] for beat in script["beats"]}
    assert sources == {"model": "script_answer_3", "repaired": "script"}


async def test_a_process_that_is_killed_while_a_model_answers_asks_nothing_twice(
    tmp_path: Path,
) -> None:
    scripts = Scripts(BRIEF)
    async with ModelServer() as server:
        office = Office(server, tmp_path)
        await office.opened()
        server.answers(*answer(scripts.script(overlong)))
        server.answers(Gate(asyncio.Event()))
        server.otherwise(a_script(scripts))
        until = ("--home", "home", "--writer", "writer", "--stop-after", "shots")
        process = await office.begun("make", BRIEF, "-o", "film", *until)
        async with asyncio.timeout(PATIENCE):
            while len(server.requests) < 2:
                server.came.clear()
                await server.came.wait()
        process.kill()
        await process.wait()
        await office.done("resume", "last", "--home", "home")
        # The first answer was written down; the second is asked for again; then the shots.
        assert len(server.requests) == 4
    script: dict[str, Any] = json.loads(office.file("film/script.json").read_text())
    assert {beat["source_step"] for beat in script["beats"]} == {"script_answer_2"}

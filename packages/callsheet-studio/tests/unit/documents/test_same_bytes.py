"""The same film gives the same files, in any process."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.requirement("P12")

PROGRAM = """
import hashlib, json, sys
from tests.unit.documents.films import film
from callsheet_studio import documents as d
made = film(3, 2, language="de", fps="23.976")
files = d.script_files(made.script, made.brief)
files |= d.shot_files(made.shots, made.script, made.brief)
files |= d.plan_files(made.plan, made.shots, made.brief)
files |= d.caption_files(made.script, made.brief)
heavy = "opentimelineio" in sys.modules
files |= d.timeline_files(made.shots, made.script, made.brief)
digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
print(json.dumps([digests, heavy]))
"""
NAMES = {
    "script.json",
    "script.md",
    "script.fountain",
    "shots.json",
    "shots.csv",
    "shots-by-setup.csv",
    "shots.pdf",
    "plan.json",
    "plan.md",
    "callsheet.csv",
    "callsheet.pdf",
    "captions.srt",
    "captions.vtt",
    "timeline.otio",
    "timeline.edl",
    "timeline.xml",
    "timeline.fcpxml",
}


def made_with(seed: str, zone: str) -> tuple[dict[str, str], bool]:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True
    )
    digests, heavy = json.loads(run.stdout)
    return digests, heavy


# Two new interpreters that import everything.
@pytest.mark.slow
def test_two_processes_write_the_same_bytes_and_load_timelines_only_for_timelines() -> None:
    first, heavy = made_with("1", "UTC")
    second, _ = made_with("2", "Asia/Tokyo")
    assert first.keys() == NAMES
    assert first == second
    assert not heavy

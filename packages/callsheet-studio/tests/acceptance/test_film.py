"""`callsheet make … --stop-after film`: a film that plays, made by the engine."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.command import Done, Process, call, run

DAY = ("--today", "2026-11-15", "--stop-after", "film")
SHOTS = [
    {"action": "Mara walks along the quay", "place": "harbour", "size": "WS", "seconds": 3},
    {"action": "Mara looks at a wet paper list", "place": "harbour", "size": "CU", "seconds": 2},
    {"action": "A phone lights up", "place": "phone_screen", "size": "MS", "seconds": 3},
    {"action": "Mara smiles in her office", "place": "office", "size": "MS", "seconds": 3},
    {"action": "The name of the app", "place": "abstract", "size": "WS", "seconds": 4},
]

pytestmark = [pytest.mark.slow, pytest.mark.requirement("P11")]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)


def brief(tmp_path: Path, **changed: Any) -> Path:
    """A film of 15 s and five shots, small enough to be made in a test."""
    shots = [dict(shot) for shot in SHOTS]
    shots[0]["voiceover"] = "Harbor keeps every berth in view."
    shots[4]["voiceover"] = "Try Harbor free for 30 days."
    shots[4]["on_screen_text"] = "Try Harbor free for 30 days"
    shots[1] |= changed
    told = {
        "project": {"title": "Harbor"},
        "message": {
            "core": "Harbor keeps every berth in view.",
            "cta": "Try Harbor free for 30 days",
            "brand": "Harbor",
        },
        "content": {"type": "product_demo", "duration": 15, "language": "en", "shots": shots},
        "delivery": {"aspect": "16:9", "resolution": "428x240", "fps": 24},
    }
    path = tmp_path / "brief.json"
    path.write_text(json.dumps(told), "utf-8")
    return path


@dataclass(frozen=True, slots=True)
class Made:
    """A film that was made in this process, and its files as they were then."""

    folder: Path
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made")
    with contextlib.chdir(folder):
        make(brief(folder), "--home", "home")
        return Made(folder, files("film"))


def files(name: str) -> dict[str, bytes]:
    return {str(path.relative_to(name)): path.read_bytes() for path in Path(name).rglob("*.*")}


def make(path: Path, *words: object) -> Done:
    done = call("make", path, "-o", "film", *DAY, "--json", *words)
    assert done.code == 0, done.err + done.out
    return done


def steps(names: list[str], kind: str) -> set[str]:
    return {name for name in names if name.startswith(f"{kind}[")}


def test_a_film_plays_with_sound_captions_and_chapters(made: Made) -> None:
    import av

    with av.open(io.BytesIO(made.files["film.mp4"]), "r") as film:
        assert {stream.type for stream in film.streams} >= {"video", "audio", "subtitle"}
        pictures = list(film.decode(video=0))
        assert len(pictures) == 15 * 24
        assert (pictures[0].width, pictures[0].height) == (428, 240)
        assert len(film.chapters()) == len(SHOTS)
    assert {"storyboard.pdf", "storyboard.png", "index.html", "captions.srt"} <= made.files.keys()
    assert sum(name.startswith("storyboard/") for name in made.files) == len(SHOTS)


def test_one_changed_shot_is_one_shots_work(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made.folder)
    again = make(brief(made.folder), "--home", "home").json
    assert not steps(again["made"], "filmed")
    path = brief(made.folder, action="Mara waves at a boat")
    changed = make(path, "--home", "home").json
    # The one after it dissolves from it, and so contains it.
    assert steps(changed["made"], "filmed") == {"filmed[1]", "filmed[2]"}
    assert len(steps(changed["reused"], "filmed")) == len(SHOTS) - 2
    assert not steps(changed["made"], "voices")
    assert "film" in changed["made"]


def test_the_same_brief_gives_the_same_film_in_another_process(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0")
    words = ("make", brief(tmp_path), "-o", "other", *DAY, "--home", "elsewhere")
    done = run(*words, directory=tmp_path)
    assert done.code == 0, done.err
    found = files("other")
    assert found.keys() == made.files.keys()
    differ = [name for name in found if found[name] != made.files[name]]
    assert differ == ["report.json"]


def test_a_film_that_was_killed_half_way_goes_on(tmp_path: Path) -> None:
    with Process("make", brief(tmp_path), "-o", "film", *DAY, directory=tmp_path) as process:
        process.hear(r"filmed [1-4]/5")
        process.signal(signal.SIGKILL)
        process.end()
    assert not Path("film").exists()
    name = call("runs", "--json").json[0]["run"]
    done = run("resume", name, directory=tmp_path)
    assert done.code == 0, done.err
    assert Path("film/film.mp4").is_file()
    shown = call("show", name, "--json").json["steps"]
    assert 1 in [shown[f"filmed[{index}]"]["attempts"] for index in range(len(SHOTS))]

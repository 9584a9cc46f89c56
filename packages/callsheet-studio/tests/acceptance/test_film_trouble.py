"""A film in trouble: clear words, nothing half-written under a final name, and it can go on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.acceptance.command import SECONDS, Process, call, environment, run, until
from tests.acceptance.small_disk import NOT_ALLOWED
from tests.unit.own_pictures import BLUE, RED, packed, plain, said_to_be

from callsheet.errors import InputError
from callsheet_studio.brief import load
from callsheet_studio.pipeline import execute_full_pipeline

DAY = ("--today", "2026-11-15")
TEXT = "Try Harbor"
SHOTS: list[dict[str, Any]] = [
    {"action": "Mara walks along the quay", "place": "harbour", "size": "WS", "seconds": 1},
    {"action": "The boat at its berth", "place": "harbour", "size": "WS", "seconds": 1},
    {"action": "End card", "place": "abstract", "size": "WS", "seconds": 3, "text": TEXT},
]

pytestmark = [pytest.mark.slow, pytest.mark.requirement("P11")]


def brief(folder: Path, shots: list[dict[str, Any]] = SHOTS, **changed: Any) -> Path:
    """A film of 5 s and three shots, as small as films may be."""
    told: dict[str, dict[str, Any]] = {
        "project": {"title": "Harbor"},
        "message": {"core": "Harbor is near.", "cta": TEXT, "brand": "Harbor"},
        "content": {"type": "product_demo", "duration": 5, "language": "en", "shots": shots},
        "delivery": {"aspect": "1:1", "resolution": "240x240", "fps": 24},
    }
    for section, values in changed.items():
        told[section].update(values)
    path = folder / "brief.json"
    path.write_text(json.dumps(told), "utf-8")
    return path


def with_picture(**more: Any) -> list[dict[str, Any]]:
    """The same shots, the second with an own picture."""
    return [SHOTS[0], SHOTS[1] | {"picture": "boat.png"} | more, SHOTS[2]]


def colour_at(film: Path, seconds: float) -> tuple[int, ...]:
    """In the middle of a frame."""
    import av

    with av.open(str(film)) as found:
        frames = [frame for frame in found.decode(video=0) if frame.time <= seconds]
        picture = frames[-1].to_ndarray(format="rgb24")
    return tuple(int(each) for each in picture[120, 120])


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 16 for a, b in zip(one, other, strict=True))


# Own pictures


def test_a_film_with_own_pictures_goes_on_when_their_files_are_gone(tmp_path: Path) -> None:
    (tmp_path / "boat.png").write_bytes(packed(plain(200, 100, RED)))
    (tmp_path / "logo.png").write_bytes(packed(plain(90, 90, BLUE)))
    path = brief(tmp_path, with_picture(), message={"logo": "logo.png"})
    words = ("make", path, "-o", "film", *DAY, "--home", "home")
    with Process(*words, directory=tmp_path) as process:
        process.hear(r"takes  succeeded")
        process.popen.kill()
        process.end()
    for name in ("boat.png", "logo.png", "brief.json"):
        (tmp_path / name).unlink()
    (listed,) = call("runs", "--json", "--home", tmp_path / "home").json
    done = run("resume", listed["run"], "--home", "home", directory=tmp_path)
    assert done.code == 0, done.err
    # It ends as `make` ends.
    assert "film.mp4 made in" in done.out
    assert "expected $" in done.out
    assert f"{tmp_path / 'film'}  " in done.out
    assert near(colour_at(tmp_path / "film" / "film.mp4", 1.5), RED)
    assert not near(colour_at(tmp_path / "film" / "film.mp4", 0.8), RED)


def test_another_picture_under_the_same_name_is_one_shots_work(tmp_path: Path) -> None:
    words = ("make", brief(tmp_path, with_picture()), "-o", tmp_path / "film", *DAY, "--json")
    home = ("--home", tmp_path / "home")
    made = []
    for colour in (RED, BLUE):
        (tmp_path / "boat.png").write_bytes(packed(plain(200, 100, colour)))
        done = call(*words, *home)
        assert done.code == 0, done.err
        made.append({name for name in done.json["made"] if name.startswith("filmed[")})
        assert near(colour_at(tmp_path / "film" / "film.mp4", 1.5), colour)
    assert made == [{"filmed[0]", "filmed[1]", "filmed[2]"}, {"filmed[1]"}]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (None, "there is no file 'boat.png'"),
        (b"", "the file is empty"),
        (packed(plain(90, 90))[:120], "it is damaged"),
        (said_to_be(1, 1), "1 x 1 pixels"),
        (said_to_be(20_000, 20_000), "20,000 x 20,000 pixels"),
    ],
    ids=["missing", "empty", "damaged", "a dot", "vast"],
)
def test_a_bad_picture_is_refused_before_anything_is_made(
    tmp_path: Path, data: bytes | None, told: str
) -> None:
    if data is not None:
        (tmp_path / "boat.png").write_bytes(data)
    path = brief(tmp_path, with_picture())
    done = call("make", path, "-o", tmp_path / "film", *DAY, "--home", tmp_path / "home")
    assert done.code == 2
    assert "content.shots[1].picture" in done.err
    assert told in done.err
    assert {each.name for each in tmp_path.iterdir()} <= {"brief.json", "boat.png"}


async def test_in_python_a_brief_brings_the_pictures_beside_its_file(tmp_path: Path) -> None:
    (tmp_path / "boat.png").write_bytes(packed(plain(200, 100, RED)))
    path = brief(tmp_path, with_picture())
    made = await execute_full_pipeline(path, today=date(2026, 11, 15), stop_after="shots")
    assert made.shots is not None
    pictures = [shot.picture.name for shot in made.shots.shots if shot.picture]
    assert pictures == ["boat.png"]
    # Read before, it is data, and nobody knows where its pictures are.
    with pytest.raises(InputError, match=r"'boat\.png' is not there.*Give the brief as a file"):
        await execute_full_pipeline(load(path), today=date(2026, 11, 15), stop_after="shots")


# Words


def test_a_film_in_a_language_without_a_voice_is_captioned_and_says_so(tmp_path: Path) -> None:
    shots = [
        SHOTS[0] | {"seconds": 3, "voiceover": "كل رصيف في مرأى العين.", "text": "港湾 🚤"},
        SHOTS[2] | {"seconds": 3, "text": "x" * 90},
    ]
    content = {"language": "ar", "duration": 6}
    nobodys = "Harbor \U000f1234 is near."
    message = {"cta": "x" * 90, "brand": "المرفأ", "core": nobodys}
    path = brief(tmp_path, shots, content=content, message=message)
    words = ("make", path, "-o", tmp_path / "film", *DAY, "--home", tmp_path / "home", "--json")
    done = call(*words)
    assert done.code == 1, done.err
    wrong = {each["rule"]: each for each in done.json["report"]["checks"]["film"]["violations"]}
    # An emoji is written where the machine has a font for it.
    assert wrong.keys() == {"text-without-glyphs", "voice-exists"}
    assert wrong["text-without-glyphs"]["where"] == "poster", "it stands nowhere else"
    assert "No voice speaks 'ar'" in wrong["voice-exists"]["message"]
    assert "رصيف" in (tmp_path / "film" / "captions.srt").read_text("utf-8")


# Fonts


def test_a_font_that_was_deleted_is_named_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A package of the same name that is found first, without its font.
    damaged = tmp_path / "damaged" / "fontpkg_inter"
    damaged.mkdir(parents=True)
    (damaged / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(damaged.parent))
    words = ("make", brief(tmp_path), "-o", "film", *DAY, "--home", "home")
    done = run(*words, directory=tmp_path)
    assert done.code == 2
    assert "The font Inter" in done.err
    assert "pip install --force-reinstall --no-deps fontpkg-inter" in done.err
    assert not (tmp_path / "film").exists()
    assert not (tmp_path / "home").exists()


# The machine


def drawing(process: Process) -> list[psutil.Process]:
    """The processes that have begun to draw: the canvas is loaded."""
    found = []
    for child in psutil.Process(process.popen.pid).children(recursive=True):
        with suppress(psutil.Error):
            if any("skia_canvas" in each.path for each in child.memory_maps()):
                found.append(child)
    return found


def test_workers_that_are_killed_while_they_draw_are_replaced(tmp_path: Path) -> None:
    # Large enough that nobody is done before anybody is killed.
    path = brief(tmp_path, delivery={"resolution": "720x720"})
    words = ("make", path, "-o", "film", *DAY, "--home", "home")
    with Process(*words, directory=tmp_path) as process:
        process.hear(r"filmed 0/3  running")
        until(lambda: drawing(process), "a process that draws")
        for worker in drawing(process):
            worker.kill()
        done = process.end()
    assert done.code == 0, done.err
    (listed,) = call("runs", "--json", "--home", tmp_path / "home").json
    steps = call("show", listed["run"], "--json", "--home", tmp_path / "home").json["steps"]
    assert max(step["attempts"] for step in steps.values()) == 2
    assert (tmp_path / "film" / "film.mp4").is_file()
    assert not list(tmp_path.rglob("*.part"))


def on_small_disk(folder: Path, size: str, later: str, *words: object) -> list[dict[str, Any]]:
    """What a command on a small disk says, and leaves there; and when the disk has grown."""
    folder.mkdir()
    given = [folder, size, later, "--", *words]
    done = subprocess.run(
        [sys.executable, "-m", "tests.acceptance.small_disk", *map(str, given)],
        cwd=Path(__file__).parents[4],
        env=environment(folder),
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode == NOT_ALLOWED:
        pytest.skip("This machine does not let us mount a disk")
    assert done.returncode == 0, done.stderr.decode()
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_on_a_full_disk_the_film_waits_for_room_and_goes_on_by_itself(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    words = ("make", brief(tmp_path), "-o", disk / "film", *DAY, "--home", disk / "home", "--json")
    full, grown = on_small_disk(disk, "2m", "64m", *words)
    assert full["code"] is None, "it waits"
    assert "Traceback" not in full["err"]
    assert [name for name in full["left"] if name.startswith("film/")] == []
    assert grown["code"] == 0, grown["err"]
    told = json.loads(grown["out"])
    assert told["state"] == "succeeded"
    assert told["report"]["checks"]["film"]["violations"] == []
    assert "film/film.mp4" in grown["left"]


def test_a_film_that_was_killed_on_a_full_disk_is_the_same_run_when_there_is_room(
    tmp_path: Path,
) -> None:
    disk = tmp_path / "disk"
    home = ("--home", disk / "home")
    words = ("make", brief(tmp_path), "-o", disk / "film", *DAY, *home)
    resumed = ("resume", "RUN", *home, "--json")
    full, grown = on_small_disk(disk, "2m", "64m", *words, "--", *resumed)
    assert "cannot grow: the disk is full" in full["err"]
    assert [name for name in full["left"] if name.startswith("film/")] == []
    assert grown["code"] == 0, grown["err"]
    told = json.loads(grown["out"])
    assert told["run"] in full["err"]
    assert (told["state"], told["out"]) == ("succeeded", str(disk / "film"))
    assert "film/film.mp4" in grown["left"]


def test_a_full_directory_gets_nothing_under_a_final_name(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    words = ("make", brief(tmp_path), "-o", disk / "film", *DAY, "--stop-after", "shots")
    (full,) = on_small_disk(disk, "40k", "", *words, "--home", tmp_path / "home")
    assert full["code"] == 1
    assert "No space left on device" in full["out"]
    assert full["left"] == []


def test_two_films_into_one_directory_at_once_are_refused(tmp_path: Path) -> None:
    words = ("make", brief(tmp_path), "-o", "film", *DAY)
    with Process(*words, "--home", "one", directory=tmp_path) as process:
        process.hear(r"script  succeeded")
        # However slow the second one is, the first has not ended before it.
        process.popen.send_signal(signal.SIGSTOP)
        second = run(*words, "--home", "two", directory=tmp_path)
        assert second.code == 2
        assert f"Process {process.popen.pid} is making something for" in second.err
        assert not (tmp_path / "two").exists()
        # One that was killed is in nobody's way.
        process.popen.kill()
        process.end()
    third = run(*words, "--home", "two", "--stop-after", "script", directory=tmp_path)
    assert third.code == 0, third.err


def test_a_directory_that_cannot_be_written_is_refused_before_anything_is_made(
    tmp_path: Path,
) -> None:
    disk = tmp_path / "disk"
    words = ("make", brief(tmp_path), "-o", disk / "film", *DAY, "--home", tmp_path / "home")
    (closed,) = on_small_disk(disk, "0", "", *words)
    assert closed["code"] == 2
    assert "cannot be written" in closed["err"]
    assert not (tmp_path / "home").exists()
    (tmp_path / "note").touch()
    done = call("make", brief(tmp_path), "-o", tmp_path / "note", *DAY)
    assert done.code == 2
    assert "is a file" in done.err

"""Artifacts on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from tests.acceptance.command import call, run, write_plan

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("E14", "S5")

TOOLS = """
from callsheet import Context, tool


@tool(version="7", effect="read")
async def draw(ctx: Context, prompt: str) -> dict:
    picture = await ctx.store(f"picture of {prompt}".encode(), name=f"{prompt}.png")
    return {"picture": picture.to_json()}


@tool(effect="read")
async def cut(ctx: Context, pictures: list[dict]) -> dict:
    film = await ctx.store(" ".join(p["name"] for p in pictures), name="film <1>.mp4")
    return film.to_json()
"""
PLAN = {
    "name": "film",
    "steps": [
        {"id": "cat", "tool": "draw", "args": {"prompt": "cat"}},
        {"id": "dog", "tool": "draw", "args": {"prompt": "dog"}},
        {
            "id": "cut",
            "tool": "cut",
            "args": {"pictures": ["${steps.cat.picture}", "${steps.dog.picture}"]},
        },
    ],
    "output": "${steps.cut}",
}


@pytest.fixture
def made(tmp_path: Path) -> dict[str, Any]:
    """A run that has made a film of two pictures."""
    (tmp_path / "film_tools.py").write_text(TOOLS, "utf-8")
    plan = write_plan(tmp_path / "plan.json", PLAN)
    done = call("run", plan, "--tools", tmp_path / "film_tools.py", "--json", *home(tmp_path))
    assert done.code == 0, done.err
    result: dict[str, Any] = done.json
    return result


def home(tmp_path: Path) -> tuple[str, Path]:
    return "--home", tmp_path / "home"


def test_artifacts_are_listed(made: dict[str, Any], tmp_path: Path) -> None:
    listed = call("artifacts", "--json", *home(tmp_path)).json
    assert {each["name"]: each["step"] for each in listed} == {
        "film <1>.mp4": "cut",
        "cat.png": "cat",
        "dog.png": "dog",
    }
    assert {each["run"] for each in listed} == {made["run"]}
    of_run = call("artifacts", made["run"], "--json", *home(tmp_path)).json
    assert {each["digest"] for each in of_run} == {each["digest"] for each in listed}
    shown = call("artifacts", *home(tmp_path)).out
    assert "cat.png" in shown
    assert made["output"]["$artifact"][:12] in shown
    assert len(call("artifacts", "--limit", 1, "--json", *home(tmp_path)).json) == 1
    assert call("artifacts", "nobody", *home(tmp_path)).code == 2


def test_lineage_is_a_tree_a_picture_and_json(made: dict[str, Any], tmp_path: Path) -> None:
    digest = made["output"]["$artifact"]
    picture = tmp_path / "lineage.svg"
    done = call("lineage", digest[:8], "--svg", picture, *home(tmp_path))
    assert done.code == 0, done.err
    assert "film <1>.mp4" in done.out.splitlines()[0]
    assert "made by cut  cut v1" in done.out
    assert "made by cat  draw v7" in done.out
    text = picture.read_text("utf-8")
    root = ET.fromstring(text)
    assert root.tag.endswith("svg")
    words = {node.text for node in root.iter() if node.tag.endswith("text")}
    assert {"film <1>.mp4", "cat.png", "dog.png", "cut", "draw v7, attempt 1"} <= words

    again = call("lineage", digest, "--svg", picture, *home(tmp_path))
    assert (again.code, "not overwritten" in again.err) == (2, True)

    graph = call("lineage", digest, "--json", *home(tmp_path)).json
    assert graph["roots"] == [digest]
    assert {call["step"] for call in graph["calls"]} == {"cut", "cat", "dog"}
    assert {link["role"] for link in graph["links"]} == {"produced", "consumed"}

    cat = next(each["digest"] for each in graph["artifacts"] if each["name"] == "cat.png")
    down = call("lineage", cat, "--down", *home(tmp_path)).out
    assert "used by cut" in down
    assert "made by" not in down
    up = call("lineage", cat, "--up", *home(tmp_path)).out
    assert "made by cat" in up
    assert "used by" not in up
    whole = call("lineage", made["run"], *home(tmp_path)).out
    assert whole.count("film <1>.mp4") == 1
    assert "dog.png" in whole
    assert call("lineage", "nonsense", *home(tmp_path)).code == 2


@pytest.mark.slow  # a process of its own: its stdout is a pipe of bytes
def test_an_artifact_is_written_to_a_new_file_or_to_stdout(
    made: dict[str, Any], tmp_path: Path
) -> None:
    digest = made["output"]["$artifact"]
    file = tmp_path / "film.mp4"
    assert call("artifact", "get", digest[:8], "-o", file, *home(tmp_path)).code == 0
    assert file.read_bytes() == b"cat.png dog.png"
    again = call("artifact", "get", digest, "-o", file, *home(tmp_path))
    assert (again.code, "not overwritten" in again.err) == (2, True)
    said = call("artifact", "get", digest, "-o", tmp_path / "b", "--json", *home(tmp_path)).json
    assert said == {"digest": digest, "file": str(tmp_path / "b")}
    assert call("artifact", "get", digest, "--json", *home(tmp_path)).code == 2
    piped = run("artifact", "get", digest, *home(tmp_path), directory=tmp_path)
    assert piped.out == "cat.png dog.png"


@pytest.mark.slow  # a process of its own: its stdout is a pipe of bytes
def test_nothing_of_a_damaged_artifact_is_written(made: dict[str, Any], tmp_path: Path) -> None:
    digest = made["output"]["$artifact"]
    blob = tmp_path / "home" / "artifacts" / digest[:2] / digest
    blob.chmod(0o644)
    blob.write_bytes(b"dog.png cat.png")
    piped = run("artifact", "get", digest, *home(tmp_path), directory=tmp_path)
    assert (piped.code, piped.out, "is damaged" in piped.err) == (2, "", True)
    kept = call("artifact", "get", digest, "-o", tmp_path / "film.mp4", *home(tmp_path))
    assert (kept.code, (tmp_path / "film.mp4").exists()) == (2, False)


def test_an_artifact_is_not_written_over_a_directory(made: dict[str, Any], tmp_path: Path) -> None:
    digest = made["output"]["$artifact"]
    for target in (".", tmp_path):
        refused = call("artifact", "get", digest, "-o", target, *home(tmp_path))
        assert (refused.code, "is a directory" in refused.err) == (2, True)


def test_a_name_gives_no_orders_to_a_terminal_or_a_picture(tmp_path: Path) -> None:
    nasty = TOOLS.replace("{prompt}.png", r"ca\x1b[2Jt\x07\x9b.png")
    (tmp_path / "film_tools.py").write_text(nasty, "utf-8")
    step = {"id": "cat", "tool": "draw", "args": {"prompt": "cat"}}
    plan = write_plan(tmp_path / "plan.json", {"name": "film", "steps": [step]})
    tools = ("--tools", tmp_path / "film_tools.py")
    name = call("run", plan, *tools, "--json", *home(tmp_path)).json["run"]
    picture = tmp_path / "lineage.svg"
    said = call("artifacts", *home(tmp_path)).out
    said += call("lineage", name, "--svg", picture, *home(tmp_path)).out
    assert said.count("ca[2Jt.png") == 2
    assert not {"\x1b", "\x07", "\x9b"} & set(said)
    words = {node.text for node in ET.fromstring(picture.read_text("utf-8")).iter()}
    assert "ca [2Jt  .png" in words


def test_a_file_is_put_and_given_to_a_run(made: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "horse.png"
    file.write_bytes(b"horse")
    put = call("artifact", "put", file, *home(tmp_path))
    given = json.loads(put.out)
    assert (given["name"], given["media_type"], given["size"]) == ("horse.png", "image/png", 5)
    steps = [{"id": "cut", "tool": "cut", "args": {"pictures": ["${inputs.picture}"]}}]
    plan = write_plan(
        tmp_path / "cut.json", {"inputs": {"picture": {"type": "object"}}, "steps": steps}
    )
    given_to = ("--input", f"picture={json.dumps(given)}")
    tools = ("--tools", tmp_path / "film_tools.py")
    done = call("run", plan, *given_to, *tools, "--json", *home(tmp_path))
    assert done.json["state"] == "succeeded"
    tree = call("lineage", given["$artifact"], *home(tmp_path)).out
    assert "used by cut" in tree
    assert made["run"] not in tree


def test_the_first_thing_in_a_home_may_be_a_file(tmp_path: Path) -> None:
    missing = call("artifact", "put", tmp_path / "horse.png", *home(tmp_path))
    assert (missing.code, (tmp_path / "home").exists()) == (2, False)
    (tmp_path / "horse.png").write_bytes(b"horse")
    put = call("artifact", "put", tmp_path / "horse.png", "--json", *home(tmp_path))
    assert put.code == 0, put.err
    (listed,) = call("artifacts", "--json", *home(tmp_path)).json
    assert listed["digest"] == put.json["$artifact"]


def test_gc_deletes_runs_and_what_they_held(made: dict[str, Any], tmp_path: Path) -> None:
    would = call("gc", "--older-than", "0s", "--dry-run", "--json", *home(tmp_path)).json
    assert would == {"deleted": [made["run"]], "artifacts": [], "bytes": 0, "dry_run": True}
    assert call("gc", "--older-than", "0s", *home(tmp_path)).code == 0
    # They were put a moment ago: another run might be about to name them.
    assert len(call("artifacts", "--json", *home(tmp_path)).json) == 3
    assert "nothing refers to it" in call("artifacts", *home(tmp_path)).out


def test_artifacts_lie_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLSHEET_ARTIFACTS", str(tmp_path / "elsewhere"))
    (tmp_path / "film_tools.py").write_text(TOOLS, "utf-8")
    plan = write_plan(tmp_path / "plan.json", PLAN)
    assert call("run", plan, "--tools", tmp_path / "film_tools.py", *home(tmp_path)).code == 0
    assert len(list((tmp_path / "elsewhere").glob("??/*"))) == 3
    assert len(call("artifacts", "--json", *home(tmp_path)).json) == 3

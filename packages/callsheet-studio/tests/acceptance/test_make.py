"""`callsheet make`: from a brief to a directory full of what a production needs."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.command import (
    EXAMPLES,
    SECONDS,
    Done,
    Process,
    Terminal,
    call,
    command,
    environment,
    run,
)

from callsheet.errors import InputError
from callsheet_studio import execute_full_pipeline

BRIEF = EXAMPLES / "briefs" / "harbor.yaml"
DAY = ("--today", "2026-11-15")
_PLAN = ("--stop-after", "plan")
SCRIPT = {"script.json", "script.md", "script.fountain", "captions.srt", "captions.vtt"}
SHOTS = {
    "shots.json",
    "shots.csv",
    "shots-by-setup.csv",
    "shots.pdf",
    "timeline.otio",
    "timeline.edl",
    "timeline.xml",
    "timeline.fcpxml",
}
PLAN = {"plan.json", "plan.md", "callsheet.csv", "callsheet.pdf"}

EARLY = (
    "callsheet.cli.app",
    "callsheet_studio.cli.make",
    "callsheet_studio.production.files",
    "callsheet.cli.attend",
    "yaml",
)
"""Modules that are imported before a film is begun, from the first to the last."""

INTERRUPTED = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
"""
"""Ctrl-C at the very moment when a module is imported."""

pytestmark = pytest.mark.requirement("P13")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)


def make(brief: Path, out: str, *words: object) -> Done:
    return call("make", brief, "-o", out, *DAY, "--json", *_PLAN, *words)


def files(out: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(out).iterdir()}


def read(out: str, name: str) -> Any:
    return json.loads((Path(out) / name).read_text("utf-8"))


def test_a_brief_becomes_script_shots_and_a_production_plan() -> None:
    done = make(BRIEF, "film")
    assert done.code == 0, done.err
    assert files("film").keys() == {*SCRIPT, *SHOTS, *PLAN, "report.json"}
    script, shots, plan = (read("film", f"{name}.json") for name in ("script", "shots", "plan"))
    assert (script["fps"], script["frames"]) == (24, 45 * 24)
    assert [*[beat["start"] for beat in script["beats"]][1:], 45 * 24] == [
        beat["end"] for beat in script["beats"]
    ]
    assert {shot["beat"] for shot in shots["shots"]} == {beat["id"] for beat in script["beats"]}
    steps = [step for shot in plan["shot_plans"] for step in shot["steps"]]
    assert plan["cost_breakdown"]["expected"] == pytest.approx(sum(s["usd"] for s in steps))
    assert plan["proof"]["status"] == "optimal"
    assert {"offer", "billed_seconds", "usd"} <= steps[0].keys()
    assert done.json["summary"]["usd"] == plan["cost_breakdown"]["expected"]


def test_the_call_sheet_has_a_row_for_every_job() -> None:
    make(BRIEF, "film")
    plan = read("film", "plan.json")
    jobs = sum(len(shot["steps"]) for shot in plan["shot_plans"])
    with (Path("film") / "callsheet.csv").open(encoding="utf-8-sig") as sheet:
        rows = list(csv.DictReader(sheet))
    assert len([row for row in rows if any(row.values())]) >= jobs


@pytest.mark.parametrize(
    ("stage", "made"), [("script", SCRIPT), ("shots", SCRIPT | SHOTS)], ids=["script", "shots"]
)
def test_it_stops_after_the_stage_that_is_named(stage: str, made: set[str]) -> None:
    assert make(BRIEF, "film", "--stop-after", stage).code == 0
    assert files("film").keys() == {*made, "report.json"}


@pytest.mark.slow
def test_the_same_brief_gives_the_same_bytes_in_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for out, seed in (("one", "1"), ("two", "2")):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        done = run(
            "make", BRIEF, "-o", out, *DAY, *_PLAN, "--home", f"home-{out}", directory=tmp_path
        )
        assert done.code == 0, done.err
    one, two = files("one"), files("two")
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == ["report.json"]


# Again


def test_a_second_make_makes_nothing_again() -> None:
    make(BRIEF, "film")
    again = make(BRIEF, "film").json
    assert {"script", "shots", "plan", "shot_files", "plan_files"} <= set(again["reused"])
    assert again["written"] == ["report.json"]


def test_more_money_makes_a_plan_again_and_no_script() -> None:
    make(BRIEF, "film")
    again = make(BRIEF, "film", "--max-cost", 55).json
    assert {"script", "shots", "script_files", "shot_files", "timeline_files"} <= set(
        again["reused"]
    )
    assert {"plan", "plan_files"} <= set(again["made"])
    assert not {"script.md", "shots.pdf", "timeline.otio"} & set(again["written"])


@pytest.mark.requirement("P2")
def test_another_answer_makes_again_what_depends_on_it(tmp_path: Path) -> None:
    make(BRIEF, "film")
    answers = tmp_path / "answers.yaml"
    answers.write_text("visual_metaphors: a lighthouse in fog\n")
    again = make(BRIEF, "film", "--answers", answers).json
    assert "script" in again["made"]
    assert {"script.json", "script.md"} <= set(again["written"])
    back = make(BRIEF, "film").json
    assert {"script", "shots", "plan"} <= set(back["reused"])
    assert "script.json" in back["written"]


def test_somebodys_work_is_not_overwritten() -> None:
    make(BRIEF, "film")
    script = Path("film/script.md")
    script.write_text("my own words")
    before = files("film")
    refused = call("make", BRIEF, "-o", "film", *DAY, *_PLAN, "--max-cost", 55)
    assert refused.code == 2
    assert "script.md" in refused.err
    assert "--force" in refused.err
    assert files("film") == before
    assert make(BRIEF, "film", "--force").code == 0
    assert script.read_text("utf-8") != "my own words"


# Money and days


# Three plans, each proved.
@pytest.mark.slow
@pytest.mark.requirement("P7")
def test_a_maximum_below_the_worst_says_so_and_how_to_be_sure() -> None:
    costs = make(BRIEF, "film").json["summary"]
    assert costs["usd"] < costs["worst_usd"]
    most = round((costs["usd"] + costs["worst_usd"]) / 2, 2)
    done = call("make", BRIEF, "-o", "film", *DAY, *_PLAN, "--max-cost", most)
    assert done.code == 0, done.err
    assert f"expected ${costs['usd']:.2f}, at worst ${costs['worst_usd']:.2f}" in done.out
    assert f"The maximum of ${most:.2f} holds for what is expected" in done.out
    assert f"The limit of ${most:.2f} holds for what is expected" in read_text("plan.md")
    assert f"allow ${costs['worst_usd']:.2f}" in done.out
    sure = done.out.partition("--max-cost ")[2].partition(",")[0]
    assert float(sure) < most
    # The harbour's plan is the cheapest of its quality, so the advice is only met with less of it.
    advised = make(BRIEF, "film", "--max-cost", sure, "--quality", "budget").json["summary"]
    assert advised["worst_usd"] <= most


def test_a_maximum_above_the_worst_says_nothing_more() -> None:
    done = call("make", BRIEF, "-o", "film", *DAY, *_PLAN, "--max-cost", "500")
    assert done.code == 0, done.err
    assert "holds for what is expected" not in done.out + read_text("plan.md")


def read_text(name: str) -> str:
    return (Path("film") / name).read_text("utf-8")


# Two plans, each proved.
@pytest.mark.slow
@pytest.mark.requirement("P7")
def test_a_plan_for_a_day_before_its_prices_were_read_says_so() -> None:
    assert make(BRIEF, "film").code == 0
    assert "were read later" not in read_text("plan.md")
    assert make(BRIEF, "film", "--today", "2026-07-01").code == 0
    (told,) = [each for each in read("film", "plan.json")["assumptions"] if "read later" in each]
    steps = [step for shot in read("film", "plan.json")["shot_plans"] for step in shot["steps"]]
    assert "2026-07-01" in told
    assert any(step["offer"] in told for step in steps)
    assert told in read_text("plan.md")


def test_a_day_on_which_nothing_was_known_is_refused() -> None:
    done = call("make", BRIEF, "-o", "film", *_PLAN, "--today", "1999-01-01")
    assert done.code == 2
    assert "1999-01-01" in done.err
    assert "later day" in done.err
    assert not Path("film").exists()


# What cannot be


def test_a_budget_that_cannot_be_kept_says_what_to_relax() -> None:
    done = call("make", BRIEF, "-o", "film", *DAY, *_PLAN, "--max-cost", "0.5")
    assert done.code == 2
    for word in ("elax", "max_cost", "heapest", "astest"):
        assert word in done.out + done.err
    assert not Path("film").exists()


BAD: dict[str, tuple[bytes, str]] = {
    "unknown type": (b"message: {core: A b c.}\ncontent: {type: opera}\n", "type"),
    "nonsense duration": (b"message: {core: A b c.}\ncontent: {duration: soon}\n", "duration"),
    "six hours": (b"message: {core: A b c.}\ncontent: {duration: 6h}\n", "duration"),
    "too many messages": (
        b"message: {core: A b., supporting: [" + b"one more thing to say, " * 10_000 + b"x]}\n",
        "supporting",
    ),
    "empty": (b"", "empty"),
    "wrong encoding": ("message: {core: Größe zählt.}\n".encode("latin-1"), "UTF-8"),
    "call to action longer than the film": (
        b"message: {core: A b c., cta: '" + b"come and see us today " * 40 + b"'}\n"
        b"content: {duration: 15s}\n",
        "cta",
    ),
    "contradiction": (
        b"message: {core: Cheap it is., must_include: [cheap], must_avoid: [cheap]}\n",
        "must_avoid",
    ),
    "bomb": (
        b"a: &a [x,x,x,x,x,x,x,x,x]\n"
        + b"".join(
            b"%c: &%c [%s]\n" % (98 + n, 98 + n, b",".join([b"*%c" % (97 + n)] * 9))
            for n in range(9)
        ),
        "",
    ),
    "no time": (b"message: {core: A b c.}\nconstraints: {deadline: 0}\n", "deadline"),
    "nowhere": (b"message: {core: A b c.}\nconstraints: {region: Atlantis}\n", "EU, UK, US"),
    "negative money": (b"message: {core: A b c.}\nconstraints: {max_cost_usd: -5}\n", "max_cost"),
}


@pytest.mark.requirement("P1")
@pytest.mark.parametrize(("text", "named"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_whole_and_nothing_is_written(
    tmp_path: Path, text: bytes, named: str
) -> None:
    brief = tmp_path / "brief.yaml"
    brief.write_bytes(text)
    done = call("make", brief, "-o", "film")
    assert done.code == 2
    assert named in done.err
    assert "Traceback" not in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["brief.yaml"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--today", "tomorrow"), "2026-11-15"),
        (("--deadline", "never"), "deadline"),
        (("--max-cost", "-1"), "max_cost"),
        (("--answers", "nowhere.yaml"), "nowhere.yaml"),
    ],
    ids=["day", "deadline", "money", "answers"],
)
def test_wrong_options_are_refused_before_anything_is_made(
    tmp_path: Path, words: tuple[str, ...], named: str
) -> None:
    done = call("make", BRIEF, "-o", "film", *words)
    assert done.code == 2
    assert named in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("P2")
@pytest.mark.parametrize("text", ["", "# nothing yet\n", "{}", "null\n"])
def test_a_file_without_answers_answers_nothing(tmp_path: Path, text: str) -> None:
    answers = tmp_path / "answers.yaml"
    answers.write_text(text)
    done = make(BRIEF, "film", "--stop-after", "script", "--answers", answers)
    assert done.code == 0, done.err
    again = make(BRIEF, "film", "--stop-after", "script").json
    assert "script" in again["reused"]


def test_an_answer_to_no_question_is_refused(tmp_path: Path) -> None:
    (tmp_path / "answers.yaml").write_text("tonn: warm\n")
    done = call("make", BRIEF, "-o", "film", "--answers", "answers.yaml")
    assert done.code == 2
    assert "tone" in done.err


# Review, interrupts, undo


@pytest.mark.slow
@pytest.mark.requirement("P2")
def test_in_review_the_questions_are_asked_and_every_stage_is_approved(tmp_path: Path) -> None:
    words = ("make", BRIEF, "-o", "film", *DAY, *_PLAN, "--review")
    with Terminal(*words, directory=tmp_path) as terminal:
        for prompt, answer in (
            ("relief / pride", "wonder"),
            ("solution / problem", "proof"),
            ("your answer", "a lighthouse in fog"),
        ):
            terminal.see(prompt)
            terminal.type(f"{answer}\n")
        terminal.see("go on / stop here: ")
        assert "script.md" in files("film")
        assert "shots.csv" not in files("film")
        terminal.type("go on\n")
        terminal.see("Go on with the plan?")
        terminal.type("stop here\n")
        assert terminal.end() == 0
    assert files("film").keys() == {*SCRIPT, *SHOTS, "report.json"}
    assert "lighthouse" in (Path("film") / "script.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.requirement("P2")
def test_in_review_enter_takes_what_is_shown_and_a_wrong_answer_is_asked_again(
    tmp_path: Path,
) -> None:
    brief = tmp_path / "brief.yaml"
    brief.write_text("message: {core: Our bakery bakes all night., must_avoid: [cheap]}\n")
    words = ("make", brief, "-o", "film", *DAY, "--stop-after", "script", "--review", "--home", "a")
    with Terminal(*words, directory=tmp_path) as terminal:
        terminal.see("playful / serious (Enter: friendly): ")
        terminal.type("loud\n")
        terminal.see("takes one of: friendly, confident")
        terminal.type("\n")
        terminal.see("your answer (Enter: Find out more today): ")
        terminal.type("Buy it cheap\n")
        terminal.see("must be avoided")
        terminal.type("\n")
        terminal.see("belonging (Enter: wonder): ")
        terminal.type("\n")
        terminal.see("people (Enter: solution): ")
        terminal.type("\n")
        terminal.see("your answer (Enter: nothing): ")
        terminal.type("\n")
        assert terminal.end() == 0, terminal.screen
    # What Enter answers is what is taken when nobody is asked.
    assert make(brief, "other", "--stop-after", "script", "--home", "b").code == 0
    for name in ("script.md", "script.json"):
        assert (Path("film") / name).read_bytes() == (Path("other") / name).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("module", EARLY)
def test_ctrl_c_before_anything_is_begun_ends_it_in_one_line(tmp_path: Path, module: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED.format(module=module))
    surroundings = environment(tmp_path)
    done = subprocess.run(
        command("make", BRIEF, "-o", "film", *DAY),
        cwd=tmp_path,
        env=surroundings | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{surroundings['PYTHONPATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr.decode().strip() == "Cancelled. Nothing had been started."
    assert {path.name for path in tmp_path.iterdir()} <= {"sitecustomize.py", "__pycache__"}


@pytest.mark.slow
def test_review_without_anybody_to_ask_waits_and_can_be_gone_on_with(tmp_path: Path) -> None:
    done = run("make", BRIEF, "-o", "film", *DAY, *_PLAN, "--review", directory=tmp_path)
    assert done.code == 3
    assert "callsheet answer" in done.err
    name = call("runs", "--json").json[0]["run"]
    assert done.err.splitlines()[-1] == f"then: callsheet resume {name}"
    assert not Path("film").exists()


@pytest.mark.slow
def test_a_make_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    words = ("make", BRIEF, "-o", "film", *DAY, *_PLAN)
    with Process(*words, directory=tmp_path) as process:
        process.hear("plan  running")
        process.signal(signal.SIGKILL)
        process.end()
    assert not Path("film").exists()
    name = call("runs", "--json").json[0]["run"]
    done = run("resume", name, directory=tmp_path)
    assert done.code == 0, done.err
    assert files("film").keys() == {*SCRIPT, *SHOTS, *PLAN, "report.json"}
    shown = call("show", name, "--json").json
    assert shown["steps"]["script"]["attempts"] == 1


def test_undoing_a_make_brings_the_directory_back(tmp_path: Path) -> None:
    make(BRIEF, "film")
    before = files("film")
    name = make(BRIEF, "film", "--max-cost", 55).json["run"]
    assert files("film") != before
    assert call("undo", name).code == 0
    assert files("film") == before


# Back from the editor


def trimmed(timeline: str, frames: int) -> str:
    """An OTIO timeline whose last shot is so much shorter."""
    told = json.loads(timeline)
    track = next(t for t in told["tracks"]["children"] if t["kind"] == "Video")
    clips = [each for each in track["children"] if each["OTIO_SCHEMA"].startswith("Clip")]
    clips[-1]["source_range"]["duration"]["value"] -= frames
    return json.dumps(told)


@pytest.mark.requirement("P12")
def test_a_cut_that_comes_back_retimes_the_project(tmp_path: Path) -> None:
    make(BRIEF, "film")
    cut = tmp_path / "cut.otio"
    cut.write_text(trimmed((Path("film") / "timeline.otio").read_text("utf-8"), 12))
    before = read("film", "shots.json")
    done = make(BRIEF, "film", "--cut", cut)
    assert done.code == 0, done.err
    assert {"script", "shots"} <= set(done.json["reused"])
    script, shots = read("film", "script.json"), read("film", "shots.json")
    assert script["frames"] == shots["frames"] == before["frames"] - 12
    assert script["beats"][-1]["end"] == shots["shots"][-1]["end"] == before["frames"] - 12
    assert shots["shots"][:-1] == before["shots"][:-1]
    assert done.json["report"]["checks"]["script"]["frame_error"] == 0
    assert read("film", "plan.json")["summary"]["frames"] == before["frames"] - 12


@pytest.mark.requirement("P12")
def test_a_cut_without_a_shot_says_what_it_breaks_and_renames_nothing(tmp_path: Path) -> None:
    make(BRIEF, "film", "--stop-after", "shots")
    told = json.loads((Path("film") / "timeline.otio").read_text("utf-8"))
    track = next(t for t in told["tracks"]["children"] if t["kind"] == "Video")
    doubled = next(
        place
        for place, (one, two) in enumerate(pairwise(read("film", "shots.json")["shots"]))
        if one["beat"] == two["beat"]
    )
    clips = [each for each in track["children"] if each["OTIO_SCHEMA"].startswith("Clip")]
    track["children"].remove(clips[doubled])
    (tmp_path / "cut.otio").write_text(json.dumps(told))
    done = call("make", BRIEF, "-o", "film", *DAY, *_PLAN, "--cut", tmp_path / "cut.otio")
    assert done.code == 0, done.err
    broken = read("film", "report.json")["checks"]
    rules = [each for stage in ("script", "shots") for each in broken[stage]["violations"]]
    assert "numbering" not in {each["rule"] for each in rules}
    assert "broken" in done.out
    assert rules[0]["message"] in " ".join(done.out.split())


@pytest.mark.requirement("P12")
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("cut.otio", "{}", "OTIO"),
        (
            "cut.edl",
            "TITLE: x\n001  9Z  V  C  00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00\n",
            "9Z",
        ),
        ("cut.mov", "x", ".otio or .edl"),
    ],
    ids=["garbage", "foreign", "form"],
)
def test_a_cut_that_is_not_of_this_film_is_refused(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text)
    done = call("make", BRIEF, "-o", "film", *DAY, *_PLAN, "--cut", tmp_path / name)
    assert done.code == 2
    assert said in done.out + done.err
    assert not Path("film").exists()


@pytest.mark.parametrize("name", ["brief", "script", "shots", "plan", "stack", "production"])
def test_every_object_has_a_schema(name: str) -> None:
    assert call("schema", name).json["type"] == "object"


async def test_the_whole_way_at_once_in_python() -> None:
    vrd = {"message": {"core": "Harbor keeps every berth in view."}, "content": {"duration": "20s"}}
    made = await execute_full_pipeline(vrd, today=date(2026, 11, 15))
    assert made.shots is not None
    assert made.plan is not None
    assert made.script.frames == made.shots.frames == 480
    assert made.plan.proof.status == "optimal"
    with pytest.raises(InputError, match="Relax max_cost"):
        await execute_full_pipeline(
            {**vrd, "constraints": {"max_cost_usd": 0.01}}, today=date(2026, 11, 15)
        )

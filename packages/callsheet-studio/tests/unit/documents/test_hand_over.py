"""What an editor goes on with tomorrow: media where the timelines say, prompts, a real plan."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from datetime import date, timedelta

import pytest
from tests.unit.documents.films import film
from tests.unit.script.samples import make_brief

from callsheet_studio.brief import from_data
from callsheet_studio.documents import plan_files, timeline_files
from callsheet_studio.documents.page import Shown, index_page
from callsheet_studio.documents.pieces import STEMS
from callsheet_studio.providers.catalogue import is_callable, not_orderable, orderable
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots
from callsheet_studio.solve.solver import solve
from callsheet_studio.stack.read import starting_stack

pytestmark = pytest.mark.requirement("P16")

DAY = date(2026, 11, 15)
BRIEF = {
    "message": {"core": "Harbor keeps every berth in view.", "cta": "Try Harbor free"},
    "content": {"duration": 20},
}


def test_every_picture_and_sound_of_a_timeline_is_where_it_says() -> None:
    made = film(2, 2)
    media = {shot.id: f"clips/{shot.id}.mp4" for shot in made.shots.shots}
    found = timeline_files(made.shots, made.script, made.brief, media=media, stems=STEMS)
    timeline = json.loads(found["timeline.otio"])
    clips = [
        child
        for track in timeline["tracks"]["children"]
        for child in track["children"]
        if child["OTIO_SCHEMA"].startswith("Clip")
    ]
    places = [
        clip["media_references"][clip["active_media_reference_key"]]["target_url"] for clip in clips
    ]
    assert set(places) == {*media.values(), *STEMS.values()}
    root = ET.fromstring(found["timeline.xml"])
    assert {each.text for each in root.iter("pathurl")} == set(places)
    for place in media.values():
        assert place in found["timeline.edl"].decode()
        assert place in found["timeline.fcpxml"].decode()


# About 1 s: a whole plan is proved.
@pytest.mark.slow
def test_a_plan_has_only_what_can_be_ordered_whether_there_are_keys_or_not() -> None:
    brief = from_data(BRIEF, "brief.yaml")
    shots = plan_shots(write_script(brief), brief)
    stack = starting_stack()
    plan = solve(shots, brief, orderable(stack), DAY)
    offers = {(tool.id, each.id): (tool, each) for tool in stack.tools for each in tool.offers}
    for made in plan.shot_plans:
        for step in made.steps:
            known = offers.get((step.tool, step.offer))
            assert step.usd == 0 or (known is not None and is_callable(*known))


# About 1 s: a whole plan is proved.
@pytest.mark.slow
def test_offers_that_nobody_here_can_order_are_marked() -> None:
    brief = from_data(BRIEF, "brief.yaml")
    shots = plan_shots(write_script(brief), brief)
    stack = starting_stack()
    plan = solve(shots, brief, stack, DAY)
    marked = not_orderable(stack)
    used = {step.offer for made in plan.shot_plans for step in made.steps} & set(marked)
    files = plan_files(plan, shots, brief, marked)
    rows = list(csv.DictReader(io.StringIO(files["callsheet.csv"].decode("utf-8-sig"))))
    assert {row["order"] for row in rows} <= {"elsewhere", "by --produce", "made here"}
    told = "cannot be ordered with --produce: "
    first = f"{told}{min(used)}" if used else told
    assert (first in files["plan.md"].decode()) is bool(used)


# About 1 s: a whole plan is proved.
@pytest.mark.slow
def test_cards_cost_nothing() -> None:
    brief = from_data(BRIEF | {"constraints": {"quality": "high"}}, "brief.yaml")
    play = make_brief(script="EXT. HARBOUR - DAY\n\nBoats lie still.", seconds=20)
    shots = plan_shots(write_script(play), play)
    cards = {s.id for s in shots.shots if s.set.place == "abstract" and s.on_screen_text}
    plan = solve(shots, brief, starting_stack(), DAY)
    assert cards
    for made in plan.shot_plans:
        paid = sum(step.usd for step in made.steps)
        assert (paid == 0) is (made.shot in cards)


# About 1 s: a whole plan is proved.
@pytest.mark.slow
def test_a_tool_that_ends_before_the_deadline_is_not_planned_with() -> None:
    brief = from_data(BRIEF | {"constraints": {"deadline": "3d"}}, "brief.yaml")
    shots = plan_shots(write_script(brief), brief)
    stack = starting_stack()
    first = solve(shots, brief, stack, DAY)
    used = {step.tool for made in first.shot_plans for step in made.steps if step.usd}
    ends = {"retires": DAY + timedelta(days=2)}
    tools = [t.model_copy(update=ends) if t.id in used else t for t in stack.tools]
    later = solve(shots, brief, stack.model_copy(update={"tools": tuple(tools)}), DAY)
    assert not used & {step.tool for made in later.shot_plans for step in made.steps if step.usd}


def test_a_prompt_has_one_act_and_no_contradiction() -> None:
    play = (
        "INT. CAR - NIGHT\n\nRain falls. LENA (35, green parka) grips the wheel. She sings.\n\n"
        "LENA\nNot now."
    )
    brief = make_brief(script=play, seconds=15)
    shots = plan_shots(write_script(brief), brief)
    prompts = [shot.storyboard.prompt for shot in shots.shots if shot.set.heading]
    assert prompts
    for prompt in prompts:
        # The road is in the windows; nobody is told that it is a road, and indoors.
        assert "road, interior" not in prompt.lower()
        assert "Place: car, interior at night" in prompt
    with_lena = [p for p in prompts if "Lena: 35, green parka." in p]
    assert with_lena
    assert not [p for p in prompts if "grips the wheel" in p and "sings" in p]


def test_prompts_are_in_the_table_and_on_the_page() -> None:
    made = film(2, 2)
    told = made.shots.shots[0].storyboard.prompt
    rows = plan_files(made.plan, made.shots, made.brief)["callsheet.csv"].decode("utf-8-sig")
    assert told in {row["prompt"] for row in csv.DictReader(io.StringIO(rows))}
    shown = Shown(brief=made.brief, script=made.script, shots=made.shots, plan=made.plan)
    page = index_page(shown, accent="#000000", files=[], found=[]).decode()
    assert told.split(".")[0] in page

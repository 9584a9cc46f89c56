"""The plan as people read it: steps, reasons, schedule, proof, assumptions, alternatives."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.solve import films

from callsheet.errors import InputError
from callsheet_studio.documents.words import span
from callsheet_studio.model.stack import Grid, Stack
from callsheet_studio.solve import InfeasibleError, Terms, solve
from callsheet_studio.solve.telling import lasting

ROOT = Path(__file__).parents[5]


def _stack() -> Stack:
    good = films.tool("good", films.offer("good@north", 0.3), share=0.8, seconds=100)
    fine = films.tool("fine", films.offer("fine@south", 0.1), share=0.6, seconds=100)
    poor = films.tool("poor", films.offer("poor@east", 0.05), share=0.3, seconds=20)
    return films.stack(good, fine, poor, films.renderer())


@pytest.mark.requirement("P7")
def test_a_plan_says_what_each_shot_takes() -> None:
    plan = solve(films.film([120, 108]), films.brief(), _stack(), films.TODAY)
    first, second = plan.shot_plans
    assert [step.offer for step in first.steps] == ["fine@south"]
    step = second.steps[0]
    assert (step.screen_seconds, step.billed_seconds, step.clips) == (4.5, 5.0, (5.0,))
    assert (step.attempts, step.max_attempts) == (3, 5)
    assert (step.usd, step.worst_usd, step.seconds) == (1.5, 2.5, 300.0)
    assert plan.cost_breakdown.expected == 3.0
    assert plan.cost_breakdown.worst == 5.0
    assert plan.cost_breakdown.by_tool == {"fine": 3.0}
    assert plan.timeline.sequential == 610.0
    assert plan.timeline.makespan == 310.0
    assert plan.summary.quality == 0.6
    assert plan.summary.text.startswith(
        "2 shots for $3.00 ($5.00 at worst), ready in 5 min 10 s, quality at least 0.60 on average:"
    )


@pytest.mark.requirement("P7")
def test_a_plan_is_proved_and_dated() -> None:
    plan = solve(films.film([120]), films.brief(), _stack(), films.TODAY)
    assert (plan.proof.status, plan.proof.gap, plan.proof.bound) == ("optimal", 0, 1.5)
    assert plan.proof.candidates == 2
    assert any("$0.10 per second, as of 2026-11-16 (a price list)" in a for a in plan.assumptions)
    assert any("3 attempts" in each for each in plan.assumptions)
    assert any("Voice" in each for each in plan.assumptions)


@pytest.mark.requirement("P7")
def test_a_plan_says_why_each_shot_is_made_that_way() -> None:
    plan = solve(films.film([120]), films.brief(), _stack(), films.TODAY)
    order, place = plan.shot_plans[0].reasons
    assert order == "5 s of fine@south: $1.50 for 3 attempts."
    assert place == (
        "The cheapest of 2 ways (its quality is at least 0.60); good@north would be $3.00 more."
    )
    better = plan.shot_plans[0].alternatives[0]
    assert (better.offer, better.usd, better.quality) == ("good@north", 4.5, (0.8, 0.8))


@pytest.mark.requirement("P7")
def test_a_plan_has_a_cheaper_a_faster_and_a_better_one_beside_it() -> None:
    plan = solve(films.film([120] * 4), films.brief(), _stack(), films.TODAY)
    found = {each.name: each for each in plan.alternatives}
    assert found["cheaper"].usd == 3.0
    assert found["better"].quality == 0.8
    assert found["faster"].seconds < plan.summary.seconds
    assert found["cheaper"].what == (
        "4 of 4 shots are made otherwise with poor@east (quality budget)."
    )
    assert found["better"].what == "4 of 4 shots are made otherwise with good@north."


@pytest.mark.requirement("P7")
def test_when_nothing_could_be_better_the_plan_says_so() -> None:
    only = films.stack(films.tool("only", films.offer("only@north", 0.1)))
    plan = solve(films.film([120]), films.brief(), only, films.TODAY)
    assert plan.alternatives == ()
    assert any("No plan that is cheaper, faster, better exists" in a for a in plan.assumptions)


@pytest.mark.requirement("P7")
def test_a_deadline_moves_shots_to_other_lanes_at_a_price() -> None:
    shots = films.film([120] * 4)
    free = solve(shots, films.brief(), _stack(), films.TODAY, terms=Terms(lanes=1))
    hurried = solve(shots, films.brief(deadline=700), _stack(), films.TODAY, terms=Terms(lanes=1))
    assert free.timeline.makespan == 1220
    assert hurried.timeline.makespan == 620
    assert hurried.cost_breakdown.by_tool == {"fine": 3.0, "good": 9.0}
    reasons = [each.reasons[1] for each in hurried.shot_plans if each.steps[0].tool == "good"]
    assert all("to be ready in time" in each for each in reasons)


@pytest.mark.requirement("P7")
def test_high_quality_takes_the_best_that_the_money_buys() -> None:
    shots = films.film([120, 120])
    plan = solve(shots, films.brief(quality="high", max_cost=9), _stack(), films.TODAY)
    assert plan.summary.quality == 0.8
    assert plan.proof.bound == 0.8


@pytest.mark.requirement("P7")
def test_a_small_budget_gives_the_best_mix_with_the_animatic() -> None:
    shots = films.film([120, 120, 120])
    plan = solve(shots, films.brief(quality="budget", max_cost=1.6), _stack(), films.TODAY)
    recipes = sorted(each.recipe for each in plan.shot_plans)
    assert recipes == ["animatic", "text_to_video", "text_to_video"]
    assert plan.cost_breakdown.expected == 1.5
    enough = solve(shots, films.brief(quality="budget", max_cost=50), _stack(), films.TODAY)
    assert {each.recipe for each in enough.shot_plans} == {"text_to_video"}
    assert enough.cost_breakdown.expected == 2.25


@pytest.mark.requirement("P7")
def test_a_few_cents_more_never_buy_less() -> None:
    # One good shot beside an animatic would beat two poor ones: it is not bought, for then more
    # money would lower quality.
    good = films.tool("good", films.offer("good@north", 0.08), share=0.9)
    poor = films.tool("poor", films.offer("poor@north", 0.05), share=0.3)
    stack, shots = films.stack(good, poor, films.renderer()), films.film([120, 120])
    found = [
        solve(shots, films.brief(quality="budget", max_cost=usd), stack, films.TODAY)
        for usd in (0.7, 1.4, 1.5, 5)
    ]
    assert [plan.summary.quality for plan in found] == [0, 0.15, 0.3, 0.3]
    assert [plan.summary.usd for plan in found] == [0, 0.75, 1.5, 1.5]


@pytest.mark.requirement("P7")
def test_an_animatic_is_no_way_to_save_where_the_money_reaches() -> None:
    # One shot twice as good beside an animatic has the same mean, for less.
    good = films.tool("good", films.offer("good@north", 0.08), share=0.6)
    poor = films.tool("poor", films.offer("poor@north", 0.05), share=0.3)
    stack, shots = films.stack(good, poor, films.renderer()), films.film([120, 120])
    plan = solve(shots, films.brief(quality="budget", max_cost=5), stack, films.TODAY)
    assert [each.recipe for each in plan.shot_plans] == ["text_to_video"] * 2
    assert plan.summary.usd == 1.5


@pytest.mark.requirement("P7")
def test_a_picture_comes_before_its_clip() -> None:
    moved = films.tool("moved", films.offer("moved@north", 0.1), modes=("i2v",), share=0.5)
    drawn = films.tool(
        "drawn", films.offer("drawn@west", 0.04, unit="image"), category="image", modes=("t2i",)
    )
    plan = solve(films.film([120]), films.brief(), films.stack(moved, drawn), films.TODAY)
    still, clip = plan.shot_plans[0].steps
    assert (still.purpose, still.usd, still.inputs) == ("first frame", 0.12, ("storyboard:1A",))
    assert (clip.mode, clip.usd, clip.inputs) == ("i2v", 1.5, ("still:1A",))
    slots = [slot for lane in plan.timeline.lanes for slot in lane.slots]
    assert [(slot.offer, slot.start, slot.end) for slot in slots] == [
        ("moved@north", 180, 360),
        ("drawn@west", 0, 180),
    ]


@pytest.mark.requirement("P7")
def test_what_is_not_known_is_told() -> None:
    known = films.tool("known", films.offer("known@north", 0.3), share=0.5)
    dark = films.tool("dark", films.offer("dark@south", 0.1), seconds=None)
    stack = films.stack(known, dark)
    plan = solve(films.film([120]), films.brief(region="EU"), stack, films.TODAY)
    assert plan.shot_plans[0].steps[0].tool == "dark"
    assert plan.shot_plans[0].steps[0].seconds == 450
    told = " ".join((*plan.assumptions, *plan.shot_plans[0].notes))
    assert "That dark may be used in EU is assumed" in told
    assert "Times of dark are not known: 150 s for a clip" in told
    assert "Nobody has measured dark" in told


@pytest.mark.requirement("P7")
def test_prices_of_nothing_and_offers_alike_make_a_plan() -> None:
    twins = [films.tool(name, films.offer(f"{name}@north", 0), share=0.5) for name in "ba"]
    plan = solve(films.film([22, 240]), films.brief(), films.stack(*twins), films.TODAY)
    assert plan.cost_breakdown.expected == 0
    assert {step.tool for each in plan.shot_plans for step in each.steps} == {"a"}


@pytest.mark.requirement("P7")
def test_a_long_shot_on_a_short_grid_is_joined() -> None:
    grid = Grid(lengths=(4,), most=4)
    short = films.tool("short", films.offer("short@north", 0.1), grid=grid)
    plan = solve(films.film([240]), films.brief(), films.stack(short), films.TODAY)
    assert plan.shot_plans[0].steps[0].clips == (4, 4, 4)
    assert plan.shot_plans[0].steps[0].usd == 3.6
    assert any("2 joins" in note for note in plan.shot_plans[0].notes)


@pytest.mark.requirement("P7")
def test_a_film_without_shots_is_an_error() -> None:
    with pytest.raises(InputError, match="without shots"):
        solve(films.film([]), films.brief(), _stack(), films.TODAY)


@pytest.mark.requirement("P7")
def test_without_effort_it_is_an_error_and_not_an_impossibility() -> None:
    shots, wanted = films.film([120, 96, 48] * 4), films.brief(deadline=900, max_cost=35)
    with pytest.raises(InputError, match="could not be found out") as refused:
        solve(shots, wanted, _stack(), films.TODAY, terms=Terms(effort=1e-12))
    assert not isinstance(refused.value, InfeasibleError)


SCRIPT = """
from tests.unit.solve import films
from tests.unit.solve.test_plan import plan_in_one_line
print(plan_in_one_line())
"""


def plan_in_one_line() -> str:
    """A digest of everything in a plan with many ties."""
    twins = [
        films.tool(f"t{n}", films.offer(f"t{n}@{where}", 0.1), share=0.5)
        for n, where in enumerate(("north", "south", "north", "east"))
    ]
    shots = films.film([120, 96, 120, 200, 96, 48], figures=())
    wanted = films.brief(deadline=900)
    plan = solve(shots, wanted, films.stack(*twins, films.renderer()), films.TODAY)
    return hashlib.sha256(plan.model_dump_json().encode()).hexdigest()


@pytest.mark.requirement("P7")
@pytest.mark.slow  # starts Python twice
def test_the_same_input_gives_the_same_plan_in_another_process() -> None:
    for seed in ("1", "4711"):
        found = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            check=True,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.environ["PYTHONPATH"]},
        )
        assert found.stdout.strip() == plan_in_one_line()


@pytest.mark.requirement("P7")
@pytest.mark.parametrize("seconds", [0, 45, 60, 309, 900, 3599, 3600, 3629, 3630, 6990, 7199])
def test_a_plan_says_times_as_its_documents_do(seconds: int) -> None:
    assert lasting(seconds * 1000) == span(seconds)


IMPATIENT = """
import os, signal, threading
from callsheet_studio.solve import solve
from tests.unit.solve import films
from tests.unit.solve.test_plan import _stack

heard = []
signal.signal(signal.SIGINT, lambda *_: heard.append(1))
done = threading.Event()

def press():
    while not done.wait(0.001):
        os.kill(os.getpid(), signal.SIGINT)

pressing = threading.Thread(target=press)
pressing.start()
plan = solve(films.film([120, 108, 96, 60]), films.brief(), _stack(), films.TODAY)
done.set()
pressing.join()
print(plan.proof.status, len(heard) > 0)
"""


@pytest.mark.requirement("P7")
def test_ctrl_c_reaches_whoever_asked_and_does_not_end_the_process() -> None:
    command = [sys.executable, "-c", IMPATIENT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "optimal True\n"), done.stderr

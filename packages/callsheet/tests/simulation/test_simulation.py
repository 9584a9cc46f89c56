"""Whole lives of the engine, judged: hundreds for every change, ten thousand in the long tests."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from callsheet import tool
from callsheet.core.plan.plan import Plan, Step
from callsheet.core.run import entries as e
from callsheet.errors import InputError, PlanError
from callsheet.testing import Faults, simulate
from callsheet.testing.simulation import CALM
from callsheet.testing.simulation.__main__ import main
from callsheet.testing.simulation.mutant import ENOUGH, Mutant
from callsheet.testing.simulation.mutants import MUTANTS
from callsheet.testing.simulation.plans import cast, draw_plan

SEEDS = 250
MANY = 10_000


@pytest.mark.slow  # hundreds of whole runs
@pytest.mark.requirement("E24")
def test_every_law_holds_in_every_story() -> None:
    kinds: set[type[e.AnyEntry]] = set()
    lives = forks = children = large = 0
    for seed in range(SEEDS):
        story = simulate(seed=seed)
        story.check()
        for entries in story.runs.values():
            kinds |= {type(entry) for entry in entries}
            first = entries[0]
            assert isinstance(first, e.RunStarted)
            forks += first.forked_from is not None
            children += first.parent is not None
            large += sum(bool(entry.stored) for entry in entries)
        lives += story.lives
    # Stories in which nothing happens prove nothing.
    assert kinds >= {
        e.AnswerRecorded,
        e.CancelRequested,
        e.CheckpointSaved,
        e.QuestionAsked,
        e.RunPaused,
        e.RunRecovered,
        e.RunResumed,
        e.RunSealed,
        e.StepCached,
        e.StepCopied,
        e.StepExpanded,
        e.StepRefused,
        e.StepsAdded,
        e.TimerFired,
        e.UndoEnded,
        e.UndoRequested,
    }
    assert lives > SEEDS * 1.2
    assert min(forks, children, large) > SEEDS * 0.1


@pytest.mark.long
@pytest.mark.requirement("E24")
def test_every_law_holds_in_ten_thousand_stories(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", str(MANY), "--begin", str(SEEDS)]) == 0, capsys.readouterr().out


# Up to a second each: as many stories as it takes to catch it.
@pytest.mark.slow
@pytest.mark.requirement("E24")
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_fault_in_the_engine_is_caught(mutant: Mutant) -> None:
    with mutant.active():
        told = (simulate(seed=seed, faults=mutant.faults) for seed in range(ENOUGH))
        caught = next((story for story in told if story.broken), None)
    assert caught is not None, mutant.fault
    # A patch that does not fit any more breaks everything, and proves nothing.
    said = " ".join(broken.what for broken in caught.broken)
    assert not any(f"{error}(" in said for error in ("TypeError", "AttributeError", "NameError"))
    # It is the fault that was caught, and it is gone again.
    assert not simulate(seed=caught.seed, faults=mutant.faults).broken


@pytest.mark.requirement("E24")
def test_the_same_seed_tells_the_same_story() -> None:
    for seed in (3, 7, 11, 32):
        one, other = simulate(seed=seed), simulate(seed=seed)
        assert one.lines == other.lines
        assert one.entries == other.entries
    assert simulate(seed=3).lines != simulate(seed=7).lines


MANY_STORIES = """
import hashlib, sys
from callsheet.testing import simulate
for seed in range(int(sys.argv[1])):
    simulate(seed=seed)
for seed in range(1090, 1190):
    print(seed, hashlib.sha256(repr(simulate(seed=seed).lines).encode()).hexdigest())
"""


@pytest.mark.slow  # two processes
@pytest.mark.requirement("E24")
def test_a_story_is_the_same_in_every_process() -> None:
    # Neither the hashes of strings nor the addresses of objects have a say in it.
    told = [
        subprocess.run(
            [sys.executable, "-c", MANY_STORIES, before],
            env={"PYTHONHASHSEED": chance},
            capture_output=True,
            check=True,
        ).stdout
        for chance, before in (("1", "0"), ("2", "17"))
    ]
    assert told[0] == told[1]
    assert told[0].count(b"\n") == 100


def test_a_calm_story_is_one_life_without_any_trouble() -> None:
    for seed in range(20):
        story = simulate(seed=seed, faults=CALM)
        story.check()
        assert story.lives == 1
        ends = [entry for entry in story.entries if isinstance(entry, e.AttemptEnded)]
        assert all(entry.outcome == "succeeded" for entry in ends)


def test_every_plan_that_is_drawn_is_another() -> None:
    plans = {draw_plan(Random(seed)).digest for seed in range(50)}
    assert len(plans) == 50
    used = {step.tool for seed in range(50) for step in draw_plan(Random(seed)).steps}
    assert used - {None} <= {each.spec.name for each in cast()}


# A user's own plan


@tool("rooms.book", effect="write", undo="rooms.release")
async def book(hotel: str) -> dict[str, str]:
    raise AssertionError(hotel)


@tool("rooms.release", effect="write", idempotent=True)
async def release(key: str) -> None:
    raise AssertionError(key)


@tool("mail.send", effect="write")
async def send(room: str) -> bool:
    raise AssertionError(room)


TRIP = Plan(
    name="trip",
    steps=(
        Step(id="room", tool="rooms.book", args={"hotel": "Grand"}),
        Step(id="mail", tool="mail.send", args={"room": "${steps.room.id}"}, approval="required"),
    ),
    output="${steps.mail}",
)
TOOLS = (book, release, send)


@pytest.mark.slow  # forty whole runs
@pytest.mark.requirement("E24")
def test_a_users_plan_is_simulated_without_calling_its_tools() -> None:
    answers = {"rooms.book": {"id": "r7"}}
    told = [simulate(TRIP, TOOLS, seed=seed, returns=answers) for seed in range(40)]
    for story in told:
        story.check()
    ends = {story.result.state for story in told if story.result}
    assert {"succeeded", "undone"} <= ends
    outputs = [s.result.output for s in told if s.result and s.result.state == "succeeded"]
    assert all(output is True for output in outputs)  # as `mail.send` declares


def test_what_a_tool_returns_can_be_said() -> None:
    seen: list[object] = []

    def room(args: dict[str, object]) -> dict[str, str]:
        seen.append(args["hotel"])
        return {"id": "r9"}

    story = simulate(TRIP, TOOLS, seed=1, faults=CALM, returns={"rooms.book": room})
    starts = [entry for entry in story.entries if isinstance(entry, e.AttemptStarted)]
    assert bytes(starts[-1].args) == b'{"room":"r9"}'
    assert set(seen) == {"Grand"}


INSIDE = Plan(
    name="inside",
    steps=(
        Step(id="trip", plan=TRIP),
        Step(id="mail", tool="mail.send", args={"room": "r1"}, needs=("trip",)),
    ),
)


@pytest.mark.slow  # forty whole runs
@pytest.mark.requirement("E24")
def test_a_users_sub_plans_are_simulated_with_it() -> None:
    answers = {"rooms.book": {"id": "r7"}}
    told = [simulate(INSIDE, TOOLS, seed=seed, returns=answers) for seed in range(40)]
    for story in told:
        story.check()
    assert any(len(story.runs) > 1 for story in told)


def test_a_saved_plan_is_not_known_to_a_simulation() -> None:
    named = Plan(steps=(Step(id="trip", plan="trip"),))
    with pytest.raises(InputError, match="'trip'"):
        simulate(named, TOOLS, seed=1)


def test_a_plan_that_does_not_check_is_refused() -> None:
    with pytest.raises(PlanError, match=r"rooms\.book"):
        simulate(TRIP, (), seed=1)


def test_faults_can_be_chosen() -> None:
    crashing = Faults(**{**_none(), "crashes": 1.0})
    lives = [simulate(seed=seed, faults=crashing).lives for seed in range(60)]
    assert max(lives) > 2
    for seed in range(20):
        ends = simulate(seed=seed, faults=crashing).entries
        assert not any(isinstance(entry, e.CancelRequested) for entry in ends)


def test_a_story_of_outages_and_deaths_ends() -> None:
    # Somebody whose pause was not heard asked anew in each life: the second pause came after the
    # resume of the first, and nobody was left to resume it.
    simulate(seed=44, faults=Faults(crashes=1.0, outages=0.2)).check()


def _none() -> dict[str, float]:
    return {name: getattr(CALM, name) for name in Faults.__struct_fields__}


# What is said


def test_a_broken_law_says_the_seed_and_tells_the_story() -> None:
    mutant = next(each for each in MUTANTS if each.name == "stutters")
    with mutant.active():
        story = simulate(seed=0)
    with pytest.raises(AssertionError, match="seed 0") as caught:
        story.check()
    assert "the stream is the journal" in str(caught.value)
    assert "RunStarted" in str(caught.value)


@pytest.mark.slow  # a process, and a hundred runs
def test_many_seeds_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "60", "--cores", "1"]) == 0
    assert "60 stories, every law holds" in capsys.readouterr().out
    assert main(["--seeds", "60", "--cores", "1", "--mutant", "undoes_twice"]) == 1
    said = capsys.readouterr().out
    assert "--mutant undoes_twice" in said
    seed = said.partition("seed ")[2].partition(":")[0]
    assert main(["--seed", seed, "--mutant", "undoes_twice"]) == 1
    assert "BROKEN  nothing is taken back twice" in capsys.readouterr().out
    assert main(["--seed", seed]) == 0

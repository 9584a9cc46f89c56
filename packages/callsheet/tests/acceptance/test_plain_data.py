"""Whatever an engine gives back can be told as JSON, by whoever serves it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from callsheet import Context, Engine, Plan, Progress, Step, tool
from callsheet.errors import DeniedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.types import Alert


class Told(Protocol):
    def to_json(self) -> object: ...


@tool("look", effect="read")
async def look(ctx: Context) -> str:
    ctx.progress(0.5, "half")
    return "seen"


@tool("take", cost={"usd": 0.25}, effect="read")
async def take() -> str:
    raise DeniedError("not yours")


PLAN = Plan(
    name="looking",
    steps=(Step(id="look", tool="look"), Step(id="take", tool="take", needs=("look",))),
    on_failure="stop",
)


def keys(told: Told) -> list[str]:
    """The keys of what comes through JSON as it was."""
    plain = told.to_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert isinstance(plain, dict)
    return list(plain)


def all_keys(told: Iterable[Told]) -> set[tuple[str, ...]]:
    return {tuple(keys(each)) for each in told}


async def test_what_comes_back_from_a_run_is_plain_data() -> None:
    alerts: list[Alert] = []
    heard: list[Progress] = []
    async with Engine.in_memory([look, take], on_alert=alerts.append) as engine:
        engine.listen(lambda told: heard.append(told) if isinstance(told, Progress) else None)
        run = await engine.start(PLAN)
        result = await run.wait()
        attempts = await run.attempts()
        calibration = await engine.calibration()
        (head,) = await engine.runs()
        problems = await engine.check(PLAN)
    attempt = ("step", "attempt", "undo", "started_at", "ended_at", "outcome", "error", "cost")
    assert all_keys(attempts) == {attempt}
    assert attempts[-1].to_json()["error"] == {
        "class": "denied",
        "message": "not yours",
        "type": "DeniedError",
    }
    assert all_keys(alerts) == {("kind", "run", "seq", "at", "message", "step")}
    assert all_keys(heard) == {("run", "step", "fraction", "message")}
    foretold = ["runs", "seconds_within", "cost_within", "foretold", "chance", "succeeded"]
    assert keys(calibration) == foretold
    assert keys(head)[:3] == ["run", "plan", "state"]
    assert head.to_json()["state"] == "failed"
    assert result.cause is not None
    assert keys(result.cause) == ["kind", "step", "message"]
    assert "steps" in keys(result)
    assert all_keys(problems) <= {("place", "what", "fix", "severity")}

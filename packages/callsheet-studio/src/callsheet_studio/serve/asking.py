"""What clients ask of the studio, and how it is told: the same over REST and over MCP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from callsheet import Artifact
from callsheet.errors import InputError
from callsheet.types import Problem
from callsheet_studio.model.base import Data
from callsheet_studio.production.made import made_of

if TYPE_CHECKING:
    from callsheet import Result
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Script
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.production.result import Production
    from callsheet_studio.studio import Studio

T = TypeVar("T", bound=Data)

_MARK = "$artifact"
_SECONDS_IN_MINUTE = 60
_MOST_PROBLEMS = 100
_MOST = 2_000
"""Beats, or shots, that are handed in; each may be wrong in a dozen ways."""


async def brief_in(
    studio: Studio,
    vrd: object,
    clarifications: Mapping[str, str] | None = None,
    constraints: Mapping[str, Any] | None = None,
) -> Brief:
    """The brief that is handed in: data, text, or the artifact of an upload.

    Raises:
        InputError: it is wrong, or there is no such artifact.
    """
    handed: str | Mapping[str, object] | Artifact
    if isinstance(vrd, Mapping):
        handed = _artifact(vrd) if _MARK in vrd else vrd
    elif isinstance(vrd, str):
        handed = vrd
    else:
        raise InputError("A brief is a text, an object, or the artifact of an upload.")
    return await studio.read(
        handed, constraints=limits_in(constraints), answers=clarifications or None
    )


def limits_in(constraints: Mapping[str, Any] | None) -> dict[str, object]:
    """Constraints by the names that briefs have for them."""
    given = constraints or {}
    minutes = given.get("max_time_minutes")
    return {
        "max_cost_usd": given.get("max_cost_usd"),
        "deadline": None if minutes is None else f"{minutes * _SECONDS_IN_MINUTE:g}s",
        "quality": given.get("quality_priority"),
    }


def with_limits(brief: Brief, constraints: Mapping[str, Any] | None) -> Brief:
    """A brief that was read before, with other constraints.

    Raises:
        InputError: it cannot be so.
    """
    from callsheet_studio.production.commission import read_brief

    return read_brief(brief, constraints=limits_in(constraints), by="the request")


def edited_script(script: Script, beats: list[dict[str, Any]] | None) -> Script:
    """A script with other beats.

    Raises:
        InputError: they are no beats; every problem, with its place.
    """
    if beats is None:
        return script
    return _edited(script, {"beats": beats}, "beats")


def edited_shots(shots: ShotList, given: list[dict[str, Any]] | None) -> ShotList:
    """A shot list with other shots.

    Raises:
        InputError: they are no shots; every problem, with its place.
    """
    if given is None:
        return shots
    return _edited(shots, {"shots": given}, "shots")


def _edited(made: T, changes: dict[str, Any], what: str) -> T:
    from pydantic import ValidationError

    given = len(changes[what])
    if given > _MOST:
        raise InputError(f"A film has at most {_MOST:,} {what} here, and not {given:,}.")
    try:
        return type(made).model_validate({**made.model_dump(mode="json"), **changes})
    except ValidationError as error:
        problems = [
            Problem(place=".".join(str(part) for part in each["loc"]), what=each["msg"])
            for each in error.errors()[:_MOST_PROBLEMS]
        ]
        first = problems[0]
        raise InputError(
            f"These {what} cannot be read: {first.place}: {first.what}.", problems
        ) from error


# What is told


def script_told(result: Result) -> dict[str, Any]:
    """A script: its beats, and what they are about."""
    made = _whole(result)
    told = made.script.model_dump(mode="json")
    beats = told.pop("beats")
    return {
        "script_id": made.run,
        "beats": beats,
        "metadata": {**told, "report": made.report["summary"]},
        "questions": questions_told(made.brief),
    }


def shots_told(result: Result) -> dict[str, Any]:
    """A shot list, and what it takes to make."""
    made = _whole(result)
    shots = made.shots
    assert shots is not None, "it has succeeded, and this is its last stage"
    places = sorted({shot.set.place for shot in shots.shots})
    things = sorted({thing for shot in shots.shots for thing in shot.things})
    summary = {
        "shots": len(shots.shots),
        "frames": shots.frames,
        "fps": shots.fps,
        "figures": [figure.model_dump(mode="json") for figure in shots.figures],
        "places": places,
        "things": things,
        "setups": len({shot.setup for shot in shots.shots}),
        "pictures": sum(1 for shot in shots.shots if shot.picture is not None),
    }
    listed = [shot.model_dump(mode="json") for shot in shots.shots]
    return {"shot_list_id": made.run, "shots": listed, "asset_summary": summary}


def plan_told(result: Result) -> dict[str, Any]:
    """A production plan: with what each shot is made, for how much, and how long it takes."""
    made = _whole(result)
    plan = made.plan
    assert plan is not None, "it has succeeded, and this is its last stage"
    told = plan.model_dump(mode="json")
    return {
        "production_plan_id": made.run,
        "shot_plans": told["shot_plans"],
        "cost_breakdown": told["cost_breakdown"],
        "timeline_estimate": told["timeline"],
        **{name: told[name] for name in ("summary", "proof", "alternatives", "assumptions")},
    }


def questions_told(brief: Brief) -> list[dict[str, Any]]:
    """What is worth asking about a brief, with the defaults that are taken."""
    from callsheet_studio.brief import questions

    return [each.model_dump(mode="json") for each in questions(brief)]


def _whole(result: Result) -> Production:
    return made_of(result).whole()


def _artifact(named: Mapping[str, object]) -> Artifact:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Artifact).validate_python(dict(named))
    except ValidationError as error:
        raise InputError(
            "The brief is no artifact. Write what the upload was answered with: {$artifact: …}."
        ) from error

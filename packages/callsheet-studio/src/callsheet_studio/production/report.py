"""What is to be said of a production: every check and number, and what nobody has decided."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from callsheet_studio.model.base import LEFT_OUT
from callsheet_studio.script import check_script, coverage
from callsheet_studio.shots import check_continuity, check_shots, violations_per_100_cuts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.model.base import Data
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.plan import ProductionPlan
    from callsheet_studio.model.script import Script
    from callsheet_studio.model.shots import ShotList


def report_on(
    brief: Brief, script: Script, shots: ShotList | None, plan: ProductionPlan | None
) -> dict[str, Any]:
    """All of it, as data for `report.json`. Its `summary` is what is said first."""
    checks: dict[str, Any] = {"script": _script(script, brief)}
    inferred = [*brief.inferred, *script.inferred]
    if shots is not None:
        checks["shots"] = _shots(shots, script)
        inferred += shots.inferred
    if plan is not None:
        checks["plan"] = _plan(plan)
    return {
        "summary": _summary(brief, script, shots, plan, checks),
        "checks": checks,
        "inferred": _plain(inferred),
        "costs": plan.cost_breakdown.model_dump(mode="json") if plan else None,
    }


def with_film(told: dict[str, Any], film: dict[str, Any], sound: dict[str, Any]) -> dict[str, Any]:
    """A report with what was measured on the film."""
    summary = told["summary"] | {
        "violations": told["summary"]["violations"] + len(film["violations"]),
        "film": "failed" if film["violations"] else "passed",
        "loudness": film["loudness"],
    }
    checks = told["checks"] | {"film": film, "sound": sound}
    return told | {"summary": summary, "checks": checks}


def with_pictures(told: dict[str, Any], pictures: dict[str, Any]) -> dict[str, Any]:
    """A report with which shots show what is said."""
    summary = told["summary"] | {"shown": pictures["shares"]["shown"]}
    return told | {"summary": summary, "checks": told["checks"] | {"pictures": pictures}}


def with_writer(
    told: dict[str, Any], writer: dict[str, Any], script: Script, shots: ShotList | None
) -> dict[str, Any]:
    """A report with who has written it: which way was asked for and taken, and what came of it."""
    found: dict[str, Any] = {"asked": "offline", "way": "offline", **writer}
    found["beats"] = dict(Counter(beat.source for beat in script.beats))
    if shots is not None:
        found["shots"] = dict(Counter(shot.source for shot in shots.shots))
    return told | {"summary": told["summary"] | {"writer": found}}


def _script(script: Script, brief: Brief) -> dict[str, Any]:
    measured = coverage(script, brief).model_dump(mode="json")
    return measured | {
        "frame_error": script.beats[-1].end - brief.frames if script.beats else -brief.frames,
        "violations": _plain(check_script(script, brief)),
    }


def _shots(shots: ShotList, script: Script) -> dict[str, Any]:
    return {
        "frame_error": shots.shots[-1].end - script.frames,
        "violations_per_100_cuts": violations_per_100_cuts(shots),
        "continuity": _plain(check_continuity(shots)),
        "violations": _plain(check_shots(shots, script)),
    }


def _plan(plan: ProductionPlan) -> dict[str, Any]:
    return {"proof": plan.proof.model_dump(mode="json"), "assumptions": list(plan.assumptions)}


def _summary(
    brief: Brief,
    script: Script,
    shots: ShotList | None,
    plan: ProductionPlan | None,
    checks: dict[str, Any],
) -> dict[str, Any]:
    found = [
        each
        for stage in ("script", "shots")
        for kind in ("violations", "continuity")
        for each in checks.get(stage, {}).get(kind, ())
    ]
    told: dict[str, Any] = {
        "title": script.title,
        "type": script.type,
        "language": script.language,
        "seconds": brief.content.duration,
        "frames": script.frames,
        "timecode": script.rate.timecode(script.frames),
        "beats": len(script.beats),
        "inferred": len(brief.inferred),
        "violations": len(found),
    }
    if left := [each.value for each in brief.inferred if each.key == LEFT_OUT]:
        told["left_out"] = left
    if shots is not None:
        told["shots"] = len(shots.shots)
    if plan is not None:
        told |= {
            "usd": plan.cost_breakdown.expected,
            "worst_usd": plan.cost_breakdown.worst,
            "makespan_seconds": plan.timeline.makespan,
            "quality": plan.summary.quality,
            "proof": plan.proof.status,
        }
    return told


def _plain(found: Iterable[Data]) -> list[dict[str, Any]]:
    return [each.model_dump(mode="json") for each in found]

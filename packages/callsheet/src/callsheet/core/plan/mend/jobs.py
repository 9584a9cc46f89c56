"""Jobs: lists of steps that are one after the other, as GitHub Actions has them, as one list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.mend.desk import target_of
from callsheet.core.plan.mend.names import slug_of
from callsheet.core.plan.mend.synonyms import STEP
from callsheet.core.plan.mend.values import texts

if TYPE_CHECKING:
    from callsheet.core.plan.mend.desk import Mapping
    from callsheet.core.problem import Place
    from callsheet.core.value import Json


def steps_of_jobs(jobs: dict[str, Mapping]) -> list[tuple[Place, Mapping]]:
    """The steps of all jobs, each with the way to it.

    A step needs the one before it in its job; the first one needs what the job needs.
    """
    last: dict[str, str] = {}
    made: list[tuple[Place, Mapping]] = []
    for name, job in jobs.items():
        before = [last[need] for need in _needs_of(job) if need in last]
        steps = job["steps"]
        for number, step in enumerate(steps if isinstance(steps, list) else []):
            if not isinstance(step, dict):
                continue
            own = _id_of(step, f"{name}_{number + 1}")
            whole: Mapping = {"id": own, **{key: each for key, each in step.items() if key != "id"}}
            if before and not any(target_of(STEP, key)[0] == "needs" for key in step):
                whole["needs"] = [*before]
            made.append(((name, "steps", number), whole))
            before = [own]
        if before:
            last[name] = before[0]
    return made


def _needs_of(job: Mapping) -> list[str]:
    said: Json = next(
        (job[key] for key in job if key == "needs" or target_of(STEP, key)[0] == "needs"), None
    )
    listed = texts(said) if said is not None else []
    return [str(each) for each in listed] if isinstance(listed, list) else []


def _id_of(step: Mapping, otherwise: str) -> str:
    said = step.get("id") or step.get("name")
    return (slug_of(said) if isinstance(said, str) else "") or slug_of(otherwise)

"""Groups of steps: jobs, stages, blocks and lists in a list, as one list with its order said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.mend.conversions import tool_of
from callsheet.core.plan.mend.desk import says, target_of
from callsheet.core.plan.mend.names import bare, slug_of
from callsheet.core.plan.mend.synonyms import GROUPED, IN_PARALLEL, STEP
from callsheet.core.plan.mend.values import texts

if TYPE_CHECKING:
    from callsheet.core.plan.mend.desk import Mapping
    from callsheet.core.problem import Place
    from callsheet.core.value import Json

_DEEPEST = 4


def is_group(each: Json) -> bool:
    """Whether a part of a list of steps holds steps, and is none itself."""
    if isinstance(each, list):
        return bool(each) and all(isinstance(one, dict) for one in each)
    return isinstance(each, dict) and group_in(each) is not None


def group_in(each: Mapping) -> str | None:
    """The field that holds the steps of a group; None: it is a step."""
    if tool_of(each) is not None or each.get("ask") or each.get("plan"):
        return None
    return next(
        (
            key
            for key, inside in each.items()
            if bare(key) in GROUPED
            and isinstance(inside, list)
            and inside
            and all(isinstance(one, (dict, list)) for one in inside)
        ),
        None,
    )


def steps_of_groups(
    listed: list[Json],
) -> tuple[list[tuple[Place, Mapping]], dict[str, str], list[Place]]:
    """All the steps, each with the way to it; what comes after a group waits for it.

    Then what each group gives, by its name: what its last step does. And what else groups say.
    """
    flat = _Flattening()
    return flat.sequence(listed, (), [])[0], flat.names, flat.said


class _Flattening:
    def __init__(self) -> None:
        self._taken = 0
        self.names: dict[str, str] = {}
        self.said: list[Place] = []

    def sequence(
        self, listed: list[Json], way: Place, before: list[str]
    ) -> tuple[list[tuple[Place, Mapping]], list[str]]:
        """One after the other."""
        made: list[tuple[Place, Mapping]] = []
        for index, each in enumerate(listed):
            found, before = self._one(each, (*way, index), before)
            made += found
        return made, before

    def _beside(
        self, listed: list[Json], way: Place, before: list[str]
    ) -> tuple[list[tuple[Place, Mapping]], list[str]]:
        """All at once."""
        made: list[tuple[Place, Mapping]] = []
        last: list[str] = []
        for index, each in enumerate(listed):
            found, ends = self._one(each, (*way, index), before)
            made += found
            last += ends
        return made, last or before

    def _hear(self, group: Mapping, key: str, way: Place, ends: list[str]) -> None:
        """What a group is called, and what else it says."""
        met = condition_of(group)
        for name, said in group.items():
            if target_of(STEP, name)[0] == "id" or name == "id":
                self.names.update({str(said): ends[-1]} if ends else {})
            elif name not in (key, "needs") and (met is None or said != met):
                self.said.append((*way, name))

    def _one(
        self, each: Json, way: Place, before: list[str]
    ) -> tuple[list[tuple[Place, Mapping]], list[str]]:
        if len(way) > 2 * _DEEPEST:
            return [], before
        if isinstance(each, list):
            return self._beside(each, way, before)
        if not isinstance(each, dict):
            return [], before
        key = group_in(each)
        if key is not None:
            inside = each[key]
            assert isinstance(inside, list)
            walk = self._beside if bare(key) in IN_PARALLEL else self.sequence
            found, ends = walk(inside, (*way, key), before)
            self._hear(each, key, way, ends)
            met = condition_of(each)
            for _, step in found if met is not None else ():
                step.setdefault("when", met)
            return found, ends
        self._taken += 1
        own = id_of(each, f"step_{self._taken}")
        whole: Mapping = {"id": own, **{name: one for name, one in each.items() if name != "id"}}
        if before and not says(each, "needs"):
            whole["needs"] = [*before]
        return [(way, whole)], [own]


def steps_of_jobs(jobs: dict[str, Mapping]) -> list[tuple[Place, Mapping]]:
    """The steps of all jobs, each with the way to it.

    A step needs the one before it in its job; the first one needs what the job needs.
    """
    last: dict[str, str] = {}
    made: list[tuple[Place, Mapping]] = []
    for name, job in jobs.items():
        before = [last[need] for need in _needs_of(job) if need in last]
        key = steps_key(job)
        steps = job[key] if key else []
        met = condition_of(job)
        for number, step in enumerate(steps if isinstance(steps, list) else []):
            if not isinstance(step, dict):
                continue
            own = id_of(step, f"{name}_{number + 1}")
            whole: Mapping = {"id": own, **{key: each for key, each in step.items() if key != "id"}}
            if before and not says(step, "needs"):
                whole["needs"] = [*before]
            if met is not None and not says(step, "when"):
                whole["when"] = met
            if isinstance(steps, list) and len(steps) == 1 and not says(step, "for_each"):
                whole |= {name: job[name] for name in items_of(job)}
            made.append(((name, str(key), number), whole))
            before = [own]
        if before:
            last[name] = before[0]
    return made


def steps_key(job: Mapping) -> str | None:
    """The field in which a job has its steps; None: it is a step itself."""
    return next(
        (key for key, each in job.items() if bare(key) in GROUPED and isinstance(each, list)), None
    )


def condition_of(job: Mapping) -> str | None:
    """When the steps of a job run; None: always, or as what they need."""
    said = next(
        (job[key] for key in job if key == "when" or target_of(STEP, key)[0] == "when"), None
    )
    return said if isinstance(said, str) else None


def items_of(job: Mapping) -> list[str]:
    """The fields in which a job says over what it goes."""
    return [key for key in job if target_of(STEP, key)[0] == "for_each"]


def _needs_of(job: Mapping) -> list[str]:
    said: Json = next(
        (job[key] for key in job if key == "needs" or target_of(STEP, key)[0] == "needs"), None
    )
    listed = texts(said) if said is not None else []
    return [str(each) for each in listed] if isinstance(listed, list) else []


def id_of(step: Mapping, otherwise: str) -> str:
    """An id for a step that may have none."""
    said = step.get("id") or step.get("name")
    return (slug_of(said) if isinstance(said, str) else "") or slug_of(otherwise)

"""Conditions that stand elsewhere: in rules, on edges, in a step that only chooses what is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import patch
from callsheet.core.plan.mend.conditions import condition_in
from callsheet.core.plan.mend.desk import says, write
from callsheet.core.plan.mend.names import bare
from callsheet.core.plan.mend.states import choice_in, is_idle
from callsheet.core.plan.mend.synonyms import NEXT
from callsheet.core.yaml.flow import field

if TYPE_CHECKING:
    from callsheet.core.plan.mend.desk import Desk, Mapping
    from callsheet.core.plan.mend.steps import StepMender
    from callsheet.core.problem import Place
    from callsheet.core.value import Json


class Branches:
    """Puts conditions to the steps that they are about."""

    def __init__(self, desk: Desk, steps: StepMender) -> None:
        self._desk = desk
        self._steps = steps

    def meet(self, steps: list[Json], name: str, said: Json) -> None:
        """A step has a condition that was said elsewhere."""
        index = next(
            (
                at
                for at, each in enumerate(steps)
                if isinstance(each, dict) and each.get("id") == name
            ),
            None,
        )
        text = condition_in(said)
        step = steps[index] if index is not None else None
        if text is None or not isinstance(step, dict) or says(step, "when"):
            return
        way: Place = ("steps", index or 0, "when")
        what = "the condition under which it runs belongs in the step"
        self._desk.tell(way, what, write(field("when", text)), patch.add(way, text))
        step["when"] = text

    def resolve(self, steps: list[Json]) -> None:
        """Steps that only choose are left out: each step says itself when it runs."""
        for step in [each for each in steps if isinstance(each, dict)]:
            key = choice_in(step)
            if key is None:
                self._end(steps, step)
                continue
            rules = step[key]
            assert isinstance(rules, list)
            self._choose(steps, step, rules)

    def _end(self, steps: list[Json], step: Mapping) -> None:
        """A state that only says that this is the end."""
        if not is_idle(step):
            return
        way, own = ("steps", steps.index(step)), str(step.get("id"))
        what = "it calls nothing: a plan ends with its last step"
        self._desk.tell(way, what, "Leave it out.")
        self._desk.report.doubt(way)
        step.clear()
        step.update({"id": own, "ask": "?"})

    def _choose(self, steps: list[Json], step: Mapping, rules: list[Json]) -> None:
        ids, own, index = self._steps.names.ids, str(step.get("id")), steps.index(step)
        before = self._led_to(steps, own)
        met: list[str] = []
        chosen: list[str] = []
        for rule in filter(lambda each: isinstance(each, dict), rules):
            assert isinstance(rule, dict)
            target = _next_of(rule, ids)
            text = condition_in({key: each for key, each in rule.items() if bare(key) not in NEXT})
            if target is not None and text is not None:
                met.append(text)
                chosen.append(target)
                self.meet(steps, target, text)
        default = next((step[name] for name in step if bare(name) in ("default", "else")), None)
        other = ids.get(str(default))
        if other is not None and other not in chosen:
            chosen.append(other)
            if met and not _leads_to(steps, other, ids):
                self.meet(steps, other, f"!({' || '.join(f'({each})' for each in met)})")
        for target in chosen:
            for first in before:
                if first != target:
                    self._steps.precede(steps, ("steps",), _index_of(steps, target), first)
        what = "a plan has no branching steps: each step has its own `when`"
        self._desk.tell(("steps", index), what, "Leave it out.")
        self._desk.report.doubt(("steps", index))
        # Nothing more is held against it.
        step.clear()
        step.update({"id": own, "ask": "?"})

    def _led_to(self, steps: list[Json], own: str) -> list[str]:
        """The steps that lead to one that chooses: now to those that are chosen from."""
        before: list[str] = []
        for each in steps:
            if isinstance(each, dict) and _next_of(each, self._steps.names.ids) == own:
                before.append(str(each["id"]))
                each.update({name: [] for name in each if bare(name) in NEXT})
        return before


def _index_of(steps: list[Json], name: str) -> int:
    return next(
        index
        for index, each in enumerate(steps)
        if isinstance(each, dict) and each.get("id") == name
    )


def _next_of(step: Mapping, ids: dict[str, str]) -> str | None:
    said = next((step[name] for name in step if bare(name) in NEXT), None)
    return ids.get(said) if isinstance(said, str) else None


def _leads_to(steps: list[Json], name: str, ids: dict[str, str]) -> bool:
    """Whether a step leads there, too."""
    return any(isinstance(each, dict) and _next_of(each, ids) == name for each in steps)

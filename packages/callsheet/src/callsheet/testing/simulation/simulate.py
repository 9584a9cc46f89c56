"""`simulate`: one story from one seed, judged by all laws."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import value
from callsheet.core.plan.read import read_plan
from callsheet.core.plan.subplan import saved_names
from callsheet.errors import InputError
from callsheet.testing.simulation.faults import CALM, Faults
from callsheet.testing.simulation.laws import LAWS
from callsheet.testing.simulation.laws_children import LAWS_OF_CHILDREN
from callsheet.testing.simulation.laws_forks import LAWS_OF_FORKS
from callsheet.testing.simulation.laws_kept import LAWS_OF_KEEPING
from callsheet.testing.simulation.laws_outside import LAWS_OUTSIDE
from callsheet.testing.simulation.outside import made_up
from callsheet.testing.simulation.plans import cast, draw_plan
from callsheet.testing.simulation.sample import sampled
from callsheet.testing.simulation.story import Setting
from callsheet.testing.simulation.tales import tales_of
from callsheet.testing.simulation.telling import tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from callsheet.core.past.result import Result
    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.value import Json
    from callsheet.testing.simulation.story import Story
    from callsheet.testing.simulation.tale import Tale
    from callsheet.tools.registry import AnyTool

HORIZON = 300.0
"""Simulated seconds in which every story ends whose plan is drawn."""
PATIENCE = 20_000.0
"""The same for a plan of one's own, which may hang for ten minutes a call."""
COMPARED = 8
"""One story in so many is told again without any fault, and must come to the same."""


class Broken(msgspec.Struct, frozen=True, kw_only=True):
    """A law that does not hold in a story."""

    law: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """A story that has been told."""

    seed: int
    plan: Plan
    entries: Sequence[AnyEntry]
    runs: Mapping[str, Sequence[AnyEntry]]
    """The entries of every run: of the plan, of its sub-plans, of its forks."""
    result: Result | None
    """None: it did not end."""
    lives: int
    """Processes that it took."""
    seconds: float
    """Simulated."""
    broken: tuple[Broken, ...]
    told: Sequence[tuple[float, str | Callable[[], str]]] = field(repr=False)

    @property
    def lines(self) -> list[str]:
        """The story, line by line."""
        return [f"{at:9.3f}  {what() if callable(what) else what}" for at, what in self.told]

    def check(self) -> None:
        """Do nothing if every law holds.

        Raises:
            AssertionError: one does not; with the seed, and the whole story.
        """
        if self.broken:
            laws = "\n".join(f"{each.law.replace('_', ' ')}: {each.what}" for each in self.broken)
            story = "\n".join(self.lines)
            raise AssertionError(f"seed {self.seed}\n{laws}\n{story}")


def simulate(
    plan: Plan | Mapping[str, object] | None = None,
    tools: Iterable[AnyTool] | None = None,
    inputs: Mapping[str, Json] | None = None,
    *,
    seed: int,
    faults: Faults | None = None,
    returns: Mapping[str, object] | None = None,
) -> Simulated:
    """Tell one story: run a plan on the real engine while everything goes wrong that may.

    Nobody's tools are called: they are played by what they declare. The same arguments tell the
    same story, every time and everywhere.

    Args:
        plan: what is run; None: a plan drawn from the seed, on tools that come with it.
        tools: the tools that the plan names.
        inputs: of the run.
        seed: what everything is drawn from.
        faults: how often things go wrong; None: as `Faults()` says.
        returns: by tool, what it returns, or a function of its arguments that says so; JSON. A tool
            that is not here returns something that fits its declared output.

    Raises:
        PlanError: the plan does not check against the tools.
        InputError: it has steps that name saved plans, which are not known here.
    """
    random = Random(seed)  # noqa: S311 -- everybody is meant to foresee it
    # A plan of one's own is started whole, unless its owner says otherwise.
    mild = faults or (Faults() if plan is None else Faults(openness=0.0))
    setting = Setting(
        plan=draw_plan(random) if plan is None else read_plan(plan),
        tools=cast() if plan is None else tuple(tools or ()),
        inputs=inputs or {},
        answers=made_up if plan is None else _answers(returns or {}),
        horizon=HORIZON if plan is None else PATIENCE,
    )
    saved = next(saved_names(setting.plan), None)
    if saved is not None:
        raise InputError(
            f"The saved plan {saved!r} is not known here. Write that plan itself into its step."
        )
    story = tell(random, mild, setting)
    tales = tales_of(story)
    tale = tales[0]
    broken = [broken for each in tales for broken in _judge(each)]
    if seed % COMPARED == 0 and _is_comparable(tale):
        broken += _compare(story, tell(Random(seed), CALM, setting))  # noqa: S311 -- see above
    return Simulated(
        seed=seed,
        plan=setting.plan,
        entries=tale.entries,
        runs={each.run: each.entries for each in tales},
        result=story.result,
        lives=story.lives,
        seconds=story.now,
        broken=tuple(broken),
        told=tuple(story.told),
    )


def _judge(tale: Tale) -> Iterator[Broken]:
    whose = "" if tale.run == tale.story.run else f"{tale.run}: "
    for law in (
        *LAWS_OUTSIDE,
        *((*LAWS, *LAWS_OF_FORKS, *LAWS_OF_CHILDREN, *LAWS_OF_KEEPING) if tale.entries else ()),
    ):
        try:
            found = list(law(tale))
        except (KeyError, AttributeError, IndexError, TypeError, ValueError) as exc:
            # A journal so broken that not even the law can be read over it.
            found = [f"the journal makes no sense: {exc!r}"]
        for what in found:
            yield Broken(law=law.__name__, what=whose + what)


def _is_comparable(tale: Tale) -> bool:
    """Whether nobody and nothing had a lasting say in how it went."""
    if tale.result is None or tale.result.state != "succeeded" or tale.result.problems:
        return False
    if tale.story.outside.is_upgraded(tale.story.lives) or tale.plan.budget:
        return False
    # Sub-plans have budgets, and what calls cost is another matter of chance.
    nested = any(step.plan is not None for step in tale.plan.steps)
    return not (nested or tale.story.interfered or tale.story.people.denied)


def _compare(story: Story, calm: Story) -> Iterator[Broken]:
    """An undisturbed run of the same plan comes to the same output."""
    assert story.result is not None, "only a story with an end is compared"
    mine, other = story.result.output, calm.result.output if calm.result else None
    if value.digest(mine) != value.digest(other):
        what = f"undisturbed the output is {other!r}, here it is {mine!r}"
        yield Broken(law="faults_do_not_change_the_result", what=what)


def _answers(
    returns: Mapping[str, object],
) -> Callable[[ToolSpec, dict[str, Json]], Json]:
    def answer(spec: ToolSpec, args: dict[str, Json]) -> Json:
        if spec.name not in returns:
            return sampled(spec.output_schema or {})
        given = returns[spec.name]
        # Through the codec: what it returns is JSON, whatever it is in Python.
        return value.decode(value.encode(given(args) if callable(given) else given))

    return answer

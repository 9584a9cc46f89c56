"""What is checked: a plan, step by step, each with its tool and its references."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec

from callsheet.core.plan.mend.conversions import Names
from callsheet.core.plan.plan import Plan, Step
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.problem import Place
from callsheet.core.refs.references import Prepared
from callsheet.core.schema.validate import Lexicon
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Iterator

SpecOf: TypeAlias = Callable[[str], "ToolSpec | None"]


# Not tracked by the collector: a plan has thousands of them, and none is part of a cycle.
class Part(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """A value of the plan that may hold references."""

    place: Place
    value: Json
    prepared: Prepared
    roots: frozenset[str]
    """What its references may start with."""
    broken: frozenset[Place]
    """Where references stand that could not be understood."""
    lost: bool
    """Whether a reference in it, as it was written, certainly led nowhere."""
    vague: bool
    """Whether nobody says what some reference gives."""


class Subject(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """One step under the eyes of the checker."""

    index: int
    step: Step
    spec: ToolSpec | None
    """None: it calls no tool, or one that is not known."""
    undo: ToolSpec | None
    """The tool that would take it back."""
    parts: dict[str, Part]
    """By the field they stand in."""
    needs: list[str]
    """The ids of the steps it waits for, in the order they are named."""
    is_child: bool = False
    """Whether it is a run of its own: a sub-plan, or the work of an agent."""
    child: Plan | None = None
    """The plan of that run; None: it has none, or none that is known."""

    @property
    def place(self) -> Place:
        """Where the step stands."""
        return ("steps", self.index)


class Standing(Protocol):
    """A step that is there already, and was checked when it came."""

    @property
    def step(self) -> Step:
        """What it is."""
        ...


class Survey(msgspec.Struct, kw_only=True):
    """The plan, step by step."""

    plan: Plan
    subjects: tuple[Subject, ...]
    by_id: Mapping[str, Subject]
    """Also those that were there before, where only some are checked."""
    names: Names
    """What the steps are called in the document."""
    ids: Mapping[str, str]
    """Every name that a step may be referred to with, to its id."""
    lexicon: Lexicon
    """What the schemas say, asked once for each place."""
    output: Part
    declaring: set[str] = msgspec.field(default_factory=set)
    """Inputs that problems declare, and the plan does not."""
    guesses: int = 0
    """How often it was guessed what a name stands for."""
    sentences: tuple[tuple[str, str], ...] | None = None
    """Those of the names that have spaces in them, to the ids; None: nobody has asked yet."""

    @property
    def parts(self) -> Iterator[tuple[Subject | None, Part]]:
        """Every value that may hold references, with the step it belongs to."""
        for subject in self.subjects:
            for part in subject.parts.values():
                yield subject, part
        yield None, self.output

"""A story as evidence: what the journal says, what was seen outside, what people were told.

Nothing here asks the core what it thinks of a plan or of an entry. The laws are stated over the
plain facts, so that a mistake of the core cannot excuse itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, structs

from callsheet.core import value
from callsheet.core.plan.plan import Cost, Plan
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.run import entries as e
from callsheet.testing.simulation.disk import digests_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from callsheet.core.past.result import Result
    from callsheet.core.plan.plan import Step
    from callsheet.core.value import Json
    from callsheet.testing.simulation.forking import Fork
    from callsheet.testing.simulation.outside import Effect, Visit
    from callsheet.testing.simulation.story import Story

UNDONE = "undo of a run"
"""What takes a step back that is a plan."""
_STEP = re.compile(r"\bsteps\.([a-z][a-z0-9_]*)")


def name_of(key: str) -> str:
    """The plan's name of a step, or of an item of one."""
    return key.partition("[")[0]


@dataclass(slots=True, eq=False)
class Try:
    """One attempt, or one undo, as the journal tells it."""

    step: str
    attempt: int
    undo: bool
    start: e.AttemptStarted | e.UndoStarted
    began: int
    """Number of the entry."""
    end: e.AttemptEnded | e.UndoEnded | None = None
    ended: int = 0
    """Number of the entry; 0: it has none."""

    @property
    def went_well(self) -> bool:
        """Whether it has succeeded."""
        return self.end is not None and self.end.outcome == "succeeded"

    @property
    def is_unbegun(self) -> bool:
        """Whether the engine was closed before the call was made: it counts for nothing."""
        sure = self.end is not None and self.end.error is not None
        return sure and self.end is not None and self.end.outcome == "lost"

    def is_open_at(self, seq: int) -> bool:
        """Whether it had started and not ended before an entry."""
        return self.began < seq and not (self.ended and self.ended < seq)


@dataclass(eq=False)
class Tale:
    """Everything that the laws look at."""

    run: str
    plan: Plan
    specs: Mapping[str, ToolSpec]
    entries: Sequence[e.AnyEntry]
    bodies: Sequence[bytes]
    """The entries as they lie on the disk."""
    story: Story
    result: Result | None
    fork: Fork | None = None
    """What somebody wanted, if it is a fork."""
    source: Tale | None = None
    """The run that it was forked from."""
    parent: Tale | None = None
    """The run of which it is a step."""
    children: dict[str, Tale] = field(default_factory=dict)
    """The runs that are steps of this one."""
    others: dict[str, Tale] = field(default_factory=dict)
    """All runs of the story, by their ids."""
    visits: list[Visit] = field(default_factory=list)
    """Every call that it made."""
    effects: list[Effect] = field(default_factory=list)
    """Everything that stood because of these."""
    tries: dict[str, list[Try]] = field(default_factory=dict)
    """Attempts per step, in the order they began."""
    undos: dict[str, list[Try]] = field(default_factory=dict)
    strays: list[str] = field(default_factory=list)
    """Ends that fit no start, starts while another was open."""

    def __post_init__(self) -> None:
        for seq, entry in enumerate(self.entries, 1):
            if isinstance(entry, (e.AttemptStarted, e.UndoStarted)):
                self._start(seq, entry)
            elif isinstance(entry, (e.AttemptEnded, e.UndoEnded)):
                self._end(seq, entry)

    def _start(self, seq: int, entry: e.AttemptStarted | e.UndoStarted) -> None:
        undo = isinstance(entry, e.UndoStarted)
        book = (self.undos if undo else self.tries).setdefault(entry.step, [])
        if book and not book[-1].ended:
            self.strays.append(f"{entry.step} starts at {seq} while an attempt is open")
        if not undo and entry.attempt != len(book) + 1:
            self.strays.append(f"{entry.step}: attempt {entry.attempt} after {len(book)}")
        book.append(Try(entry.step, entry.attempt, undo, entry, seq))

    def _end(self, seq: int, entry: e.AttemptEnded | e.UndoEnded) -> None:
        undo = isinstance(entry, e.UndoEnded)
        book = (self.undos if undo else self.tries).get(entry.step, [])
        if book and not book[-1].ended and book[-1].attempt == entry.attempt:
            book[-1].end, book[-1].ended = entry, seq
        elif not (undo and entry.outcome == "failed"):
            # An undo that cannot even be resolved fails without a start.
            self.strays.append(f"{entry.step}: attempt {entry.attempt} ends at {seq}, unstarted")

    # The plan, read plainly

    @cached_property
    def steps(self) -> dict[str, Step]:
        """The plan's steps by name."""
        return {step.id: step for step in self.plan.steps}

    def step(self, key: str) -> Step:
        """The plan's step behind a key."""
        return self.steps[name_of(key)]

    @cached_property
    def needs(self) -> dict[str, set[str]]:
        """For each step, the steps it names or refers to."""
        found = {}
        for step in self.plan.steps:
            text = msgspec.json.encode(
                [
                    None if step.literal else step.args,
                    step.for_each,
                    step.when,
                    step.ask,
                    step.touches,
                    step.undo,
                ]
            ).decode()
            found[step.id] = set(step.needs) | set(_STEP.findall(text))
        return found

    @cached_property
    def above(self) -> dict[str, set[str]]:
        """For each step, everything that it was built on, directly or not."""
        found: dict[str, set[str]] = {}
        for step in self._sorted():
            mine = set(self.needs[step])
            for need in self.needs[step]:
                mine |= found[need]
            found[step] = mine
        return found

    def _sorted(self) -> list[str]:
        done: dict[str, None] = {}

        def visit(step: str) -> None:
            if step not in done:
                for need in sorted(self.needs[step]):
                    visit(need)
                done[step] = None

        for step in self.steps:
            visit(step)
        return list(done)

    def spec(self, key: str) -> ToolSpec:
        """What the tool of a step declares; a plan is like one that writes."""
        step = self.step(key)
        if isinstance(step.plan, Plan):
            most = step.plan.budget.usd if step.plan.budget else None
            own = step.ceiling.usd if step.ceiling else None
            usd = min((each for each in (most, own) if each), default=0.0)
            return ToolSpec(name=UNDONE, effect="write", undo=UNDONE, ceiling=Cost(usd=usd))
        return self.specs[step.tool or ""]

    def undo_tool(self, key: str) -> str | None:
        """What takes a step back."""
        own, spec = self.step(key).undo, self.spec(key)
        if spec.effect == "read" or own == "none":
            return None
        return own.tool if own is not None else spec.undo

    def is_repeatable(self, key: str) -> bool:
        """Whether calling it twice does no harm."""
        if self.step(key).plan is not None:
            return True  # what became of it is never unknown
        own, spec = self.step(key).idempotent, self.spec(key)
        return spec.effect == "read" or (spec.idempotent if own is None else own)

    @cached_property
    def touches(self) -> dict[str, tuple[str, ...]]:
        """What steps touch, when that was known only while it ran."""
        return {
            entry.step: entry.touches
            for entry in self.entries
            if isinstance(entry, e.StepDecided) and entry.touches is not None
        }

    def touched_by(self, key: str) -> set[str]:
        """What a step touches."""
        found = self.touches.get(key) or self.touches.get(name_of(key))
        return set(self.step(key).touches if found is None else found)

    # The journal, read plainly

    def all_tries(self) -> list[Try]:
        """All attempts of all steps, in the order they began."""
        return sorted((t for book in self.tries.values() for t in book), key=lambda t: t.began)

    @cached_property
    def answers(self) -> dict[str, list[tuple[int, str]]]:
        """Per step, the answers to its doubts and approvals, with their places."""
        found: dict[str, list[tuple[int, str]]] = {}
        for seq, entry in enumerate(self.entries, 1):
            if isinstance(entry, e.AnswerRecorded):
                word = bytes(entry.answer).decode().strip('"')
                found.setdefault(entry.step, []).append((seq, word))
        return found

    def said(self, step: str, word: str, *, before: int | None = None) -> int:
        """How often a person gave this answer about a step."""
        last = len(self.entries) + 1 if before is None else before
        return sum(seq < last and told == word for seq, told in self.answers.get(step, ()))

    @cached_property
    def copies(self) -> list[e.StepCopied]:
        """What it has taken over from another run."""
        return [entry for entry in self.entries if isinstance(entry, e.StepCopied)]

    def value(self, entry: e.AnyEntry, name: str) -> Json:
        """A value of an entry; a large one lies beside the journal."""
        digest = (entry.stored or {}).get(name)
        if digest is None:
            return value.decode(getattr(entry, name))
        return value.decode(Raw(self.story.kept(digest)))

    def whole_bodies(self) -> list[bytes]:
        """The entries as they are told: with every value in its place."""
        return [
            e.encode(self._whole(entry)) if digests_of(entry) else body
            for entry, body in zip(self.entries, self.bodies, strict=True)
        ]

    def _whole(self, entry: e.AnyEntry) -> e.AnyEntry:
        found: dict[str, object] = {
            name: Raw(self.story.kept(digest)) for name, digest in (entry.stored or {}).items()
        }
        undo: e.UndoCall | None = getattr(entry, "undo", None)
        if undo is not None and undo.stored:
            args = Raw(self.story.kept(undo.stored))
            found["undo"] = structs.replace(undo, args=args, stored="")
        return structs.replace(entry, **found, stored=None)

    @cached_property
    def is_repeat(self) -> bool:
        """Whether somebody wanted the same plan run once more."""
        started = self.started
        repeats = self.story.forks.repeats
        return any((each.key, each.tenant) == (started.key, started.tenant) for each in repeats)

    @cached_property
    def end(self) -> e.RunEnded | None:
        """The last end of the run."""
        return next((x for x in reversed(self.entries) if isinstance(x, e.RunEnded)), None)

    def family(self) -> Iterator[Tale]:
        """It, and all that are steps of it, and of those."""
        yield self
        for child in self.children.values():
            yield from child.family()

    @property
    def started(self) -> e.RunStarted:
        """How it began.

        Raises:
            TypeError: it did not.
        """
        first = self.entries[0]
        if not isinstance(first, e.RunStarted):
            raise TypeError(first)
        return first

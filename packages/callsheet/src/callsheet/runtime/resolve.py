"""Turning a step's references into values, just before they are needed.

The core never does this: it is told what came of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, structs

from callsheet.core import value
from callsheet.core.ids import StepId, child_run, idempotency_key
from callsheet.core.past.became import outcome_of
from callsheet.core.plan.plan import MAX_ITEMS, Undo
from callsheet.core.refs.expression import is_true
from callsheet.core.refs.references import (
    Condition,
    Prepared,
    as_data,
    missing_field,
    prepare,
    prepare_condition,
)
from callsheet.core.run.entries import DECLARED_CONDITIONS, UndoCall
from callsheet.core.schema import validate as schema
from callsheet.core.schema.shape import at
from callsheet.errors import CallsheetError, InvalidError
from callsheet.runtime.secrets import names_as_values, put_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.core.past.outputs import Outputs
    from callsheet.core.refs.expression import Scope
    from callsheet.core.run.graph import Graph, PlannedStep
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import StepRun
    from callsheet.core.value import Json
    from callsheet.ports import Toolbox


class _Templates(msgspec.Struct, frozen=True):
    """A step's parts that may hold references, prepared once."""

    args: Prepared
    constant: Raw | None
    """The arguments as JSON, when nothing in them has to be resolved."""
    when: Condition | None
    for_each: Prepared | None
    touches: Prepared
    undo: Prepared | None
    secrets: tuple[str, ...]
    """The names of those in the arguments."""


class Templates:
    """The prepared parts of a plan's steps. Shared by all runs of the plan."""

    def __init__(self, graph: Graph, toolbox: Toolbox) -> None:
        self.graph = graph
        self._toolbox = toolbox
        self._prepared: dict[str, _Templates] = {}

    def of(self, planned: PlannedStep) -> _Templates:
        """A step's parts."""
        found = self._prepared.get(planned.id)
        if found is None:
            found = self._prepared[planned.id] = self._prepare(planned)
        return found

    def taken_by(self, planned: PlannedStep, given: dict[str, Json]) -> dict[str, Json]:
        """Of what an undo is given, the part that its tool declares to take."""
        spec = self._toolbox.spec(planned.undo_tool or "")
        taken = spec.input_schema if spec else {}
        properties = taken.get("properties")
        names = set(properties) if isinstance(properties, dict) else set()
        if (
            not isinstance(planned.step.undo, Undo)
            and taken.get("additionalProperties") is not False
        ):
            # It takes anything, and its tool names it: it has always been given these.
            names |= {"args", "output", "key"}
        return {name: part for name, part in given.items() if name in names}

    def must_be_declared(self, condition: Condition, scope: Scope) -> None:
        """Refuse a condition on a field that its producer never gives: it is misspelt, not false.

        Raises:
            InvalidError: the field is not there, and the schema of what is says it never is.
        """
        path = condition.references[0].path
        missing = missing_field(path, scope)
        if path is None or missing is None or path[0] != "steps":
            return
        producer = self.graph.steps.get(StepId(str(path[1])))
        tool = producer.step.tool if producer and producer.step.for_each is None else None
        spec = self._toolbox.spec(tool) if tool else None
        if spec and spec.output_schema and at(spec.output_schema, path[2:]) is False:
            raise InvalidError(f"when: ${{{condition.references[0].text}}} is null: {missing}.")

    def _prepare(self, planned: PlannedStep) -> _Templates:
        step = planned.step
        spec = self._toolbox.spec(step.tool) if step.tool else None
        known = spec.input_schema if spec else {}
        if step.literal:
            args = as_data(dict(step.args))
        else:
            args = prepare(dict(step.args), nullable=lambda place: schema.allows_null(known, place))
        undo = step.undo if isinstance(step.undo, Undo) else None
        return _Templates(
            args=args,
            constant=Raw(value.encode(args.content)) if args.constant else None,
            when=prepare_condition(step.when) if step.when is not None else None,
            for_each=prepare(step.for_each) if step.for_each is not None else None,
            touches=prepare(list(step.touches)),
            # Without arguments of its own it is given what its tool asks for.
            undo=prepare(dict(undo.args), nullable=lambda _: True) if undo and undo.args else None,
            secrets=args.secrets,
        )


class Resolver:
    """Resolves the references of one run."""

    def __init__(self, snapshot: Snapshot, outputs: Outputs, templates: Templates) -> None:
        self._snapshot = snapshot
        self.outputs = outputs
        self._templates = templates

    def args(self, step: StepRun) -> Raw:
        """A step's arguments as JSON.

        What it saw when it first started, or when its call was approved, is what it sees: under one
        key, a tool is never called with other arguments.

        Raises:
            InvalidError: a reference gave null where the tool does not take it.
        """
        if (step.attempts or step.approved) and (known := self.outputs.args.get(step.key)):
            return known
        templates = self._templates.of(step.planned)
        if templates.constant is not None:
            return templates.constant
        return Raw(value.encode(templates.args.resolve(self._scope(step, templates.args))))

    def secrets_of(self, step: StepRun, *, undo: bool = False) -> tuple[str, ...]:
        """The names of the secrets that a step's call, or its undo's, is given."""
        templates = self._templates.of(step.planned)
        if not undo or templates.undo is None:
            # An undo that its tool names is given the arguments of the call.
            return templates.secrets
        given = templates.secrets if "args" in templates.undo.roots else ()
        return (*templates.undo.secrets, *given)

    def revealed(self, step: StepRun, secrets: Mapping[str, str], *, undo: bool = False) -> Json:
        """The arguments of a call with the secrets in them: for the tool, and for nobody else."""
        templates = self._templates.of(step.planned)
        known: dict[str, Json] = {"secrets": {**secrets}}
        args = self._revealed_args(step, templates.args, secrets)
        if not undo:
            return args
        own = {**self._own(step, self.outputs.value(step.key)), "args": args}
        if templates.undo is None:
            return self._templates.taken_by(step.planned, own)
        return templates.undo.resolve({**self._scope(step, templates.undo), **own, **known})

    def _revealed_args(self, step: StepRun, template: Prepared, secrets: Mapping[str, str]) -> Json:
        scope = self._scope(step, template)
        written = value.decode(self.outputs.args[step.key])
        if template.resolve(scope) == written:
            return template.resolve({**scope, "secrets": {**secrets}})
        # What it refers to has changed since it first started: it is given what it saw then.
        return put_in(written, template, secrets)

    def when(self, step: StepRun) -> bool:
        """Whether a step's condition holds; one without a condition runs."""
        condition = self._templates.of(step.planned).when
        if condition is None:
            return True
        scope = self._scope(step, condition)
        found = condition.value(scope)
        if found is None and DECLARED_CONDITIONS in self._snapshot.flags:
            self._templates.must_be_declared(condition, scope)
        return is_true(found)

    def touches(self, step: StepRun) -> tuple[str, ...] | None:
        """The keys a step touches, if they had to be resolved."""
        if not step.planned.dynamic_touches:
            return None
        template = self._templates.of(step.planned).touches
        keys = template.resolve(self._scope(step, template))
        return tuple(dict.fromkeys(map(_as_key, keys if isinstance(keys, list) else [keys])))

    def items(self, step: StepRun) -> list[Json]:
        """What a `for_each` goes over."""
        template = self._templates.of(step.planned).for_each
        items = template.resolve(self._scope(step, template)) if template else []
        if not isinstance(items, list):
            kind = type(items).__name__
            raise InvalidError(f"for_each of {step.key!r} gave a value of type {kind}, not a list.")
        if len(items) > MAX_ITEMS:
            raise InvalidError(
                f"for_each of {step.key!r} has {len(items)} items; at most {MAX_ITEMS} are allowed."
            )
        return items

    def text(self, step: StepRun) -> str:
        """A question's text."""
        prepared = prepare(step.planned.step.ask or "")
        return _as_key(prepared.resolve(self._scope(step, prepared)))

    def output(self) -> Json:
        """The run's output; null where nothing is known."""
        said = self._snapshot.output
        wanted = self._snapshot.graph.plan.output if said is None else said
        if wanted is None:
            return None
        prepared = prepare(wanted, nullable=lambda _: True)
        scope: dict[str, Json] = {"inputs": self.outputs.inputs, "steps": self._steps(prepared)}
        if prepared.outcomes:
            scope["outcomes"] = self._became(prepared)
        return prepared.resolve(scope)

    def undo_template(self, step: StepRun, args: Raw) -> UndoCall | None:
        """The undo of an attempt that is about to start, as far as it can be known."""
        planned = step.planned
        if planned.undo_tool is None:
            return None
        if planned.is_child:
            run: Json = {"run": child_run(self._snapshot.run, step.key)}
            return UndoCall(tool=planned.undo_tool, args=Raw(value.encode(run)), resolved=True)
        prepared = self._templates.of(planned).undo
        if prepared is None:
            template: Json = {"args": value.decode(args), "key": self._key(step)}
            return UndoCall(tool=planned.undo_tool, args=Raw(value.encode(template)))
        undo = planned.step.undo
        written = undo.args if isinstance(undo, Undo) else {}
        needs_output = "output" in prepared.roots
        return UndoCall(
            tool=planned.undo_tool, args=Raw(value.encode(written)), needs_output=needs_output
        )

    def undo_of(self, step: StepRun, output: Json) -> UndoCall | None:
        """The undo of an attempt that succeeded, resolved, or with why it cannot be."""
        if step.undo is not None and step.undo.resolved:
            return step.undo
        try:
            return self._resolve_undo(step, output)
        except CallsheetError as exc:
            return structs.replace(step.undo, error=exc.message) if step.undo else None

    def resolved_undo(self, step: StepRun, undo: UndoCall) -> UndoCall:
        """An undo that is due, with everything in it that can be known by now."""
        if undo.resolved:
            return undo
        return self._resolve_undo(step, self.outputs.value(step.key)) or undo

    def _resolve_undo(self, step: StepRun, output: Json) -> UndoCall | None:
        planned = step.planned
        if planned.undo_tool is None:
            return None
        own = self._own(step, output)
        prepared = self._templates.of(planned).undo
        if prepared is None:
            taken = self._templates.taken_by(planned, own)
            return UndoCall(tool=planned.undo_tool, args=Raw(value.encode(taken)), resolved=True)
        resolved = prepared.resolve({**self._scope(step, prepared), **own})
        return UndoCall(tool=planned.undo_tool, args=Raw(value.encode(resolved)), resolved=True)

    def _own(self, step: StepRun, output: Json) -> dict[str, Json]:
        """What an undo knows of the call that it takes back."""
        args = value.decode(self.outputs.args[step.key])
        saved = self.outputs.left(step.key)
        return {"args": args, "output": output, "key": self._key(step), "saved": saved}

    def _key(self, step: StepRun) -> str:
        return idempotency_key(self._snapshot.run, step.key)

    def _scope(self, step: StepRun, prepared: Prepared | Condition) -> dict[str, Json]:
        scope: dict[str, Json] = {
            "inputs": self.outputs.inputs,
            "steps": self._steps(prepared),
        }
        if prepared.outcomes:
            scope["outcomes"] = self._became(prepared)
        if step.index is not None:
            scope["item"] = self.outputs.item(step.planned.id, step.index)
        if "secrets" in prepared.roots:
            assert isinstance(prepared, Prepared), "a condition knows no secrets"
            scope["secrets"] = names_as_values(prepared.secrets)
        return scope

    def _became(self, prepared: Prepared | Condition) -> Json:
        outputs = self.outputs
        return {step: outcome_of(self._snapshot, outputs, step) for step in prepared.outcomes}

    def _steps(self, prepared: Prepared | Condition) -> Json:
        return {step: self.outputs.value(step) for step in prepared.steps}


def _as_key(found: Json) -> str:
    return found if isinstance(found, str) else value.encode(found).decode()

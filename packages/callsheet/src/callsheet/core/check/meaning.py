"""What a path was meant to be: the step, input or item it starts from, and the fields there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core import patch
from callsheet.core.check.produced import produced
from callsheet.core.plan.mend.expression import Meaning, spell_path
from callsheet.core.plan.mend.names import closest, name_for, slug_of, words
from callsheet.core.plan.mend.synonyms import (
    FROM_OUTSIDE,
    INPUT_ROOTS,
    ITEM_ROOTS,
    OUTCOME_FIELDS,
    STEP_ROOTS,
    WRAPPERS,
)
from callsheet.core.problem import MAX_SUGGESTIONS, one_of, show
from callsheet.core.refs.syntax import NAMING_STEPS
from callsheet.core.schema.shape import KINDS, in_words, kinds_of
from callsheet.core.schema.validate import properties_at

if TYPE_CHECKING:
    from callsheet.core.check.survey import Subject, Survey
    from callsheet.core.plan.mend.expression import Parts
    from callsheet.core.problem import Place
    from callsheet.core.refs.expression import Expression
    from callsheet.core.schema.shape import Schema
    from callsheet.core.value import Json

_LENGTHS = frozenset(("length", "count", "size", "len", "total"))
_SURELY = frozenset(("output", "outputs", "result"))
_DEEPEST = 3
_BEFORE = frozenset(
    ("$input", "$json", "json", "last", "observation", "prev", "previous", "previous_step")
)
"""What others call the output of the step before."""
_FIELD_OF_STEP = 3
"""How long a path is that names a field of what a step gives."""


class _Way(msgspec.Struct):
    """A path as it is put together."""

    path: list[str | int]
    certain: bool = True
    counted: bool = False
    """Its length is meant."""


class Lost(msgspec.Struct, frozen=True):
    """Where a path leaves what is known to be there."""

    what: str
    owner: str
    known: list[str]
    """The fields there are instead."""


def lost(survey: Survey, subject: Subject | None, path: tuple[str | int, ...]) -> Lost | None:
    """Why a path certainly leads nowhere; None: it may, or that is told elsewhere."""
    if produced(survey, subject, path) is not False:
        return None
    first = 1 if path[0] == "item" else 2
    length = next(
        n for n in range(first, len(path) + 1) if produced(survey, subject, path[:n]) is False
    )
    if length == 1:
        return None
    parent, name = path[: length - 1], path[length - 1]
    owner = produced(survey, subject, parent)
    if owner is None or owner is False:
        # Not even that is there; it is told where it was introduced.
        return None
    spelled, kinds = spell_path(parent), kinds_of(owner)
    if isinstance(name, str) and "object" not in kinds:
        return Lost(
            f"{spelled} is {kinds_in_words(kinds)} and has no field {show(name)}", spelled, []
        )
    if isinstance(name, int) and "array" not in kinds:
        return Lost(f"{spelled} is {kinds_in_words(kinds)} and has no positions", spelled, [])
    return Lost(f"{spelled} has no {show(name)}", spelled, properties_at(owner, ()))


def undeclared(survey: Survey, subject: Subject | None, path: tuple[str | int, ...]) -> str | None:
    """What to know of a path to a field that nobody declares, where others may be there."""
    first = {"steps": _FIELD_OF_STEP, "item": 2, "output": 2}.get(str(path[0]), len(path) + 1)
    for length in range(first, len(path) + 1):
        owner, name = produced(survey, subject, path[: length - 1]), path[length - 1]
        if not isinstance(name, str) or produced(survey, subject, path[:length]) is not None:
            continue
        spelled = spell_path(path[: length - 1])
        known = properties_at(owner, ()) if isinstance(owner, dict) else []
        is_wrapped = length == first and name in _SURELY and path[0] != "item"
        if known:
            told = f"{spelled} declares no {show(name)}, only {one_of(known)}"
        elif is_wrapped:
            told = f"it is not declared that {spelled} has {show(name)}"
        else:
            return None
        return f"{told}; {spelled} is already the output" if is_wrapped else told
    return None


def kinds_in_words(kinds: frozenset[str]) -> str:
    """Kinds of values, as they stand in a sentence."""
    names = [kind for kind in KINDS if kind in kinds]
    # Every number may be an integer: to say both is to say too much.
    return " or ".join(
        in_words(name) for name in names if name != "integer" or "number" not in names
    )


class Reader:
    """Knows what the paths of one step, or of the plan's output, may lead to."""

    def __init__(self, survey: Survey, subject: Subject | None, *, undo: bool = False) -> None:
        self._survey = survey
        self._subject = subject
        self._undo = undo

    def spelled(self, text: str) -> str:
        """An expression in which steps have their ids: elsewhere names may be whole sentences."""
        survey = self._survey
        if survey.sentences is None:
            survey.sentences = tuple(item for item in survey.ids.items() if " " in item[0])
        for name, meant in survey.sentences:
            text = text.replace(name, meant)
        return text

    def finds(self, parsed: Expression) -> bool | None:
        """Whether all that an expression names is there; None: nobody says of some of it."""
        survey, subject = self._survey, self._subject
        found: bool | None = True
        for path in parsed.paths:
            if not self._is_named(path):
                return False
            gives = produced(survey, subject, path)
            if gives is False:
                return False
            if gives is None:
                found = None
        return found

    def declares(self, parsed: Expression) -> bool:
        """Whether somebody declares all that an expression names."""
        return bool(parsed.paths) and self.finds(parsed) is True

    def exists(self, parsed: Expression) -> bool:
        """Whether nothing in an expression leads nowhere for certain."""
        survey = self._survey
        return all(
            self._is_named(path)
            # With a default it works all the same, and is a warning.
            and (parsed.has_default or lost(survey, self._subject, path) is None)
            for path in parsed.paths
        )

    def __call__(self, parts: Parts) -> Meaning | None:
        """What a path means; None: it starts with nothing that is known here."""
        rooted = self._rooted(parts)
        if rooted is None:
            return None
        way, rest = rooted
        if self._is_outcome(way, parts, rest):
            return Meaning(f"outcomes.{way.path[1]}.state", way.certain)
        for index, part in enumerate(rest):
            if self._step_over(way, part, rest[index + 1 :]):
                continue
            way.path.append(part)
        text = spell_path(tuple(way.path))
        return Meaning(f"length({text})" if way.counted else text, way.certain)

    def _is_outcome(self, way: _Way, parts: Parts, rest: Parts) -> bool:
        """`steps.a.outcome` asks what became of a step, unless it gives a field like that."""
        if len(rest) != 1 or way.path[0] != "steps" or self._undo:
            return False
        name = str(rest[0]).lower()
        owner = produced(self._survey, self._subject, tuple(way.path))
        known = properties_at(owner, ()) if isinstance(owner, dict) else []
        if name not in OUTCOME_FIELDS or name_for(name, known) is not None:
            return False
        if name in ("conclusion", "outcome"):
            return True
        # Elsewhere `result` is the output; behind `needs` it never is.
        return parts[0] == "needs" if name == "result" else bool(known)

    def needed(self) -> list[str]:
        """The steps that this one waits for."""
        return list(self._subject.step.needs) if self._subject is not None else []

    def declared(self, name: str, schema: Json) -> tuple[Place, dict[str, Json] | None]:
        """Where an input is declared, and how; None: it is, or another one must be before."""
        inputs, declaring = self._survey.plan.inputs, self._survey.declaring
        way: Place = ("inputs", name)
        if name in inputs or name in declaring:
            return way, None
        is_first = not inputs and not declaring
        declaring.add(name)
        return way, patch.add(way[:1] if is_first else way, {name: schema} if is_first else schema)

    def reason(self, parsed: Expression) -> str:
        """Why an expression leads nowhere, as far as that is certain."""
        subject = self._subject
        for path in parsed.paths:
            if path[0] in NAMING_STEPS and not self._is_named(path):
                is_own = subject is not None and path[1] == subject.step.id
                return (
                    "a step cannot refer to itself"
                    if is_own
                    else f"there is no step {show(path[1])}"
                )
            if path[0] == "inputs" and not self._is_named(path):
                return f"there is no input {show(path[1])}"
            found = lost(self._survey, subject, path)
            if found is not None:
                return found.what
        return "it leads nowhere"

    def fields(self, parsed: Expression) -> str:
        """The fields there are, where one is named that is not."""
        for path in parsed.paths:
            found = lost(self._survey, self._subject, path)
            if found is not None and found.known:
                return f"{found.owner} has {one_of(found.known)}."
        return ""

    def _is_named(self, path: tuple[str | int, ...]) -> bool:
        survey, subject = self._survey, self._subject
        if path[0] in NAMING_STEPS:
            if self._undo and subject is not None and path[1] == subject.step.id:
                return False
            return path[1] in survey.by_id
        if path[0] == "inputs" and path[1:]:
            return path[1] in survey.plan.inputs
        if path[0] == "item":
            return subject is not None and subject.step.for_each is not None
        return path[0] not in ("args", "output", "key") or self._undo

    # Where it starts

    def _rooted(self, parts: Parts) -> tuple[_Way, Parts] | None:
        aliases, inputs = self._survey.ids, self._survey.plan.inputs
        own = self._own(parts) or self._outcome(parts) or self._numbered(parts)
        if own is not None:
            return own
        for length in range(min(_DEEPEST, len(parts) - 1), -1, -1):
            prefix, name = ".".join(map(str, parts[:length])), str(parts[length])
            rest = parts[length + 1 :]
            # Also by what an id was before it was mended: `$1` for `step_1`, `#E2` for `e2`.
            meant = aliases.get(name) or aliases.get(slug_of(name))
            if meant is not None and (
                not length or prefix in STEP_ROOTS or self._calls(meant, prefix)
            ):
                # No step refers to itself: then it is text.
                return self._step(meant, rest) if self._undo or not self._is_own(meant) else None
            if name in inputs and (not length or prefix in INPUT_ROOTS):
                return _Way(["inputs", name]), rest
            if (guessed := self._guessed(prefix, name)) is not None:
                return guessed, rest
        if parts[0] == "secrets":
            return _Way(["secrets", *parts[1:]]), ()
        before = self._before(parts[1:]) if parts[0] in _BEFORE else None
        return self._item(parts) or before

    def _guessed(self, prefix: str, name: str) -> _Way | None:
        """A step or an input by a name that is not there."""
        near = self._nearest(prefix, name) if prefix in ("steps", "inputs") else None
        if near is not None:
            return _Way([prefix, near], certain=False)
        # It is not declared: that is told of our own reference.
        is_input = prefix in FROM_OUTSIDE and name.isidentifier()
        return _Way(["inputs", name]) if is_input else None

    def _calls(self, name: str, tool: str) -> bool:
        """Whether a step calls a tool: elsewhere that stands before its name."""
        step = self._survey.by_id.get(name)
        return step is not None and step.step.tool == tool

    def before(self) -> str | None:
        """The step that comes before this one: the one it needs, or the one above it."""
        found = self._before(())
        return None if found is None else str(found[0].path[1])

    def _before(self, rest: Parts) -> tuple[_Way, Parts] | None:
        """What the step before gives, where others hand it on by itself."""
        subject, survey = self._subject, self._survey
        if subject is None or self._undo:
            return None
        needs = subject.step.needs
        index = subject.index - 1
        if len(needs) == 1 and needs[0] in survey.by_id:
            return _Way(["steps", needs[0]], certain=True), rest
        if needs or not 0 <= index < len(survey.subjects):
            return None
        return _Way(["steps", survey.subjects[index].step.id], certain=False), rest

    def _outcome(self, parts: Parts) -> tuple[_Way, Parts] | None:
        """What became of a step; an undo knows nothing of it."""
        if self._undo or parts[0] != "outcomes" or not parts[1:]:
            return None
        name = str(parts[1])
        ids = self._survey.names.ids
        known = ids.get(name) or ids.get(slug_of(name))
        meant = known or self._nearest("steps", name)
        if meant is None or self._is_own(meant):
            return None
        return _Way(["outcomes", meant], certain=known is not None), parts[2:]

    def _numbered(self, parts: Parts) -> tuple[_Way, Parts] | None:
        """`steps[0].x`: the first step, if others count as we do."""
        subjects = self._survey.subjects
        number = parts[1] if parts[1:] and parts[0] in STEP_ROOTS else None
        if not isinstance(number, int) or str(number) in self._survey.ids:
            return None
        if not 0 <= number < len(subjects):
            return None
        return _Way(["steps", subjects[number].step.id], certain=False), parts[2:]

    def _nearest(self, root: str, name: str) -> str | None:
        """The step or input that is written much like a name; not for ever in a hopeless plan."""
        survey, subject = self._survey, self._subject
        if survey.guesses >= MAX_SUGGESTIONS:
            return None
        survey.guesses += 1
        near = closest(name, survey.ids if root == "steps" else survey.plan.inputs)
        if near is None:
            return None
        meant = survey.ids[near[0]] if root == "steps" else near[0]
        return None if root == "steps" and subject and meant == subject.step.id else meant

    def _is_own(self, name: str) -> bool:
        return self._subject is not None and self._subject.step.id == name

    def _step(self, name: str, rest: Parts) -> tuple[_Way, Parts]:
        subject = self._subject
        if self._undo and subject is not None and subject.step.id == name:
            return _Way(["output"]), rest
        return _Way(["steps", name]), rest

    def _own(self, parts: Parts) -> tuple[_Way, Parts] | None:
        """The item of a for_each, and what an undo knows."""
        subject = self._subject
        if subject is None:
            return None
        first = str(parts[0])
        if subject.step.for_each is not None:
            for length in (2, 1):
                prefix = ".".join(map(str, parts[:length]))
                if prefix in ITEM_ROOTS or first == self._survey.names.items.get(subject.step.id):
                    rest = parts[length if prefix in ITEM_ROOTS else 1 :]
                    # `matrix.city` is the item; it has fields only if there are several axes.
                    is_item = first == "matrix" and not self._has_fields(subject.step.for_each)
                    return _Way(["item"]), rest[1:] if is_item else rest
        if self._undo and first in ("output", "result", "response", "args", "input", "key"):
            root = {"result": "output", "response": "output", "input": "args"}.get(first, first)
            return _Way([root]), parts[1:]
        return None

    def _item(self, parts: Parts) -> tuple[_Way, Parts] | None:
        """What others hand on by itself is the item; so is `ticket` of `open_tickets`."""
        subject, first = self._subject, str(parts[0])
        if subject is None or subject.step.for_each is None or self._undo:
            return None
        if first in _BEFORE:
            between = first == "$input" and parts[1:2] == ("item",)
            rest = parts[2:] if between else parts[1:]
            return _Way(["item"]), rest[1:] if rest[:1] == ("json",) else rest
        items = subject.step.for_each
        listed = words(items) if isinstance(items, str) else []
        is_one = first.lower() in {each.removesuffix("s") for each in listed if each[-1:] == "s"}
        return (_Way(["item"]), parts[1:]) if is_one else None

    def _has_fields(self, items: Json) -> bool:
        return isinstance(items, list) and all(isinstance(each, dict) for each in items)

    # Where it goes

    def _step_over(self, way: _Way, part: str | int, rest: Parts) -> bool:
        """Put in what was meant by a part; False: the part itself."""
        if part == "*" or way.counted or "*" in way.path:
            return way.counted
        here = tuple(way.path)
        if isinstance(part, str) and part.isdigit():
            part = int(part)
        if produced(self._survey, self._subject, (*here, part)) is not False:
            return self._of_unknown(way, part, rest)
        # A position in what has none is left out.
        return not isinstance(part, str) or self._named(way, part, rest)

    def _named(self, way: _Way, part: str, rest: Parts) -> bool:
        """A name of which it is certain that it is not there."""
        owner = produced(self._survey, self._subject, tuple(way.path))
        kinds = kinds_of(owner) if owner is not None else frozenset()
        if "array" in kinds:
            return self._into_list(way, part, rest)
        if part.lower() in WRAPPERS and not self._has_alike(owner, part, rest):
            return True
        if isinstance(owner, dict) and "object" in kinds:
            return self._field(way, owner, part)
        # Of what is no mapping, no field can be meant.
        way.certain = way.certain and part.lower() in WRAPPERS
        return True

    def _of_unknown(self, way: _Way, part: str | int, rest: Parts) -> bool:
        """A part that may be there, although nobody says so."""
        shortest = 1 if way.path[0] in ("output", "item") else _FIELD_OF_STEP - 1
        if not isinstance(part, str) or len(way.path) < shortest:
            return False
        here = tuple(way.path)
        owner = produced(self._survey, self._subject, here)
        known = properties_at(owner, ()) if isinstance(owner, dict) else []
        if part in known or way.path[0] not in ("steps", "output", "item"):
            return False
        if not known:
            # Between a step and its output, others put a word.
            is_between = part in _SURELY or (rest and part.lower() in WRAPPERS)
            return len(here) == shortest and bool(is_between) and not self._is_item(here)
        if part.lower() in WRAPPERS and not self._has_alike(owner, part, rest):
            return True
        assert isinstance(owner, dict)
        return self._field(way, owner, part)

    def _is_item(self, here: tuple[str | int, ...]) -> bool:
        if here[0] != "steps":
            return here[0] == "item"
        producer = self._survey.by_id.get(str(here[1]))
        return producer is not None and producer.step.for_each is not None

    def _has_alike(self, owner: Schema | None, part: str, rest: Parts) -> bool:
        """Whether a word like `data` is rather another name of a field: it is the last one."""
        if rest or owner is None or part in _SURELY:
            return False
        known = properties_at(owner, ())
        return name_for(part, known) is not None

    def _into_list(self, way: _Way, part: str, rest: Parts) -> bool:
        follows = rest[0] if rest else None
        if (
            isinstance(follows, int)
            or follows == "*"
            or (isinstance(follows, str) and follows.isdigit())
        ):
            return True
        if part.lower() in _LENGTHS and not rest:
            way.counted = True
            return True
        first = produced(self._survey, self._subject, (*way.path, 0))
        known = properties_at(first, ()) if isinstance(first, dict) else []
        if part in known:
            way.path.append(0)
            way.certain = False
            return False
        return True

    def _field(self, way: _Way, owner: Schema, part: str) -> bool:
        known = properties_at(owner, ())
        found = name_for(part, known)
        ending = [name for name in known if name.endswith(f"_{part.lower()}")]
        if found is None and len(ending) == 1:
            found = ending[0], False
        if found is None:
            way.certain = False
            return False
        way.path.append(found[0])
        way.certain = (
            way.certain and found[0].replace("_", "").lower() == part.replace("_", "").lower()
        )
        return True

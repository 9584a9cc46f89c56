"""What a function takes and returns, read from its signature.

The only module of the tools that imports pydantic when it is imported; so it is imported itself
when the first tool is declared.
"""

from __future__ import annotations

import difflib
import inspect
import re
import sys
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, cast, get_args, get_type_hints

import msgspec
from pydantic import BaseModel, ConfigDict, PydanticUserError, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from typing_extensions import TypedDict

import callsheet.core.plan.artifact  # noqa: F401 -- lets pydantic read artifacts
from callsheet.errors import InvalidError
from callsheet.tools.blocking import SyncContext
from callsheet.tools.function import docstring
from callsheet.tools.function.models import reference_to, schema_of
from callsheet.tools.function.place import loading
from callsheet.tools.function.typed_dicts import readable
from callsheet.tools.output import is_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from functools import _lru_cache_wrapper

    from callsheet.core.value import Json


_CONTEXT_TEXT = re.compile(r"([\w.]+\.)?(Sync)?Context(\s*\|\s*None)?\Z")
_REFUSED = {
    inspect.Parameter.VAR_POSITIONAL: "takes '*{}'; name every parameter",
    inspect.Parameter.VAR_KEYWORD: "takes '**{}'; name every parameter",
    inspect.Parameter.POSITIONAL_ONLY: "takes {!r} by position only; remove the '/'",
}


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """What a function takes."""

    schema: dict[str, Json]
    names: tuple[str, ...]
    context: str | None
    """The parameter that is given the context."""
    validate: Callable[[object], dict[str, Any]]

    def bind(self, args: dict[str, Json]) -> dict[str, Any]:
        """The arguments, converted to the annotated types, as keywords (without the context).

        Raises:
            InvalidError: they do not fit; the message says every problem and its place, and none
                of the values, which may be secret.
        """
        try:
            return self.validate(args)
        except InvalidError:
            raise
        except ValidationError as exc:
            problems = "; ".join(self._problem(error) for error in exc.errors(include_input=False))
        except Exception as exc:  # noqa: BLE001 -- a validator of the user's may raise anything
            problems = f"args: {type(exc).__name__}: {exc}"
        # Outside the handlers: what pydantic raised shows the values.
        raise InvalidError(f"Wrong arguments: {problems}.")

    def _problem(self, error: Any) -> str:
        steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in error["loc"]]
        place = "args" + "".join(steps)
        if error["type"] == "missing":
            return f"{place} is missing"
        if error["type"] == "extra_forbidden":
            near = difflib.get_close_matches(str(error["loc"][-1]), self.names, n=1)
            known = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.names)}"
            return f"{place} is unknown ({known if self.names else 'it takes none'})"
        return f"{place}: {error['msg']}"


def parameters_of(
    function: Callable[..., object], scope: Mapping[str, object] | None = None
) -> Parameters:
    """What a function takes. Types are also looked for in the scope it was defined in.

    Inside a worker process, which calls tools and checks no plans, it has no schema: making it
    takes longer than all the rest.

    Raises:
        ValueError: it cannot be a tool; every reason, separated by `; `.
    """
    names = _Names(function, scope or {})
    fields: dict[str, object] = {}
    contexts: list[str] = []
    problems: list[str] = []
    signature = inspect.signature(function)
    for parameter in signature.parameters.values():
        annotation, error = names.looked_up(parameter.annotation)
        try:
            if _takes_context(parameter, annotation, error):
                contexts.append(parameter.name)
            else:
                fields[parameter.name] = _field(parameter, annotation, error)
        except ValueError as exc:
            problems.append(str(exc))
    if len(contexts) > 1:
        problems.append(f"takes more than one context: {', '.join(contexts)}")
    schema = {} if problems or loading.get() else _schema(fields, problems)
    if problems:
        raise ValueError("; ".join(problems))
    return Parameters(
        schema=_described(schema, function, signature) if schema else {},
        names=tuple(fields),
        context=contexts[0] if contexts else None,
        validate=_Validator(fields),
    )


def output_schema_of(
    function: Callable[..., object], scope: Mapping[str, object] | None = None
) -> dict[str, Json] | None:
    """What a function returns, or None when its annotation says nothing that can be relied on.

    Raises:
        ValueError: it would, but for how it is written.
    """
    annotation = inspect.signature(function).return_annotation
    if annotation is inspect.Signature.empty or loading.get():
        return None
    try:
        schema = _kept(_output, _Names(function, scope or {}).resolve(annotation))
    except PydanticUserError as exc:
        if exc.code == "typed-dict-version":
            msg = "it returns a typing.TypedDict, which says too little on this Python; take "
            raise ValueError(f"{msg}TypedDict from typing_extensions") from exc
        return None
    except Exception:  # noqa: BLE001 -- a class pydantic does not know; it may still be converted
        return None
    return schema or None


def _takes_context(
    parameter: inspect.Parameter, annotation: object, error: Exception | None
) -> bool:
    if parameter.name == "ctx":
        return True
    if isinstance(error, NameError):
        # Only imported for type checkers, as it should be: then its name must do.
        return isinstance(annotation, str) and bool(_CONTEXT_TEXT.match(annotation.strip("'\"")))
    if error is not None:  # `_field` says what it is
        return False
    return any(_is_context(kind) for kind in (annotation, *get_args(annotation)))


def _is_context(kind: object) -> bool:
    # Not imported: who takes a `Context` has, and worker processes need nothing else of the ports.
    ports = sys.modules.get("callsheet.ports")
    return kind is SyncContext or (ports is not None and kind is ports.Context)


def _field(parameter: inspect.Parameter, annotation: Any, error: Exception | None) -> object:
    """The annotation of one key of the arguments."""
    if parameter.kind in _REFUSED:
        raise ValueError(_REFUSED[parameter.kind].format(parameter.name))
    if error is not None:
        msg = (
            f"the type of {parameter.name!r} cannot be found ({error}); import it for real, not "
            "only under TYPE_CHECKING"
        )
        raise ValueError(msg) from error
    if annotation is inspect.Parameter.empty:
        annotation = Any
    if parameter.default is inspect.Parameter.empty:
        return annotation
    if isinstance(parameter.default, FieldInfo):
        # `x: int = Field(5, ge=0)`: the validator fills it in, else the function would see a Field.
        return Annotated[annotation, parameter.default]
    return NotRequired[annotation]


class _Names:
    """What the names in a function's annotations stand for."""

    def __init__(self, function: Callable[..., object], scope: Mapping[str, object]) -> None:
        inner = inspect.unwrap(function)
        self._globals = getattr(getattr(inner, "__func__", inner), "__globals__", {})
        self._locals = {**self._globals, **scope}

    def resolve(self, annotation: object) -> Any:
        """The annotation itself, where it was written as text."""
        # Something to hang a single annotation on: `get_type_hints` takes all of an object's.
        holder = SimpleNamespace(__annotations__={"it": annotation})
        hints = get_type_hints(holder, self._globals, self._locals, include_extras=True)
        return readable(hints["it"])

    def looked_up(self, annotation: object) -> tuple[Any, Exception | None]:
        """The annotation itself; or as it was written, and why it does not stand for anything."""
        try:
            return self.resolve(annotation), None
        except Exception as exc:  # noqa: BLE001 -- whatever is written there may be raised
            return annotation, exc


class _Validator:
    """Made when the first arguments come: of many tools that are declared, few are called here."""

    def __init__(self, fields: dict[str, object]) -> None:
        self._fields = fields
        self._validate: Callable[[object], dict[str, Any]] | None = None

    def __call__(self, args: object) -> dict[str, Any]:
        if self._validate is None:
            self._validate = _mapping_of(self._fields).validator.validate_python
        return self._validate(args)


def _schema(fields: dict[str, object], problems: list[str]) -> dict[str, Json]:
    try:
        return _put_together(fields)
    except Exception:
        for name, annotation in fields.items():
            try:
                _mapping_of({name: annotation})
            except Exception as one:  # noqa: BLE001 -- pydantic and the types raise many kinds
                reason = str(one).split("\n", 1)[0]
                problems.append(f"the type of {name!r} cannot be read from JSON ({reason})")
        if not problems:
            raise
    return {}


def _mapping_of(fields: dict[str, object]) -> TypeAdapter[Any]:
    # Not a model: any name can be a key, but `copy`, `json` or `_x` cannot be a model's field.
    kind = cast("Callable[[str, dict[str, object]], Any]", TypedDict)("Args", fields)
    kind.__pydantic_config__ = ConfigDict(extra="forbid", hide_input_in_errors=True)
    return TypeAdapter(kind)


def _put_together(fields: dict[str, object]) -> dict[str, Json]:
    """The schema of arguments, from those of their types: many tools take the same large ones."""
    parts = {name: _kept(_part, annotation) for name, annotation in fields.items()}
    defs: dict[str, Json] = {}
    for part in parts.values():
        for name, found in cast("dict[str, Json]", part.get("$defs", {})).items():
            if defs.setdefault(name, found) != found:
                # Two types of one name: only together they are told apart.
                return _schema_of_mapping(fields)
    needed: list[Json] = [name for name, part in parts.items() if "required" in part]
    return {
        **({"$defs": dict(sorted(defs.items()))} if defs else {}),
        "additionalProperties": False,
        "properties": {
            name: dict(cast("dict[str, dict[str, Json]]", part["properties"])["it"])
            for name, part in parts.items()
        },
        **({"required": needed} if needed else {}),
        "type": "object",
    }


def _kept(describe: _lru_cache_wrapper[dict[str, Json]], annotation: Any) -> dict[str, Json]:
    """What is said of a type. It is said once: engines that are opened declare the same tools."""
    try:
        # Written as text, too: `int | str` equals `str | int`, and is described the other way.
        return describe(annotation, repr(annotation))
    except TypeError:
        return describe.__wrapped__(annotation, "")


def _schema_of_mapping(fields: dict[str, object]) -> dict[str, Json]:
    schema = schema_of(_mapping_of(fields), "validation")
    schema.pop("title", None)
    return schema


@lru_cache(maxsize=256)
def _part(annotation: Any, _text: str) -> dict[str, Json]:
    """What a mapping whose key `it` is of a type says of it."""
    is_model = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    if not is_model or (found := reference_to(annotation)) is None:
        return _schema_of_mapping({"it": annotation})
    defs = found.pop("$defs", {})
    return {"$defs": defs, "properties": {"it": found}, "required": ["it"]}


@lru_cache(maxsize=256)
def _output(annotation: Any, _text: str) -> dict[str, Json]:
    return schema_of(TypeAdapter(annotation), "serialization")


def _described(
    schema: dict[str, Json], function: Callable[..., object], signature: inspect.Signature
) -> dict[str, Json]:
    """With the defaults, and what the docstring says of the parameters."""
    properties = cast("dict[str, dict[str, Json]]", schema.setdefault("properties", {}))
    for name, parameter in signature.parameters.items():
        if name in properties and is_plain(parameter.default):
            properties[name].setdefault("default", parameter.default)
    for name, text in docstring.parameters_in(function).items():
        if name in properties and text:
            properties[name].setdefault("description", text)
    return schema

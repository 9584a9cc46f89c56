"""`@tool`: a function becomes a tool, with a name, a schema and terms.

Everything that is wrong with a declaration is said where it stands, all of it at once.
"""

from __future__ import annotations

import difflib
import inspect
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    ParamSpec,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    overload,
)

from msgspec import structs

from callsheet.core.plan.toolspec import ToolSpec
from callsheet.errors import ToolDefinitionError
from callsheet.tools.function import docstring, fromschema
from callsheet.tools.function.place import Place, place_of
from callsheet.tools.function.terms import (
    breaker_of,
    cost_of,
    limit_of,
    name_of,
    retry_of,
    seconds_of,
    touches_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType

    from callsheet.core.plan.plan import Cost, Retry
    from callsheet.core.plan.toolspec import Breaker, Effect, Limit
    from callsheet.core.value import Json
    from callsheet.tools.function.schema import Parameters

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

Way: TypeAlias = Literal["loop", "thread", "process"]
"""Where a tool's function runs."""

_FOR_WRITES = ("undo", "idempotent", "destructive")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tool(Generic[P, R]):
    """A declared tool. Calling it is calling the plain function: nothing is journalled."""

    spec: ToolSpec = field(repr=False)
    function: Callable[P, R]
    parameters: Parameters = field(repr=False)
    way: Way
    place: Place | None = field(repr=False)
    """Where a worker process finds the function; None unless it runs in one."""
    machine: bool = False
    """It reaches the files or programs of this machine, wherever its arguments say."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        return self.function(*args, **kwargs)

    @property
    def __wrapped__(self) -> Callable[P, R]:
        return self.function

    @property
    def __name__(self) -> str:
        return self.function.__name__


AnyTool: TypeAlias = Tool[..., Any]


class Terms(TypedDict, total=False):
    """What can be said of a tool in `@tool(...)`."""

    effect: Effect
    """`read`: nothing changes outside; may be repeated. `write`: something does. A tool that does
    not say is treated as a write that must not be repeated."""
    idempotent: bool
    """A write that may be repeated with the same key without happening twice."""
    destructive: bool
    """A write that cannot be taken back and destroys something."""
    undo: str | AnyTool | None
    """The tool that takes this one back; of `args`, `output`, `key` and `saved` it is given
    those it names."""
    cost: float | Cost | Mapping[str, float] | None
    """What one call is expected to cost; a number is USD."""
    ceiling: float | Cost | Mapping[str, float] | None
    """What one call can cost at most."""
    timeout: float | str | None
    """Seconds, or '500ms', '30s', '2m', '1h'."""
    retry: int | Retry | Mapping[str, object] | None
    """Attempts in all, or a `Retry`."""
    limit: int | str | Limit | Mapping[str, object] | None
    """Calls at once, or a rate ('10/s', '100/m'), or a `Limit`."""
    breaker: int | Literal[False] | Breaker | Mapping[str, object] | None
    """Failures in a row after which it is left alone for a while (usually 5); False: never."""
    touches: str | Sequence[str] | None
    """What a call touches, like 'file:${args.path}'. The calls of a model's answer that touch the
    same are made one after another, in their order."""
    version: str
    isolated: bool | None
    """Whether a sync function runs in a process that can be killed. None: writes do."""
    machine: bool
    """It reaches the files or programs of the machine that it runs on. Doors by which others come
    in offer it only where whoever runs them has said so."""
    description: str | None
    """For whoever chooses among tools; None: the docstring."""


@overload
def tool(name: Callable[P, R], /) -> Tool[P, R]: ...
@overload
def tool(
    name: str | None = None,
    *,
    args: Mapping[str, Json] | None = None,
    returns: Mapping[str, Json] | None = None,
    **terms: Unpack[Terms],
) -> Callable[[Callable[P, R]], Tool[P, R]]: ...
def tool(
    name: str | Callable[..., Any] | None = None,
    *,
    args: Mapping[str, Json] | None = None,
    returns: Mapping[str, Json] | None = None,
    **terms: Unpack[Terms],
) -> Any:
    """Declare a function as a tool: `@tool`, or `@tool("flights.book", effect="write")`.

    The name is the function's unless given. The schema of the arguments comes from the signature;
    a parameter called `ctx`, or annotated `Context`, is given the context instead. Terms: `Terms`.

    With `args`, a JSON Schema, the function takes what that says: it is given `name`, `args` and
    `ctx`, as far as it has parameters of these names. `returns` is the schema of its output.

    Raises:
        ToolDefinitionError: the function or the terms cannot be a tool's; says everything at once.
    """
    if callable(name):
        return _declare(name, None, terms, _scope_of(name, inspect.currentframe()))

    def declare(function: Callable[P, R]) -> Tool[P, R]:
        if args is not None or returns is not None:
            own = str(name or getattr(function, "__name__", ""))
            return cast("Tool[P, R]", schema_tool(function, own, terms, args=args, returns=returns))
        return _declare(function, name, terms, _scope_of(function, inspect.currentframe()))

    return declare


def _scope_of(function: Callable[..., Any], frame: FrameType | None) -> dict[str, Any]:
    """The names around a function within a function: its annotations may use them."""
    caller = frame.f_back if frame else None
    is_inner = "<locals>" in getattr(function, "__qualname__", "")
    return dict(caller.f_locals) if caller and is_inner else {}


def _declare(
    function: Callable[P, R], name: str | None, terms: Terms, scope: dict[str, Any]
) -> Tool[P, R]:
    problems = Problems()
    shown = name if isinstance(name, str) else getattr(function, "__name__", repr(function))
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        problems.add("only functions can be tools; write a 'def' around it")
        raise problems.error(shown)
    from callsheet.tools.function import schema

    way = _way_of(function, terms, problems)
    parameters = problems.when("", lambda: schema.parameters_of(function, scope))
    place = problems.when("", lambda: _place(function)) if way == "process" else None
    output = problems.when("", lambda: schema.output_schema_of(function, scope))
    spec = spec_of(shown, terms, problems, taken=parameters, output=output)
    if not spec.description:
        spec = structs.replace(spec, description=docstring.summary_of(function))
    if problems.found or parameters is None:
        raise problems.error(shown)
    reaches = bool(terms.get("machine"))
    return Tool(
        spec=spec,
        function=function,
        parameters=parameters,
        way=way,
        place=place,
        machine=reaches,
    )


def schema_tool(
    function: Callable[..., Any],
    name: str,
    terms: Terms,
    *,
    args: Mapping[str, Json] | None,
    returns: Mapping[str, Json] | None,
    written: str | None = None,
) -> AnyTool:
    """A tool of which a schema says what it takes.

    The function is given `name`, `args` and `ctx`, as far as it has parameters of these names; one
    with `**` gets the arguments as keywords. `written` is the name it is given, if another.

    Raises:
        ToolDefinitionError: it cannot be a tool; says everything at once.
    """
    problems = Problems()
    schema = problems.when("args", lambda: fromschema.arguments(args or {})) or {}
    output = problems.when("returns", lambda: fromschema.returned(returns))
    taken = problems.when("", lambda: fromschema.parameters_by(function, schema, written or name))
    if terms.get("isolated"):
        problems.add("a tool from a schema cannot be isolated; make it async, or leave that out")
    spec = spec_of(name, terms, problems, taken=taken, output=output)
    if not spec.description:
        spec = structs.replace(spec, description=docstring.summary_of(function))
    if problems.found or taken is None:
        raise problems.error(name)
    way: Way = "loop" if inspect.iscoroutinefunction(function) else "thread"
    reaches = bool(terms.get("machine"))
    return Tool(
        spec=spec, function=function, parameters=taken, way=way, place=None, machine=reaches
    )


def spec_of(
    name: str,
    terms: Terms,
    problems: Problems,
    *,
    taken: Parameters | None,
    output: dict[str, Json] | None,
) -> ToolSpec:
    """A tool's declaration; what is wrong with its terms is noted."""
    _check_terms(terms, problems)
    schema = taken.schema if taken else {}
    spec = ToolSpec(
        name=problems.when("", lambda: name_of(name)) or "",
        version=terms.get("version", "1"),
        effect=terms.get("effect", "write"),
        idempotent=terms.get("idempotent", False),
        destructive=terms.get("destructive", False),
        undo=problems.when("undo", lambda: _undo_of(terms.get("undo"), name)),
        cost=problems.when("cost", lambda: cost_of(terms.get("cost"))),
        ceiling=problems.when("ceiling", lambda: cost_of(terms.get("ceiling"))),
        timeout=problems.when("timeout", lambda: seconds_of(terms.get("timeout"))),
        retry=problems.when("retry", lambda: retry_of(terms.get("retry"))),
        limit=problems.when("limit", lambda: limit_of(terms.get("limit"))),
        breaker=problems.when("breaker", lambda: breaker_of(terms.get("breaker"))),
        touches=problems.when("touches", lambda: touches_of(terms.get("touches"), schema)) or (),
        input_schema=schema,
        output_schema=output,
        description=terms.get("description") or "",
        unsaid="effect" not in terms,
    )
    if over := over_ceiling(spec):
        problems.add(over)
    return spec


class Problems:
    """Everything that is wrong with one declaration."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, problem: str) -> None:
        """Note one."""
        self.found.append(problem)

    def when(self, term: str, read: Callable[[], T]) -> T | None:
        """What it reads, or None, with the problem noted."""
        try:
            return read()
        except ValueError as exc:
            self.add(f"{term} {exc}".strip())
            return None

    def error(self, tool: str) -> ToolDefinitionError:
        """The error that says all of it."""
        return ToolDefinitionError(f"Tool {tool!r} cannot be declared: {'; '.join(self.found)}.")


def _way_of(function: Callable[..., Any], terms: Terms, problems: Problems) -> Way:
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        problems.add("it yields; a tool returns its output whole (a list, say)")
    isolated = terms.get("isolated")
    if inspect.iscoroutinefunction(function):
        if isolated:
            problems.add("an async function cannot be isolated; make it a plain 'def'")
        return "loop"
    if isolated is None:
        isolated = terms.get("effect") == "write"
    return "process" if isolated else "thread"


def _place(function: Callable[..., Any]) -> Place:
    try:
        return place_of(function)
    except ValueError as exc:
        msg = (
            f"it runs isolated, in a process of its own, and {exc}; move it to the top of a "
            "module, make it async, or set isolated=False (then it cannot be killed)"
        )
        raise ValueError(msg) from exc


def _undo_of(term: object, tool: str) -> str | None:
    if term is None:
        return None
    if isinstance(term, Tool):
        if term.spec.effect != "write":
            raise ValueError(f"names {term.spec.name!r}, which is a read and takes nothing back")
        return term.spec.name
    undo = name_of(term)
    if undo == tool:
        raise ValueError("names the tool itself")
    return undo


def _check_terms(terms: Terms, problems: Problems) -> None:
    for term in terms.keys() - Terms.__annotations__.keys():
        near = difflib.get_close_matches(term, Terms.__annotations__, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        problems.add(f"there is no term {term!r}{hint}")
    for term in ("idempotent", "destructive", "isolated", "machine"):
        flag: object = terms.get(term)
        if flag not in (None, True, False):
            problems.add(f"{term} must be True or False, not {flag!r}")
    version: object = terms.get("version", "1")
    if not isinstance(version, str) or not version:
        problems.add(f"version must be text, not {version!r}")
    _check_effect(terms, problems)


def _check_effect(terms: Terms, problems: Problems) -> None:
    effect = terms.get("effect", "")
    if "effect" in terms and effect not in ("read", "write"):
        problems.add(f"effect must be 'read' or 'write', not {effect!r}")
    if effect != "write" and (said := [term for term in _FOR_WRITES if terms.get(term)]):
        problems.add(f"only a write can have {', '.join(said)}; say effect='write'")


def over_ceiling(spec: ToolSpec) -> str:
    """Why its cost and its ceiling do not go together; "" if they do."""
    if not spec.cost or not spec.ceiling:
        return ""
    over = [
        name
        for name in ("usd", "credits", "tokens")
        if getattr(spec.cost, name) > getattr(spec.ceiling, name)
    ]
    return f"its cost is above its ceiling ({', '.join(over)})" if over else ""

"""`typing.TypedDict` before Python 3.12, as pydantic reads it.

There it does not keep what pydantic needs, and is refused; the one of `typing_extensions` does. So
the same fields are declared again with that one, also inside of lists, unions and each other.
"""

from __future__ import annotations

import sys
from functools import lru_cache, reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NotRequired,
    Required,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable

_OLD = sys.version_info < (3, 12)


def readable(kind: Any) -> Any:
    """A type with every `TypedDict` in it as pydantic takes it; any other type as it is."""
    return _readable(kind, ()) if _OLD else kind


def _readable(kind: Any, inside: tuple[Any, ...]) -> Any:
    if is_typeddict(kind):
        is_read = type(kind).__module__ != "typing" or kind in inside
        return kind if is_read else _declared(kind, inside)
    args = get_args(kind)
    if not args:
        return kind
    origin = get_origin(kind)
    if origin is Annotated:
        return Annotated[(_readable(args[0], inside), *args[1:])]
    made = tuple(_readable(each, inside) if each is not ... else each for each in args)
    return kind if made == args else _again(kind, origin, made)


def _again(kind: Any, origin: Any, args: tuple[Any, ...]) -> Any:
    """The same generic type of other types."""
    if isinstance(kind, UnionType) or origin is Union:
        return reduce(or_, args)
    return GenericAlias(origin, args) if isinstance(kind, GenericAlias) else kind.copy_with(args)


@lru_cache(maxsize=512)
def _declared(kind: Any, inside: tuple[Any, ...]) -> Any:
    try:
        hints = get_type_hints(kind, include_extras=True)
    except NameError:
        return kind  # it is told where it is used
    fields: dict[str, Any] = {}
    for name, hint in hints.items():
        # Where annotations are text, only the hint itself says that it is not required.
        said = get_origin(hint) in (Required, NotRequired)
        must = Required if name in kind.__required_keys__ else NotRequired
        inner = _readable(get_args(hint)[0] if said else hint, (*inside, kind))
        fields[name] = (get_origin(hint) if said else must)[inner]
    # As a function: what it is called, and its fields, are only known now.
    made = cast("Callable[[str, dict[str, Any]], Any]", TypedDict)(kind.__name__, fields)
    made.__doc__, made.__module__, made.__qualname__ = (
        kind.__doc__,
        kind.__module__,
        kind.__qualname__,
    )
    return made

"""Short forms in Python: what YAML takes, a plan that is built of objects takes, too.

They become the normal form when the object is made. A form that means nothing stays as it is, and
`read_plan` says what is wrong with it, and where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar, runtime_checkable

import msgspec
from msgspec import structs

from callsheet.core.plan.duration import seconds_in

T = TypeVar("T", bound=msgspec.Struct)


class _Spec(Protocol):
    @property
    def name(self) -> str: ...


@runtime_checkable
class Named(Protocol):
    """A declared tool, which a plan may name by itself."""

    @property
    def spec(self) -> _Spec:
        """Its declaration."""
        ...


def settle(document: msgspec.Struct, **forms: Callable[[object], object]) -> None:
    """Give fields their normal form."""
    for field, form in forms.items():
        found: object = getattr(document, field)
        # Nearly always it has it: this is asked for every step that is read from a journal.
        if found is None or found == ():
            continue
        normal = form(found)
        if normal is not found:
            structs.force_setattr(document, field, normal)


def name_in(found: object) -> object:
    """The name of a tool."""
    if isinstance(found, (str, msgspec.Struct)) or not isinstance(found, Named):
        return found
    return found.spec.name


def pause_in(found: object) -> object:
    """Seconds, of a duration like '30s'."""
    if not isinstance(found, str):
        return number_in(found)
    seconds = seconds_in(found)
    return found if seconds is None else seconds


def number_in(found: object) -> object:
    """2 and 2.0 are one number, but not one text: as read again from a journal, it is a float."""
    return float(found) if isinstance(found, int) and not isinstance(found, bool) else found


def tried_in(found: object, retry: type[T]) -> object:
    """A number is attempts."""
    if isinstance(found, int) and not isinstance(found, bool):
        return retry(attempts=found)
    return _made(found, retry)


def amount_in(found: object, cost: type[T]) -> object:
    """A number is US dollars."""
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        return cost(usd=float(found))
    return _made(found, cost)


def _made(found: object, kind: type[T]) -> object:
    if not isinstance(found, Mapping) or found.keys() - set(kind.__struct_fields__):
        return found
    plain = {name: pause_in(part) if "backoff" in name else part for name, part in found.items()}
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError:
        return found

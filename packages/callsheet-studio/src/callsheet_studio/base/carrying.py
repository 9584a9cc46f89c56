"""Carrying out what was asked for: input that cannot be is not tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

from callsheet.errors import InputError, InvalidError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


def or_invalid(make: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What is made; a brief that cannot be carried out is wrong input.

    Raises:
        InvalidError: it cannot.
    """
    try:
        return make(*args, **kwargs)
    except InputError as error:
        raise InvalidError(error.message) from error

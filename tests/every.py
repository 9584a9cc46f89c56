"""One test for every combination of what a promise speaks of.

A cross product of places, sizes and lights is one promise, not four hundred: it is looked at in
a loop, and a failure names its combination.
"""

from __future__ import annotations

import inspect
from functools import wraps
from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Test = Callable[..., None]


def every(**choices: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test for each combination of these values of its arguments; the last goes fastest.

    What is left of its arguments is given by fixtures, which all combinations share.
    """
    values = {name: tuple(given) for name, given in choices.items()}
    assert all(values.values()), f"there is nothing to look at in {values}"

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        assert values.keys() <= signature.parameters.keys(), f"{test} has no such argument"

        @wraps(test)
        def looped(*args: Any, **fixtures: Any) -> None:
            for combination in product(*values.values()):
                told = dict(zip(values, combination, strict=True))
                try:
                    test(*args, **fixtures, **told)
                except BaseException as error:
                    error.add_note("with " + ", ".join(f"{k}={v!r}" for k, v in told.items()))
                    raise

        # Fixtures are found by what the signature says.
        rest = [each for each in signature.parameters.values() if each.name not in values]
        looped.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return looped

    return decorate

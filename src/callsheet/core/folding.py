"""What the folding of all kinds of entry shares: who handles which, and a few common words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from callsheet.core import entries as e

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.snapshot import Snapshot
    from callsheet.core.steprun import StepRun

E = TypeVar("E", bound=e.Entry)
Handler: TypeAlias = "Callable[[Snapshot, E], None]"

HANDLERS: dict[type[e.Entry], Callable[[Snapshot, e.AnyEntry], None]] = {}


def on(kind: type[E]) -> Callable[[Handler[E]], Handler[E]]:
    """Have a kind of entry handled by the function below."""

    def register(handler: Handler[E]) -> Handler[E]:
        HANDLERS[kind] = cast("Callable[[Snapshot, e.AnyEntry], None]", handler)
        return handler

    return register


def remember(s: Snapshot, request: str | None) -> None:
    """A request has been served: it is not served again."""
    if request is not None:
        s.requests.add(request)


def stop_overrun(s: Snapshot, step: StepRun) -> None:
    """What was spent cannot be taken back; that nothing more is spent can be seen to."""
    if overrun := s.pot.overrun:
        cause = e.Cause(kind="budget", step=step.key, message=f"Over budget: {overrun}.")
        s.stop(cause, takes_back=s.graph.plan.on_failure == "undo")

"""What all data of the studio have in common: frozen, closed, and with a JSON Schema."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Data(BaseModel):
    """Frozen; a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Source = Literal["model", "repaired", "offline"]
"""Who has written something: a model; our own way, because what the model wrote broke a rule; or
our own way alone."""


class Violation(Data):
    """Something that breaks a rule: which, where, and what would mend it."""

    rule: str
    """A short stable name, as `speech-fits` or `size-jump`."""
    where: str
    """The beat or shot, or empty for the whole."""
    message: str
    fix: str


LEFT_OUT = "left out"
"""The key of what a letter says and its film has no time for."""


class Inferred(Data):
    """A value that nobody has given."""

    key: str
    """Where it stands, as `content.duration`."""
    value: object
    why: str


class Graphic(Data):
    """A fact that is drawn as one: a number with what it counts, or a way of steps."""

    kind: Literal["number", "share", "ratio", "change", "price", "clock", "date", "process", "list"]
    value: str = ""
    """As it is written: `45,000`, `1 in 5`."""
    unit: str = ""
    """What it counts: `litres a year`."""
    amount: float = 0.0
    of: float = 0.0
    """Of how many, or what it was before."""
    steps: tuple[str, ...] = ()
    """Labels of a process, in its order; ` | ` between those that it leads to at once.

    Items of a list; `- ` before one that is not there, `+ ` before one that is.
    """

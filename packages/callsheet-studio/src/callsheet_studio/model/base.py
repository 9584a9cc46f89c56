"""What all data of the studio have in common: frozen, closed, and with a JSON Schema."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Data(BaseModel):
    """Frozen; a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Violation(Data):
    """Something that breaks a rule: which, where, and what would mend it."""

    rule: str
    """A short stable name, as `speech-fits` or `size-jump`."""
    where: str
    """The beat or shot, or empty for the whole."""
    message: str
    fix: str


class Inferred(Data):
    """A value that nobody has given."""

    key: str
    """Where it stands, as `content.duration`."""
    value: object
    why: str

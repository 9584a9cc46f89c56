"""Artifacts in values: how immutable bytes are named in arguments, outputs and inputs.

The bytes are elsewhere. In JSON an artifact is a mapping with `$artifact`, its digest; wherever
such a mapping stands in a value, the value refers to these bytes and keeps them from collection.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from callsheet.core.plan.plan import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.core.value import Json

MARK = "$artifact"
MARK_BYTES = b'"$artifact"'
LARGE = 32 * 1024
"""Bytes of JSON over which a value does not stand in the journal but is stored like an artifact."""
ANY_TYPE = "application/octet-stream"
VALUE_TYPE = "application/json"

_DIGEST = re.compile(r"[0-9a-f]{64}\Z")


class Artifact(Document, frozen=True):
    """Immutable bytes, named by the SHA-256 of their content, with a media type."""

    digest: str
    media_type: str = ANY_TYPE
    size: int = 0
    name: str = ""
    """What a person would call the file; not part of its identity."""

    def to_json(self) -> dict[str, Json]:
        """How it stands in a value."""
        found: dict[str, Json] = {
            MARK: self.digest,
            "media_type": self.media_type,
            "size": self.size,
        }
        return {**found, "name": self.name} if self.name else found

    @staticmethod
    def __get_pydantic_core_schema__(_kind: object, _handler: object) -> dict[str, object]:
        """How pydantic reads and describes one: as it stands in values.

        What pydantic wants is a plain dictionary: the core need not know pydantic to give it.
        """
        return {
            "type": "function-plain",
            "function": {"type": "no-info", "function": _artifact_from},
            "serialization": {"type": "function-plain", "function": Artifact.to_json},
            "metadata": {"pydantic_js_functions": [lambda _schema, _handler: dict(SCHEMA)]},
        }


SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        MARK: {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "media_type": {"type": "string"},
        "size": {"type": "integer", "minimum": 0},
        "name": {"type": "string"},
    },
    "required": [MARK],
    "description": "An artifact: bytes by their digest.",
}
"""How an artifact in a value is described to whoever calls a tool."""


def _artifact_from(found: object) -> Artifact:
    artifact = found if isinstance(found, Artifact) else artifact_of(cast("Json", found))
    if artifact is None:
        raise ValueError(f"it is not an artifact: {{{MARK!r}: …}} is")
    return artifact


def facts_of(artifact: Artifact) -> dict[str, Json]:
    """How an artifact stands in a list of artifacts, where it is no part of a value."""
    return {
        "digest": artifact.digest,
        "name": artifact.name,
        "media_type": artifact.media_type,
        "size": artifact.size,
    }


def is_digest(text: object) -> bool:
    """Whether this can be the name of an artifact."""
    return isinstance(text, str) and _DIGEST.match(text) is not None


def artifact_of(value: Json) -> Artifact | None:
    """The artifact that a value stands for, if it is one."""
    if not isinstance(value, dict) or not is_digest(value.get(MARK)):
        return None
    media_type, size, name = value.get("media_type"), value.get("size"), value.get("name")
    return Artifact(
        digest=str(value[MARK]),
        media_type=media_type if isinstance(media_type, str) else ANY_TYPE,
        size=size if isinstance(size, int) and not isinstance(size, bool) else 0,
        name=name if isinstance(name, str) else "",
    )


def artifacts_in(value: Json) -> tuple[Artifact, ...]:
    """Every artifact that a value refers to, in order, each once."""
    found: dict[str, Artifact] = {}
    for artifact in _walk(value):
        found.setdefault(artifact.digest, artifact)
    return tuple(found.values())


def _walk(value: Json) -> Iterator[Artifact]:
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, list):
            todo.extend(reversed(part))
        elif isinstance(part, dict):
            artifact = artifact_of(part)
            if artifact is not None:
                yield artifact
            else:
                todo.extend(reversed(part.values()))

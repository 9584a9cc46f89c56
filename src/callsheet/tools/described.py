"""`Artifact` as whoever declares tools sees it: pydantic can read and describe it.

The core knows nothing of pydantic, and nothing here imports it before it is needed: an artifact may
stand in a model that is declared before the first tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from callsheet.core.artifact import MARK, Artifact, artifact_of

if TYPE_CHECKING:
    from callsheet.core.value import Json

__all__ = ["Artifact"]

_ARTIFACT: dict[str, Json] = {
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


def _describe_artifact(_kind: object, _handler: object) -> Any:
    """How pydantic reads and describes an `Artifact`: as it stands in values."""
    from pydantic_core import core_schema

    return core_schema.no_info_plain_validator_function(
        _artifact_from,
        serialization=core_schema.plain_serializer_function_ser_schema(Artifact.to_json),
        metadata={"pydantic_js_functions": [lambda _schema, _handler: dict(_ARTIFACT)]},
    )


def _artifact_from(found: object) -> Artifact:
    artifact = found if isinstance(found, Artifact) else artifact_of(cast("Json", found))
    if artifact is None:
        raise ValueError(f"it is not an artifact: {{{MARK!r}: …}} is")
    return artifact


Artifact.__get_pydantic_core_schema__ = staticmethod(_describe_artifact)  # type: ignore[attr-defined]

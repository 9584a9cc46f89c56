"""The JSON Schema of a brief as people write it: sections, keys, and what each may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.brief.choices import CHOICES
from callsheet_studio.brief.fields import FIELDS, MAIN, SECTIONS, SHOT_FIELDS
from callsheet_studio.brief.values import LONGEST_LINE, MOST_ITEMS, MOST_MESSAGES

if TYPE_CHECKING:
    from callsheet_studio.brief.fields import Field

Schema = dict[str, object]

_TEXT: Schema = {"type": ["string", "number", "null"], "maxLength": LONGEST_LINE}
_EXAMPLES: dict[str, list[object]] = {
    "duration": [30, "30s", "1:30", "1m30s", "90 seconds"],
    "span": ["45m", "2h", "1d"],
    "money": [60],
    "date": ["2026-12-01"],
    "language": ["en", "de"],
    "region": ["EU", "UK", "US", "KR"],
    "resolution": ["1280x720", "1080p"],
    "picture": ["logo.png"],
    "fps": [24, 25, 30, 23.976, 29.97],
}


def input_schema() -> Schema:
    """For editors and forms. What it lets pass may still contradict itself; reading tells."""
    sections = {section: _section(section) for section in SECTIONS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Brief",
        "description": "What a film shall say and be. All but message.core or a script may be left "
        "out; in the flat form the keys stand without their sections.",
        "type": "object",
        "properties": {
            **sections,
            **{
                name: {"$ref": f"#/properties/{field.section}/properties/{field.name}"}
                if field.section not in MAIN
                else _key(field)
                for field in FIELDS
                for name in (field.name, *field.aliases)
            },
        },
        "additionalProperties": False,
    }


def _section(section: str) -> Schema:
    keys = {field.name: _key(field) for field in FIELDS if field.section == section}
    schema: Schema = {"type": ["object", "null"], "properties": keys, "additionalProperties": False}
    if section in MAIN:
        return {
            "anyOf": [schema, {"type": "string", "description": f"the same as {MAIN[section]}"}]
        }
    return schema


def _key(field: Field) -> Schema:
    schema: Schema = {"description": field.what}
    match field.kind:
        case "sentences" | "words" | "colours":
            most = MOST_MESSAGES if field.name == "supporting" else MOST_ITEMS
            items: Schema = {"type": ["string", "number"], "maxLength": LONGEST_LINE}
            many: Schema = {"type": "array", "items": items, "maxItems": most}
            return schema | {"anyOf": [many, {"type": ["string", "null"]}]}
        case "sayings":
            pairs: Schema = {"type": "object", "additionalProperties": {"type": "string"}}
            return schema | {"anyOf": [pairs, {"type": ["array", "string", "null"]}]}
        case "shots":
            shot: Schema = {
                "type": ["object", "string"],
                "properties": dict.fromkeys(SHOT_FIELDS, _TEXT),
                "required": ["action"],
            }
            return schema | {"type": ["array", "null"], "items": shot}
        case "text":
            return schema | {"type": ["string", "null"]}
        case "choice":
            auto = ["auto"] if field.name == "structure" else []
            return schema | _TEXT | {"examples": [*auto, *CHOICES[field.key]]}
        case _:
            return schema | _TEXT | {"examples": _EXAMPLES.get(field.kind, [])}

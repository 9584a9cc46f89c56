"""From data in any of the accepted shapes to one raw value per key: `{"message.core": …}`.

Sections in any order, the flat form, both mixed; what is not known is a problem with a suggestion.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from callsheet_studio.brief.fields import BY_NAME, FIELDS, MAIN, SECTIONS, plain
from callsheet_studio.brief.problems import did_you_mean, show

if TYPE_CHECKING:
    from callsheet_studio.brief.fields import Field
    from callsheet_studio.brief.problems import Problems

_MOST_KEYS = 200
_BEGIN = "Begin with message: {core: what the film says, in one sentence}."
_OF_SECTION: dict[str, dict[str, Field]] = {
    section: {
        name: field
        for field in FIELDS
        if field.section == section
        for name in (field.name, *field.aliases)
    }
    for section in SECTIONS
}


def raw_values(data: object, problems: Problems) -> dict[str, object]:
    """What is said for each key; nulls are not said.

    Raises:
        InputError: it is no mapping at all.
    """
    if data is None or data == {}:
        problems.add("brief", "it is empty", _BEGIN)
        raise problems.refusal()
    if not isinstance(data, Mapping):
        problems.add("brief", f"it is {show(data)}, not keys and values", _BEGIN)
        raise problems.refusal()
    shape = _Shape(problems)
    for name, value in list(data.items())[:_MOST_KEYS]:
        shape.top(name, value)
    if len(data) > _MOST_KEYS:
        problems.add("brief", f"it has {len(data):,} keys", f"At most {_MOST_KEYS} are looked at.")
    return shape.found


def field_named(name: str, section: str | None) -> Field | None:
    """The field of a section, or of any, that goes by a name."""
    return _OF_SECTION[section].get(plain(name)) if section else BY_NAME.get(plain(name))


class _Shape:
    def __init__(self, problems: Problems) -> None:
        self.found: dict[str, object] = {}
        self._written_as: dict[str, str] = {}
        self._problems = problems

    def top(self, name: object, value: object) -> None:
        key = plain(name) if isinstance(name, str) else ""
        if key in SECTIONS:
            self._section(key, value)
        elif field := BY_NAME.get(key):
            self._put(field, value, str(name))
        else:
            options = (*SECTIONS, *BY_NAME)
            fix = did_you_mean(key, options) or f"The sections are {', '.join(SECTIONS)}."
            self._problems.add(str(name)[:60], f"{show(name)} is not a key of a brief", fix)

    def _section(self, section: str, value: object) -> None:
        if isinstance(value, Mapping):
            for name, inner in list(value.items())[:_MOST_KEYS]:
                self._inside(section, name, inner)
        elif isinstance(value, str) and section in MAIN:
            field = next(field for field in FIELDS if field.key == MAIN[section])
            self._put(field, value, section)
        elif value is not None:
            keys = ", ".join(field.name for field in FIELDS if field.section == section)
            what = f"{show(value)} is not a section"
            self._problems.add(section, what, f"Write keys and values; its keys are {keys}.")

    def _inside(self, section: str, name: object, value: object) -> None:
        key = plain(name) if isinstance(name, str) else ""
        if field := _OF_SECTION[section].get(key):
            self._put(field, value, f"{section}.{name}")
            return
        elsewhere = BY_NAME.get(key)
        if elsewhere is not None:
            fix = f"It belongs to {elsewhere.section}: {elsewhere.key}."
        else:
            own = _OF_SECTION[section]
            keys = ", ".join(field.name for field in FIELDS if field.section == section)
            fix = did_you_mean(key, own) or f"Its keys are {keys}."
        place = f"{section}.{str(name)[:60]}"
        self._problems.add(place, f"{show(name)} is not a key of {section}", fix)

    def _put(self, field: Field, value: object, written: str) -> None:
        if value is None:
            return
        if field.key in self.found:
            what = f"it is said twice: as {self._written_as[field.key]} and as {written}"
            self._problems.add(field.key, what, "Remove one of them.")
            return
        if isinstance(value, (tuple, Mapping)):
            value = list(value) if isinstance(value, tuple) else dict(value)
        self.found[field.key] = value
        self._written_as[field.key] = written

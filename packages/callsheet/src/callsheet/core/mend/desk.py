"""The desk on which a document is mended: each change is told, with its patch, and remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from callsheet.core import patch
from callsheet.core.mend.names import bare
from callsheet.core.yaml.flow import field

if TYPE_CHECKING:
    from callsheet.core.problem import Place, Report
    from callsheet.core.value import Json

Mapping: TypeAlias = "dict[str, Json]"


def write(text: str) -> str:
    """The advice to write something."""
    return f"Write {text}." if "`" in text else f"Write `{text}`."


class Desk:
    """Changes mappings of a document in place, and tells what was wrong with them."""

    __slots__ = ("report",)

    def __init__(self, report: Report) -> None:
        self.report = report

    def rename(self, holder: Mapping, way: Place, old: str, new: str, *, why: str = "") -> None:
        """A field has another name here; its value stays."""
        value = holder[old]
        # What holds references is looked at later, and shown then.
        shown = f"{new}:" if isinstance(value, (dict, list)) or new in _LATER else field(new, value)
        advice = write(shown) if shown != f"{new}:" else f"Write `{new}:` instead of `{old}:`."
        operation = patch.move((*way, old), (*way, new))
        self._tell(way, old, f"there is no field {old!r}", f"{advice} {why}".strip(), operation)
        _put(holder, old, new, value)
        self.report.moved((*way, new), (*way, old))

    def convert(
        self, holder: Mapping, way: Place, old: str, new: str, value: Json, *, certain: bool = True
    ) -> None:
        """A field has another name and another value here."""
        before = (*way, old)
        what = f"there is no field {old!r}" if old != new else f"this is not how `{old}` is written"
        # One operation for both; what is set aside with it has been told, or will be.
        _put(holder, old, new, value)
        whole = patch.replace((*way, new), value) if old == new else patch.replace(way, {**holder})
        fix = write(field(new, value))
        self._tell(way, old, what, fix, whole if certain else None)
        if old != new:
            self.report.moved((*way, new), before)

    def leave_out(
        self, holder: Mapping, way: Place, name: str, *, why: str = "", certain: bool = True
    ) -> None:
        """A field says nothing here."""
        del holder[name]
        fix = f"Leave it out. {why}".strip()
        operation = patch.remove((*way, name)) if certain else None
        self._tell(way, name, f"there is no field {name!r}", fix, operation)

    def add(self, holder: Mapping, way: Place, name: str, value: Json, what: str) -> None:
        """A field is missing."""
        holder[name] = value
        self._tell(way, name, what, write(field(name, value)), patch.add((*way, name), value))

    def tell(
        self, way: Place, what: str, fix: str, operation: dict[str, Json] | None = None
    ) -> None:
        """Something else is wrong."""
        self.report.error(way, what, fix, patch=operation)

    def _tell(
        self, way: Place, name: str, what: str, fix: str, operation: dict[str, Json] | None
    ) -> None:
        self.report.error((*way, name), what, fix, patch=operation)


_LATER = frozenset(("when", "for_each", "ask", "output", "undo", "args", "steps", "inputs"))


def _put(holder: Mapping, old: str, new: str, value: Json) -> None:
    """In the place of the old field, so that the order stays."""
    items = [(new, value) if name == old else (name, each) for name, each in holder.items() if name != new or old == new]
    holder.clear()
    holder.update(items)


def target_of(table: dict[str, str], name: str) -> tuple[str, str]:
    """The field that a foreign name stands for, and how its value is converted."""
    field_name, _, conversion = table.get(bare(name), "").partition(":")
    return field_name, conversion

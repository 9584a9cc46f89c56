"""The desk on which a document is mended: each change is told, with its patch, and remembered."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, TypeAlias

from callsheet.core import patch
from callsheet.core.plan.mend.names import bare
from callsheet.core.plan.mend.suspicion import is_suspicious
from callsheet.core.plan.mend.synonyms import STEP
from callsheet.core.problem import show
from callsheet.core.yaml.flow import field

if TYPE_CHECKING:
    from callsheet.core.problem import Place, Report
    from callsheet.core.value import Json

Mapping: TypeAlias = "dict[str, Json]"


def write(text: str) -> str:
    """The advice to write something."""
    return f"Write {text}." if "`" in text else f"Write `{text}`."


class Desk:
    """Changes mappings of a document in place, and tells what was wrong with them.

    Beside the document, which has every guess in it, it keeps one with what is certain alone: that
    is what patches are made of.
    """

    __slots__ = ("_document", "_sure", "report")

    def __init__(self, document: Json, report: Report) -> None:
        self.report = report
        self._document = document
        self._sure: Json = _UNTOUCHED

    def begin(self) -> None:
        """To be said before something is changed."""
        if self._sure is _UNTOUCHED:
            self._sure = copy.deepcopy(self._document)

    def rename(
        self, holder: Mapping, way: Place, old: str, new: str, *, certain: bool = True
    ) -> None:
        """A field has another name here; its value stays."""
        self.begin()
        value = holder[old]
        # What holds references is looked at later, and shown then.
        is_shown = not isinstance(value, dict) and not is_suspicious(value) and new != "when"
        fix = write(field(new, value)) if is_shown else f"Write `{new}:` instead of `{old}:`."
        operation = patch.move((*way, old), (*way, new))
        self.tell((*way, old), f"there is no field {old!r}", fix, operation if certain else None)
        _put(holder, old, new, value)
        self.report.moved((*way, new), (*way, old))
        if not certain:
            self.report.doubt((*way, new))

    def convert(
        self, holder: Mapping, way: Place, old: str, new: str, value: Json, *, certain: bool = True
    ) -> None:
        """A field has another value here, and perhaps another name."""
        self.begin()
        here = (*way, old)
        what = f"there is no field {old!r}"
        operation: dict[str, Json] | None = None
        if old == new:
            what = f"{show(holder[old])} is not what `{old}` takes"
            operation = patch.replace(here, value)
        elif certain:
            operation = self._exchange(way, old, new, value)
        self.tell(here, what, write(field(new, value)), operation if certain else None)
        _put(holder, old, new, value)
        if old != new:
            self.report.moved((*way, new), here)
        if not certain:
            self.report.doubt((*way, new))

    def merge(self, holder: Mapping, way: Place, old: str, new: str, value: Json) -> None:
        """A field says more about another that is there already."""
        self.begin()
        sure = self.sure(way)
        operation: dict[str, Json] | None = None
        if isinstance(sure, dict) and old in sure and new in sure:
            changed = {**{name: each for name, each in sure.items() if name != old}, new: value}
            operation = patch.replace(way, changed)
        self.tell((*way, old), f"there is no field {old!r}", write(field(new, value)), operation)
        del holder[old]
        holder[new] = value

    def leave_out(
        self, holder: Mapping, way: Place, name: str, *, why: str = "", certain: bool = True
    ) -> None:
        """A field says nothing here."""
        self.begin()
        del holder[name]
        operation = patch.remove((*way, name)) if certain else None
        fix = f"Leave it out. {why}".strip()
        self.tell((*way, name), f"there is no field {name!r}", fix, operation)

    def add(self, holder: Mapping, way: Place, name: str, value: Json, what: str) -> None:
        """A field is missing."""
        self.begin()
        holder[name] = value
        self.tell((*way, name), what, write(field(name, value)), patch.add((*way, name), value))

    def tell(
        self, way: Place, what: str, fix: str, operation: dict[str, Json] | None = None
    ) -> None:
        """Something is wrong. What the operation speaks of must be certain, or it is not told."""
        self.begin()
        if operation is not None:
            # As it is now: what stands in it is mended further.
            operation = copy.deepcopy(operation)
            try:
                self._sure = patch.patched(self._sure, copy.deepcopy(operation))
            except (LookupError, ValueError):
                operation = None
        self.report.error(way, what, fix, patch=operation)

    def sure(self, way: Place) -> Json:
        """What certainly stands at a place; None: nothing does."""
        self.begin()
        found = self._sure
        for part in way:
            if isinstance(found, dict):
                found = found.get(str(part))
            elif isinstance(found, list) and isinstance(part, int) and part < len(found):
                found = found[part]
            else:
                return None
        return found

    def _exchange(self, way: Place, old: str, new: str, value: Json) -> dict[str, Json] | None:
        """One operation for another name and another value: the whole mapping."""
        holder = self.sure(way)
        if not isinstance(holder, dict) or old not in holder:
            return None
        changed = dict(holder)
        _put(changed, old, new, value)
        return patch.replace(way, changed)


_UNTOUCHED: Json = "untouched"


def _put(holder: Mapping, old: str, new: str, value: Json) -> None:
    """In the place of the old field, so that the order stays."""
    items = [
        (new, value) if name == old else (name, each)
        for name, each in holder.items()
        if name != new or old == new
    ]
    holder.clear()
    holder.update(items)


def target_of(table: dict[str, str], name: str) -> tuple[str, str]:
    """The field that a foreign name stands for, and how its value is converted."""
    field_name, _, conversion = table.get(bare(name), "").partition(":")
    return field_name, conversion


def says(step: Mapping, name: str) -> bool:
    """Whether a step has a field, under whatever name."""
    return any(key == name or target_of(STEP, key)[0] == name for key in step)

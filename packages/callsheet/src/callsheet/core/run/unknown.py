"""Entries that this version does not know: written by a newer one, or spoiled.

Nothing is guessed. A kind, a field or a flag that is not known may decide differently, so whoever
would go on with such a run, or judge it, is told which version wrote it. Whoever only looks reads
what there is, without what is not known.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import inspect

from callsheet.core import value
from callsheet.core.run import entries as e
from callsheet.errors import CallsheetError, ReplayImpossibleError, StoreCorruptError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.value import Json

UNREADABLE = (StoreCorruptError, ReplayImpossibleError)
"""A journal is damaged, or was written by a newer version."""
_BROKEN = (msgspec.MsgspecError, UnicodeError, RecursionError)


class Damage(msgspec.Struct, frozen=True):
    """From where on a journal cannot be read, and why."""

    entry: int
    why: str

    def told(self) -> str:
        """For a person."""
        return f"The journal cannot be read from entry {self.entry} on. {self.why}"


def decode_all(lines: Sequence[tuple[int, str]], *, after: int = 0) -> list[e.AnyEntry]:
    """The entries that numbered lines stand for, without a hole.

    Raises:
        StoreCorruptError: one is missing, or cannot be read.
        ReplayImpossibleError: one was written by a newer version.
    """
    found: list[e.AnyEntry] = []
    expected = after
    try:
        for seq, line in lines:
            expected += 1
            if seq != expected:
                raise StoreCorruptError(
                    f"Entry {expected} of a journal is missing: it is damaged. Restore a backup."
                )
            found.append(e.decode(line.encode()))
    except _BROKEN as exc:
        first = lines[0][1] if lines and lines[0][0] == 1 else ""
        raise unreadable(expected, lines[expected - after - 1][1], exc, first) from exc
    return found


def decode_if_known(line: str) -> e.AnyEntry | None:
    """The entry that a line stands for; None: it is spoiled, or newer than this version."""
    try:
        return e.decode(line.encode())
    except _BROKEN:
        return None


def decode_some(lines: Sequence[tuple[int, str]]) -> tuple[list[e.AnyEntry], Damage | None]:
    """The entries from the first, as far as they can be read, without fields that are not known."""
    found: list[e.AnyEntry] = []
    for seq, line in lines:
        try:
            if seq != len(found) + 1:
                raise StoreCorruptError(f"Entry {len(found) + 1} is missing.")
            found.append(_decode_known(line))
        except CallsheetError as exc:
            return found, Damage(len(found) + 1, exc.message)
        except _BROKEN as exc:
            why = unreadable(seq, line, exc, lines[0][1]).message
            return found, Damage(len(found) + 1, why)
    return found, None


def unreadable(seq: int, line: str, exc: Exception, first: str = "") -> CallsheetError:
    """Why an entry cannot be read: it is spoiled, or newer than this version."""
    what = _news_in(line)
    if what is None:
        return StoreCorruptError(
            f"Entry {seq} of a journal cannot be read: {exc}. It is damaged; restore a backup."
        )
    return ReplayImpossibleError(
        f"Entry {seq} of a journal has {what}, which this version does not know. It was written by "
        f"a newer callsheet{_version_in(first)}: upgrade callsheet to go on with the run."
    )


def unknown_fields(line: str, kind: type) -> list[str]:
    """What a line of JSON has that its type does not; empty also if it is simply broken."""
    unknown: list[str] = []
    try:
        known = _pruned(value.decode(line), inspect.type_info(kind), unknown)
        msgspec.json.decode(value.encode(known), type=kind)
    except _BROKEN:
        return []
    return unknown


def _news_in(line: str) -> str | None:
    """What an entry has that this version does not know; None: it is simply broken."""
    try:
        tree = value.decode(line)
        if not isinstance(tree, dict) or not isinstance(kind := tree.get("kind"), str):
            return None
        info = _kinds().get(kind)
        if info is None:
            return f"the kind {kind!r}"
        unknown: list[str] = []
        known = _pruned(tree, info, unknown)
        e.decode(value.encode(known))
    except _BROKEN:
        return None
    return f"the field {unknown[0]!r} ({kind})" if unknown else None


def _version_in(first: str) -> str:
    try:
        tree = value.decode(first)
    except _BROKEN:
        return ""
    if not isinstance(tree, dict):
        return ""
    flags = tree.get("flags") or "none"
    return f" (format {tree.get('format')}, core {tree.get('core')}, flags {flags})"


def _decode_known(line: str) -> e.AnyEntry:
    try:
        entry = e.decode(line.encode())
    except msgspec.ValidationError:
        tree = value.decode(line)
        kind = tree.get("kind") if isinstance(tree, dict) else None
        info = _kinds().get(kind) if isinstance(kind, str) else None
        if info is None:
            raise
        entry = e.decode(value.encode(_pruned(tree, info, [])))
    if isinstance(entry, e.RunStarted) and not e.KNOWN_FLAGS.issuperset(entry.flags):
        known = tuple(flag for flag in entry.flags if flag in e.KNOWN_FLAGS)
        entry = msgspec.structs.replace(entry, flags=known)
    return entry


@cache
def _kinds() -> dict[str, inspect.StructType]:
    found = cast("inspect.UnionType", inspect.type_info(e.AnyEntry))
    structs = (each for each in found.types if isinstance(each, inspect.StructType))
    return {str(each.tag): each for each in structs}


def _pruned(tree: Json, info: inspect.Type, unknown: list[str]) -> Json:
    """A value without the fields that its type does not have; those are added to `unknown`."""
    parts = info.types if isinstance(info, inspect.UnionType) else (info,)
    if isinstance(tree, dict):
        return _pruned_mapping(tree, parts, unknown)
    if isinstance(tree, list):
        lists = (inspect.ListType, inspect.VarTupleType)
        items = next((part for part in parts if isinstance(part, lists)), None)
        if items is not None:
            return [_pruned(item, items.item_type, unknown) for item in tree]
    return tree


def _pruned_mapping(
    tree: dict[str, Json], parts: Sequence[inspect.Type], unknown: list[str]
) -> Json:
    for part in parts:
        if isinstance(part, inspect.DictType):
            return {key: _pruned(item, part.value_type, unknown) for key, item in tree.items()}
        if isinstance(part, inspect.StructType):
            fields = {field.encode_name: field.type for field in part.fields}
            tag = part.tag_field
            unknown += [key for key in tree if key not in fields and key != tag]
            return {
                key: _pruned(item, fields[key], unknown) if key in fields else item
                for key, item in tree.items()
                if key in fields or key == tag
            }
    return tree

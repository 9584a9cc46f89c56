"""What differs between two tool stacks, fact by fact: before, after, and where it was read."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Literal

from callsheet_studio.model.base import Data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.model.stack import Offer, Stack, StackTool

ChangeKind = Literal[
    "tool_added",
    "tool_removed",
    "tool_changed",
    "status",
    "offer_added",
    "offer_removed",
    "offer_changed",
    "price",
]

_PARTS = frozenset({"offers", "status", "retires"})
_STATUS = ("status", "retires")
_PRICE = ("usd", "unit", "unit_seconds", "minimum_usd")


class Change(Data):
    """One fact that was not so before."""

    kind: ChangeKind
    tool: str
    offer: str | None = None
    before: dict[str, object] | None
    """Of the fields that differ; None if there was nothing."""
    after: dict[str, object] | None
    source: str
    as_of: date


class Changes(Data):
    """What an import has changed, or would change."""

    number: int | None
    """Of the import; None if nothing was written."""
    changes: tuple[Change, ...]


def changes_between(before: Stack | None, after: Stack) -> tuple[Change, ...]:
    """All changes, in the order of the newer stack; what is gone comes last."""
    old = {tool.id: tool for tool in before.tools} if before else {}
    new = {tool.id for tool in after.tools}
    found = [
        change for tool in after.tools for change in _tool_changes(old.get(tool.id), tool, after)
    ]
    gone = [tool for name, tool in old.items() if name not in new]
    return (*found, *(change for tool in gone for change in _removal(tool, after.as_of)))


def _tool_changes(old: StackTool | None, new: StackTool, stack: Stack) -> Iterator[Change]:
    if old is None:
        yield _of_tool("tool_added", new, None, _summary(new))
    else:
        yield from _differences(old, new)
    offers = {offer.id: offer for offer in old.offers} if old else {}
    for offer in new.offers:
        yield from _offer_changes(offers.pop(offer.id, None), offer, new.id)
    for offer in offers.values():
        yield _of_offer("offer_removed", new.id, offer, _price(offer), None, stack.as_of)


def _differences(old: StackTool, new: StackTool) -> Iterator[Change]:
    was, now = old.model_dump(mode="json"), new.model_dump(mode="json")
    if any(was[key] != now[key] for key in _STATUS):
        yield _of_tool(
            "status", new, {key: was[key] for key in _STATUS}, {key: now[key] for key in _STATUS}
        )
    keys = [key for key in now if key not in _PARTS and was[key] != now[key]]
    if keys:
        before, after = ({key: each[key] for key in keys} for each in (was, now))
        yield _of_tool("tool_changed", new, before, after)


def _offer_changes(old: Offer | None, new: Offer, tool: str) -> Iterator[Change]:
    if old is None:
        yield _of_offer("offer_added", tool, new, None, _price(new), new.as_of)
        return
    told = set(_PRICE)
    if _price(old) != _price(new):
        yield _of_offer("price", tool, new, _price(old), _price(new), new.as_of)
        told |= {"as_of", "source"}
    was, now = old.model_dump(mode="json"), new.model_dump(mode="json")
    keys = [key for key in now if key not in told and was[key] != now[key]]
    if keys:
        before, after = ({key: each[key] for key in keys} for each in (was, now))
        yield _of_offer("offer_changed", tool, new, before, after, new.as_of)


def _removal(tool: StackTool, day: date) -> Iterator[Change]:
    yield Change(
        kind="tool_removed",
        tool=tool.id,
        before=_summary(tool),
        after=None,
        source="",
        as_of=day,
    )
    for offer in tool.offers:
        yield _of_offer("offer_removed", tool.id, offer, _price(offer), None, day)


def _of_tool(
    kind: ChangeKind,
    tool: StackTool,
    before: dict[str, object] | None,
    after: dict[str, object] | None,
) -> Change:
    source = tool.sources[0] if tool.sources else ""
    return Change(
        kind=kind, tool=tool.id, before=before, after=after, source=source, as_of=tool.as_of
    )


def _of_offer(
    kind: ChangeKind,
    tool: str,
    offer: Offer,
    before: dict[str, object] | None,
    after: dict[str, object] | None,
    as_of: date,
) -> Change:
    return Change(
        kind=kind,
        tool=tool,
        offer=offer.id,
        before=before,
        after=after,
        source=offer.source,
        as_of=as_of,
    )


def _summary(tool: StackTool) -> dict[str, object]:
    dumped = tool.model_dump(mode="json", include={"name", "vendor", "category", "status"})
    return dict(dumped)


def _price(offer: Offer) -> dict[str, object]:
    dumped = offer.model_dump(mode="json", include=set(_PRICE))
    return {key: dumped[key] for key in _PRICE}

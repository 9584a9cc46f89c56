"""How requests, verdicts, saved plans and times are spelled in a store: as journals spell them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import msgspec

from callsheet.core import value
from callsheet.core.plan.plan import Plan
from callsheet.core.plan.saved import SavedPlan
from callsheet.core.run.request import Request, RequestKind, Settled
from callsheet.core.run.unknown import unknown_fields
from callsheet.errors import StoreVersionError


class _Kind(msgspec.Struct):
    """What can be said of any request, of whatever version."""

    kind: str


_request: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_kind: msgspec.json.Decoder[_Kind] = msgspec.json.Decoder(_Kind)
_settled: msgspec.json.Decoder[Settled] = msgspec.json.Decoder(Settled)
_plan: msgspec.json.Decoder[Plan] = msgspec.json.Decoder(Plan)


def encode(record: Request | Settled | Plan) -> str:
    """The record as one line of JSON."""
    return value.encode(record).decode()


def stamp(at: datetime) -> str:
    """A time as text: in UTC, so that texts sort as times do."""
    return at.astimezone(UTC).isoformat()


def request_of(text: str) -> Request:
    """The request that a line of JSON stands for."""
    return _request.decode(text)


def request_if_known(id_: str, run: str, text: str) -> Request | None:
    """The request in a row; None: a newer version has left it, for a driver that understands it.

    What is no request at all is one of the kind `unreadable`, so that whoever left it is told.
    """
    try:
        return _request.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as exc:
        if _is_newer(text):
            return None
        why = f"The request cannot be read: {exc}."
        return Request(id=id_, run=run, kind="unreadable", reason=why)


def _is_newer(text: str) -> bool:
    try:
        kind = _kind.decode(text).kind
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return False
    return kind not in get_args(RequestKind) or bool(unknown_fields(text, Request))


def settled_of(text: str) -> Settled:
    """The verdict that a line of JSON stands for."""
    return _settled.decode(text)


def saved_plan(*, name: str, version: int, text: str, saved_at: datetime, tenant: str) -> SavedPlan:
    """A version of a saved plan, from the JSON of its plan.

    Raises:
        StoreVersionError: a newer version of Callsheet has written it.
    """
    try:
        plan = _plan.decode(text)
    except msgspec.MsgspecError as exc:
        raise StoreVersionError(
            f"Version {version} of the saved plan {name!r} cannot be read: {exc}. It was written "
            "by a newer callsheet, or is damaged: upgrade callsheet, or delete the plan."
        ) from exc
    return SavedPlan(name=name, version=version, plan=plan, saved_at=saved_at, tenant=tenant)

"""How requests, verdicts, saved plans and times are spelled in a store: as journals spell them."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from callsheet.core import value
from callsheet.core.plan.plan import Plan
from callsheet.core.plan.saved import SavedPlan
from callsheet.core.run.request import Request, Settled

_request: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
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


def request_if_known(text: str) -> Request | None:
    """The same; None if no request of this version is spelled like that."""
    try:
        return _request.decode(text)
    except msgspec.MsgspecError:
        return None


def settled_of(text: str) -> Settled:
    """The verdict that a line of JSON stands for."""
    return _settled.decode(text)


def saved_plan(*, name: str, version: int, text: str, saved_at: datetime) -> SavedPlan:
    """A version of a saved plan, from the JSON of its plan."""
    return SavedPlan(name=name, version=version, plan=_plan.decode(text), saved_at=saved_at)

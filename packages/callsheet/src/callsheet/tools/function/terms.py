"""The short forms in which the terms of a tool may be written, and what they stand for.

Each function takes what stands in `@tool(...)` and gives the core's document for it. A form that
means nothing raises `ValueError` with the end of a sentence: what to write instead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

import msgspec

from callsheet.core.plan.duration import seconds_in
from callsheet.core.plan.plan import Cost, Retry
from callsheet.core.plan.toolspec import Breaker, Limit
from callsheet.core.refs.references import prepare
from callsheet.errors import ReferenceSyntaxError

if TYPE_CHECKING:
    from typing import TypeGuard

    from callsheet.core.value import Json

T = TypeVar("T", bound=msgspec.Struct)

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*\Z")
_LONGEST_NAME = 100
_RATE = re.compile(r"(\d+)\s*/\s*(s|m|h)\Z")
_PER = {"s": 1.0, "m": 60.0, "h": 3600.0}


def name_of(term: object) -> str:
    """A tool's name: words of letters, digits, `_` and `-`, joined by dots."""
    if not isinstance(term, str) or not _NAME.match(term) or len(term) > _LONGEST_NAME:
        msg = (
            f"the name {term!r} is not words of letters, digits, '_' and '-' joined by dots "
            f"(like 'flights.book'), {_LONGEST_NAME} characters at most"
        )
        raise ValueError(msg)
    return term


def cost_of(term: object) -> Cost | None:
    """An amount: a number is USD."""
    if term is None:
        return None
    if _is_number(term):
        term = Cost(usd=float(term))
    cost = _document(term, Cost, "a number (USD), a Cost or a mapping like {'tokens': 500}")
    amounts = (cost.usd, cost.credits, cost.tokens, cost.calls)
    if not all(math.isfinite(amount) and amount >= 0 for amount in amounts):
        raise ValueError("must not be negative, infinite or NaN")
    return cost


def seconds_of(term: object) -> float | None:
    """A duration: a number is seconds; '500ms', '30s', '2m' and '1h' are understood."""
    if term is None:
        return None
    seconds = seconds_in(term)
    if seconds is None or not (math.isfinite(seconds) and seconds > 0):
        raise ValueError(f"must be seconds (30) or a duration ('500ms', '30s', '2m'), not {term!r}")
    return seconds


def retry_of(term: object) -> Retry | None:
    """How often and with what pauses: a whole number is attempts."""
    if term is None:
        return None
    if isinstance(term, int) and not isinstance(term, bool):
        term = Retry(attempts=term)
    if isinstance(term, Mapping):
        term = {k: _pause(v) if "backoff" in str(k) else v for k, v in term.items()}
    retry = _document(term, Retry, "attempts (3), a Retry or a mapping like {'attempts': 3}")
    if retry.attempts is not None and retry.attempts < 1:
        raise ValueError(f"attempts must be 1 or more, not {retry.attempts}")
    if not all(math.isfinite(p) and p >= 0 for p in (retry.backoff, retry.max_backoff)):
        raise ValueError("backoff must not be negative, infinite or NaN")
    return retry


def limit_of(term: object) -> Limit | None:
    """How much at once or how often: 4 is four at once, '10/s' and '100/m' are rates."""
    if term is None:
        return None
    if isinstance(term, Mapping):
        term = {k: seconds_of(v) if k == "per" else v for k, v in term.items()}
    if isinstance(term, int) and not isinstance(term, bool):
        term = Limit(at_once=term)
    elif isinstance(term, str) and (found := _RATE.match(term)):
        term = Limit(rate=int(found[1]), per=_PER[found[2]])
    limit = _document(term, Limit, "calls at once (4), a rate ('10/s', '100/m') or a Limit")
    if limit.at_once is None and limit.rate is None:
        raise ValueError("names neither calls at once nor a rate")
    if any(bound is not None and bound < 1 for bound in (limit.at_once, limit.rate)):
        raise ValueError("must be 1 or more")
    if not (math.isfinite(limit.per) and limit.per > 0):
        raise ValueError("the time of a rate must be positive")
    return limit


def breaker_of(term: object) -> Breaker | None:
    """When a failing tool is left alone: 5 is failures in a row; False: never."""
    if term is None:
        return None
    if term is False:
        return Breaker(failures=None)
    if isinstance(term, int) and not isinstance(term, bool):
        term = Breaker(failures=term)
    if isinstance(term, Mapping):
        term = {k: seconds_of(v) if k == "seconds" else v for k, v in term.items()}
    breaker = _document(term, Breaker, "failures in a row (5), False, or a Breaker")
    if breaker.failures is not None and breaker.failures < 1:
        raise ValueError("failures must be 1 or more; False for no breaker")
    if not (math.isfinite(breaker.seconds) and breaker.seconds > 0):
        raise ValueError("the seconds must be positive")
    return breaker


def touches_of(term: object, arguments: Mapping[str, Json]) -> tuple[str, ...]:
    """What a call touches: texts, which may refer to its arguments."""
    if term is None:
        return ()
    texts = [term] if isinstance(term, str) else term
    if not isinstance(texts, (list, tuple)) or not all(
        isinstance(each, str) and each for each in texts
    ):
        raise ValueError(f"must be texts like 'file:${{args.path}}', not {term!r}")
    try:
        prepared = prepare(list(texts))
    except ReferenceSyntaxError as exc:
        raise ValueError(f"cannot be read: {exc.message.rstrip('.')}") from exc
    if foreign := sorted(prepared.roots - {"args"}):
        raise ValueError(f"refers to {foreign[0]!r}; it may refer to its args alone")
    known = arguments.get("properties")
    for reference in prepared.references:
        for way in reference.parsed.paths:
            if isinstance(known, dict) and len(way) > 1 and way[1] not in known:
                raise ValueError(f"refers to args.{way[1]}, which the tool does not take")
    return tuple(texts)


def _is_number(term: object) -> TypeGuard[int | float]:
    return isinstance(term, (int, float)) and not isinstance(term, bool)


def _pause(term: object) -> object:
    return 0.0 if term == 0 else seconds_of(term)


def _document(term: object, kind: type[T], forms: str) -> T:
    if isinstance(term, kind):
        # As if it were written out: 1 becomes 1.0, as it will be when it is read back.
        term = msgspec.structs.asdict(term)
    if not isinstance(term, Mapping):
        raise ValueError(f"must be {forms}, not {term!r}")  # noqa: TRY004 -- see the module
    unknown = sorted(str(key) for key in term if key not in kind.__struct_fields__)
    if unknown:
        raise ValueError(f"has no {unknown[0]!r}; it has {', '.join(kind.__struct_fields__)}")
    try:
        return msgspec.convert(dict(term), kind)
    except msgspec.ValidationError as exc:
        raise ValueError(f"does not fit: {exc}") from exc

"""What one answer is told: the arguments of its step, and those of the step that follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.agents.history import link_in
from callsheet.agents.models import ANSWER
from callsheet.agents.terms import AskedCall, TurnTerms
from callsheet.core.plan.artifact import Artifact
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet.core.plan.plan import Cost

SPARE = 60.0
"""Seconds that an answer has beyond the turn's, to say that these are over."""

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "turn": {"type": "object"},
        "number": {"type": "integer", "minimum": 1},
        "link": {"type": ["object", "null"]},
        "message": {"type": ["string", "null"]},
        "answer": {"type": ["object", "null"]},
        "calls": {"type": ["object", "null"]},
        "results": {"type": "array"},
        "failures": {"type": "object"},
        "kept": {"type": "array"},
        "said": {"type": ["object", "null"]},
        "asked": {"type": "string"},
        "problems": {"type": "integer"},
        "wrote": {"type": "array"},
        "stale": {"type": "integer"},
    },
    "required": ["turn", "number"],
    "additionalProperties": False,
}

_calls_encoder = msgspec.json.Encoder(order="deterministic")
_calls_decoder = msgspec.json.Decoder(tuple[AskedCall, ...])


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer is told."""

    terms: TurnTerms
    number: int
    link: Artifact | None
    """What was said before the message, or before the answer that this one follows."""
    message: str | None = None
    answer: Artifact | None = None
    """The answer that this one follows."""
    calls: Artifact | None = None
    """What that one asked for."""
    results: tuple[Json, ...] = ()
    failures: dict[str, int] = {}
    """How often which calls have failed."""
    said: Artifact | None = None
    """What an agent is told of an answer that did not fit."""
    asked: str = ""
    """The capability that an agent has asked for; the only result is what came of it."""
    problems: int = 0
    """How many answers did not fit."""
    wrote: tuple[str, ...] = ()
    """The writes that have happened, or may have."""
    stale: int = 0
    """How often something had changed since the agent had read it."""


def order_of(args: dict[str, Json]) -> Order:
    """What the arguments of a step say."""
    return Order(
        terms=msgspec.convert(args["turn"], TurnTerms),
        number=msgspec.convert(args["number"], int),
        link=link_in(args.get("link")),
        message=msgspec.convert(args.get("message"), str | None),
        answer=link_in(args.get("answer")),
        calls=link_in(args.get("calls")),
        results=msgspec.convert(args.get("results") or [], tuple[Json, ...]),
        failures=msgspec.convert(args.get("failures") or {}, dict[str, int]),
        said=link_in(args.get("said")),
        asked=msgspec.convert(args.get("asked") or "", str),
        problems=msgspec.convert(args.get("problems") or 0, int),
        wrote=msgspec.convert(args.get("wrote") or [], tuple[str, ...]),
        stale=msgspec.convert(args.get("stale") or 0, int),
    )


def first_step(
    link: Artifact | None, terms: TurnTerms, ceiling: Cost, kept: Sequence[Artifact] = ()
) -> dict[str, Json]:
    """The first answer of a turn. What is `kept` was said before, and is named to be kept."""
    args: dict[str, Json] = {
        "turn": "${inputs.turn}",
        "number": 1,
        "message": "${inputs.message}",
    }
    if link is not None:
        args["link"] = link.to_json()
    if kept:
        args["kept"] = [artifact.to_json() for artifact in kept]
    return _step(1, args, terms, ceiling)


def first_of_agent(number: int, terms: TurnTerms, ceiling: Cost) -> dict[str, Json]:
    """The first answer of an agent that was chosen: what it is told, its choice gives."""
    assert terms.agent is not None
    args: dict[str, Json] = {
        "turn": _turn_of(terms),
        "number": number,
        "message": f"${{steps.{terms.agent.step}.message}}",
    }
    return _step(number, args, terms, ceiling)


def _turn_of(terms: TurnTerms) -> str:
    """Where the terms stand, as a reference: nothing in them is a template."""
    return f"${{steps.{terms.agent.step}.turn}}" if terms.agent else "${inputs.turn}"


def next_step(  # noqa: PLR0913 -- what an answer is told
    number: int,
    terms: TurnTerms,
    ceiling: Cost,
    *,
    link: Artifact,
    answer: Artifact,
    calls: Artifact | None = None,
    steps: Sequence[str] = (),
    failures: dict[str, int] | None = None,
    more: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """The answer that follows. Nothing that a model wrote stands here: arguments are templates."""
    args: dict[str, Json] = {
        "turn": _turn_of(terms),
        "number": number,
        "link": link.to_json(),
        "answer": answer.to_json(),
        "results": [f"${{outcomes.{step}}}" for step in steps],
        **(more or {}),
    }
    if calls is not None:
        args["calls"] = calls.to_json()
    if failures:
        args["failures"] = dict(failures)
    return _step(number, args, terms, ceiling)


def _step(number: int, args: dict[str, Json], terms: TurnTerms, ceiling: Cost) -> dict[str, Json]:
    step: dict[str, Json] = {
        "id": f"a{number}",
        "tool": f"{ANSWER}.{terms.agent.name}" if terms.agent else ANSWER,
        "args": args,
        "timeout": terms.limits.turn + SPARE,
    }
    if ceiling.usd or ceiling.tokens:
        step["ceiling"] = {"usd": ceiling.usd, "tokens": ceiling.tokens}
    return step


def encode_calls(calls: Sequence[AskedCall]) -> bytes:
    """Calls as they are stored."""
    return _calls_encoder.encode(calls)


def decode_calls(data: bytes) -> tuple[AskedCall, ...]:
    """Calls that were stored."""
    return _calls_decoder.decode(data)

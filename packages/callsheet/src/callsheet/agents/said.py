"""What a turn adds to its conversation: a projection of its journal.

However it ended: answered, stopped, cancelled, failed, or killed and never taken up again. Nobody
has to write anything at its end.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, cast

import msgspec

from callsheet.agents.flow import Flow
from callsheet.agents.history import link_in
from callsheet.agents.message import AnswerMessage, Call, Text, UserMessage
from callsheet.agents.order import decode_calls, order_of
from callsheet.agents.results import results_of
from callsheet.agents.terms import ANSWER_STEP, CALL_STEP, AskedCall, TurnTerms
from callsheet.core import value
from callsheet.core.ids import StepKey
from callsheet.core.past.became import outcome_of
from callsheet.core.plan.artifact import Artifact, artifacts_in
from callsheet.core.run import entries as e

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.agents.history import History, Store
    from callsheet.agents.message import Message, Part
    from callsheet.agents.order import Order
    from callsheet.core.plan.plan import Step
    from callsheet.core.value import Json


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation as a turn has left it."""

    link: Artifact | None
    """All that was said."""
    kept: tuple[Artifact, ...]
    """What the turn has added, and must be kept for it."""
    new: tuple[Artifact, ...]
    """Those of them that no entry of the turn names."""
    terms: TurnTerms


class _Past:
    """The entries of a turn, as far as they matter here."""

    def __init__(self, entries: Iterable[e.AnyEntry]) -> None:
        self.flow = Flow()
        self.args: dict[str, dict[str, Json]] = {}
        """Of answers that have started."""
        self.added: dict[str, list[Step]] = {}
        """Calls, by the answer that added them while it went on."""
        self.texts: dict[str, tuple[int, list[str]]] = {}
        """Answers, the latest attempt that said something, and what it said."""
        self.outputs: dict[str, Json] = {}
        for seq, entry in enumerate(entries, 1):
            self.flow.feed(seq, entry)
            self._take(entry)

    def _take(self, entry: e.AnyEntry) -> None:
        match entry:
            case e.AttemptStarted(step=step) if ANSWER_STEP.match(step):
                self.args[step] = cast("dict[str, Json]", value.decode(entry.args))
            case e.StepsAdded(step=str(step), steps=steps):
                calls = [each for each in steps if CALL_STEP.match(each.id)]
                self.added.setdefault(step, []).extend(calls)
            case e.TextEmitted(step=step, attempt=attempt, text=text):
                before = self.texts.get(step)
                kept = before[1] if before and before[0] == attempt else []
                self.texts[step] = (attempt, [*kept, text])
            case e.AttemptEnded(step=step, outcome="succeeded"):
                self.outputs[step] = value.decode(entry.output)
            case _:
                pass

    @property
    def last(self) -> str | None:
        """The last answer that has started."""
        return max(self.args, key=lambda step: int(step[1:]), default=None)

    def outcome(self, step: str) -> Json:
        """What became of a call, as `${outcomes.ID}` would say it."""
        snapshot = self.flow.snapshot
        if StepKey(step) not in snapshot.steps:
            error: Json = {"class": "cancelled", "message": "It was not made.", "happened": "no"}
            return {"state": "cancelled", "output": None, "error": error}
        return outcome_of(snapshot, self.flow.outputs, step)


async def said_in(entries: Sequence[e.AnyEntry], history: History, store: Store) -> Said:
    """The conversation as a turn has left it; what is not stored yet is."""
    past = _Past(entries)
    terms = past.flow.terms
    assert terms is not None
    link, messages = await _left(past, terms, history, store)
    link, stored = await history.extend(store, link, *messages)
    kept = {artifact.digest: artifact for artifact in (*_kept(past), *stored)}
    return Said(link=link, kept=tuple(kept.values()), new=tuple(stored), terms=terms)


async def heard_in(
    entries: Sequence[e.AnyEntry], history: History, store: Store
) -> tuple[Message, ...]:
    """All that was said up to and in a turn; nothing is stored.

    Of one that goes on, the answer that is being written is left out.
    """
    past = _Past(entries)
    assert past.flow.terms is not None
    link, messages = await _left(past, past.flow.terms, history, store)
    if past.flow.state == "running":
        messages = [*takewhile(_is_whole, messages)]
        if isinstance(past.outputs.get(past.last or ""), dict):
            messages = messages[:1]  # what comes of its calls is not known yet
    return (*await history.messages(store, link), *messages)


def _is_whole(message: Message) -> bool:
    return not isinstance(message, AnswerMessage) or not message.interrupted


def _kept(past: _Past) -> Iterable[Artifact]:
    for args in past.args.values():
        yield from artifacts_in(cast("Json", {name: args[name] for name in args if name != "turn"}))
    for step, record in past.outputs.items():
        if ANSWER_STEP.match(step):
            yield from artifacts_in(record)


async def _left(
    past: _Past, terms: TurnTerms, history: History, store: Store
) -> tuple[Artifact | None, list[Message]]:
    """A link, and the messages that follow it."""
    last = past.last
    if last is None:
        first = past.flow.snapshot.graph.plan.steps[0]
        return link_in(first.args.get("link")), [UserMessage(text=past.flow.message)]
    record = past.outputs.get(last)
    if isinstance(record, dict):
        answer = await history.message(store, Artifact(digest=str(record["response"])))
        calls = msgspec.convert(record.get("calls") or [], tuple[AskedCall, ...])
        return link_in(record["link"]), [answer, *_results(past, calls, terms)]
    order = order_of(past.args[last])
    heard = await _heard(past, order, history, store)
    parts, calls = _cut_short(past, last)
    if parts:
        heard.append(AnswerMessage(parts=parts, model=terms.model, interrupted=True))
    return order.link, [*heard, *_results(past, calls, terms)]


async def _heard(past: _Past, order: Order, history: History, store: Store) -> list[Message]:
    """What was new to an answer."""
    if order.answer is None or order.calls is None:
        return [UserMessage(text=past.flow.message)]
    calls = decode_calls(await store.load(order.calls))
    run = past.flow.snapshot.run
    results = results_of(calls, order.results, most=order.terms.result, run=run)
    return [await history.message(store, order.answer), results]


def _cut_short(past: _Past, step: str) -> tuple[tuple[Part, ...], tuple[AskedCall, ...]]:
    """What an answer had said and asked for when it was cut short."""
    _, said = past.texts.get(step, (0, []))
    parts: list[Part] = [Text(text="".join(said))] if said else []
    calls = []
    for each in past.added.get(step, []):
        text = value.encode(each.args).decode()
        parts.append(Call(id=each.label, name=each.tool or "", arguments=text))
        calls.append(AskedCall(id=each.label, name=each.tool or "", step=each.id))
    return tuple(parts), tuple(calls)


def _results(past: _Past, calls: Sequence[AskedCall], terms: TurnTerms) -> list[Message]:
    if not calls:
        return []
    run = past.flow.snapshot.run
    outcomes = [past.outcome(call.step) for call in calls if call.step]
    return [results_of(calls, outcomes, most=terms.result, run=run)]

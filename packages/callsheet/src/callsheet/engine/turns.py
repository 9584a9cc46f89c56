"""Turns: started in a conversation, found again, and what is kept of them when runs are deleted."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from callsheet.agents import money
from callsheet.agents.history import link_in
from callsheet.agents.message import UserMessage
from callsheet.agents.model import Offered, Request
from callsheet.agents.models import OwnModels
from callsheet.agents.order import first_step
from callsheet.agents.said import Said, said_in
from callsheet.agents.terms import CONVERSATION, PLAN, Limits, TurnTerms
from callsheet.agents.turn import Turn
from callsheet.core import given, value
from callsheet.core.ids import RunId
from callsheet.core.plan.artifact import Artifact
from callsheet.core.run.entries import RunStarted
from callsheet.engine.conversations import (
    HEAD,
    INDEX,
    Conversations,
    must_name,
    new_name,
    newest_turn,
    taken,
)
from callsheet.engine.offering import Offer, offer_of
from callsheet.errors import DeniedError, InputError, KeyReusedError
from callsheet.runtime.context import bytes_of
from callsheet.runtime.permitted import permitted
from callsheet.tools.modeltables import TurnsTable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence
    from pathlib import Path

    from callsheet.agents.answer import Desk
    from callsheet.agents.models import Models
    from callsheet.core.grants import Grants
    from callsheet.core.index.heads import RunHead
    from callsheet.core.plan.plan import Budget, Cost
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.value import Json
    from callsheet.engine.context import SharedContext
    from callsheet.engine.runs import Runs
    from callsheet.ports import ArtifactStore, Toolbox
    from callsheet.runtime.runtime import Runtime
    from callsheet.tools.configuration import Configuration
    from callsheet.tools.registry import Registry


class Shelf:
    """The artifacts of an engine, as conversations use them."""

    def __init__(self, artifacts: ArtifactStore) -> None:
        self._artifacts = artifacts

    async def store(
        self, data: bytes | str | Path, *, media_type: str = "", name: str = ""
    ) -> Artifact:
        """Keep bytes."""
        digest, size = await self._artifacts.put(bytes_of(data))
        return Artifact(digest=digest, media_type=media_type, size=size, name=name)

    async def load(self, artifact: Artifact) -> bytes:
        """The bytes of an artifact."""
        return await self._artifacts.get(artifact.digest)


class _Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a new turn stands in its conversation."""

    number: int
    link: Artifact | None = None
    kept: tuple[Artifact, ...] = ()


class Turns:
    """What `Engine` does with turns."""

    def __init__(  # noqa: PLR0913 -- the parts of an engine that a turn needs
        self,
        runs: Runs,
        runtime: Runtime,
        desk: Desk,
        *,
        context: SharedContext,
        artifacts: ArtifactStore,
        said: Configuration | None,
        tools: Registry,
        grants: Grants,
    ) -> None:
        self._runs = runs
        self._runtime = runtime
        self._models = desk.models
        self._tools = tools
        self._grants = grants
        self._context = context
        self._shelf = Shelf(artifacts)
        self._said = said
        self._history = desk.history

    async def start(  # noqa: PLR0913 -- as `Engine.turn`
        self,
        message: str,
        *,
        model: str,
        tools: Iterable[str] | None,
        instructions: str,
        conversation: str | None,
        budget: Budget | None,
        key: str | None,
        limits: Limits | None,
        tenant: str,
        box: Toolbox | None = None,
        reach: bool = True,
    ) -> Turn:
        """As `Engine.turn`.

        `box` has what whoever asks may have called; without `reach`, a model that is a file of
        this machine is not for them.
        """
        self._runs.must_drive()
        if not given.text("message", message).strip():
            raise InputError("The message is empty. Write something.")
        key = given.name_or_none("key", key)
        self.must_be_ready(given.text("model", model), tenant, reach=reach)
        offer = self.offered(tools, box or permitted(self._tools, self._grants, tenant))
        name = self._conversation(conversation, key, tenant)
        if (found := await self._before(name, key, tenant, message)) is not None:
            return found
        place = await self._place(name, tenant)
        terms = TurnTerms(
            model=model,
            conversation=name,
            number=place.number,
            tools=offer.names,
            withheld=len(offer.withheld),
            instructions=given.text("instructions", instructions),
            limits=self._limits(limits),
            result=(self._said.turns if self._said else TurnsTable()).result,
            # Without a key, the same words twice are two turns, of which one is refused.
            key=key or self._runtime.mint(),
        )
        budget = budget or (self._said.turns.budget if self._said else None)
        plan = await self._plan(terms, place, message, budget)
        return await self._launch(plan, terms, message, tenant)

    @property
    def models(self) -> Models:
        """The models there are."""
        return self._models

    def models_of(self, tenant: str, *, reach: bool) -> OwnModels:
        """Those that a tenant has; with `reach` it may name files of this machine."""
        return OwnModels(self._models, tenant, reach=reach)

    def usual_model(self, tenant: str) -> str:
        """The model that a tenant is answered by who names none: the first it has, or none."""
        return self._models.usual(tenant)

    def conversations(self, tenant: str, delete: Callable[[str], Awaitable[bool]]) -> Conversations:
        """Those of a tenant; `delete` removes a run."""
        return Conversations(
            tenant,
            self._runs,
            self._runtime,
            context=self._context,
            history=self._history,
            shelf=self._shelf,
            delete=delete,
        )

    def must_be_ready(self, model: str, tenant: str, *, reach: bool) -> None:
        """Refuse a model that cannot be asked: there is none, it has no key, no tape."""
        try:
            self.models_of(tenant, reach=reach).open(model)
        except DeniedError as exc:
            raise InputError(exc.message) from exc

    async def _launch(
        self, plan: dict[str, Json], terms: TurnTerms, message: str, tenant: str
    ) -> Turn:
        turn: Json = msgspec.to_builtins(terms)
        claim = f"{CONVERSATION}{terms.conversation}#{terms.number}"
        try:
            run = await self._runs.start(
                plan,
                {"turn": turn, "message": message},
                # The place in the conversation is taken in the append that starts the run.
                key=claim,
                is_open=True,
                tenant=tenant,
                subject=f"{CONVERSATION}{terms.conversation}",
            )
        except KeyReusedError:
            found = await self._newest(terms.conversation, tenant)
            raise taken(terms.conversation, found.run if found else "") from None
        head: Json = {"turn": run.id, "number": terms.number, "key": terms.key}
        await self._context.set(
            f"{CONVERSATION}{terms.conversation}", f"turn:{terms.number}", head, tenant=tenant
        )
        return Turn(run, terms.conversation)

    async def get(self, run: RunId) -> Turn:
        """As `Engine.get_turn`."""
        found = await self._runs.get(run)
        return Turn(found, (await self._terms_of(run)).conversation)

    async def _terms_of(self, run: RunId) -> TurnTerms:
        (first,) = await self._runtime.journal.read(run, limit=1)
        if isinstance(first, RunStarted) and first.plan.name == PLAN:
            inputs = value.decode(first.inputs)
            if isinstance(inputs, dict) and "turn" in inputs:
                return msgspec.convert(inputs["turn"], TurnTerms)
        raise InputError(f"Run {run!r} is no turn. `callsheet show {run}` shows what it is.")

    # The conversation

    def _conversation(self, conversation: str | None, key: str | None, tenant: str) -> str:
        if conversation is not None:
            return must_name(conversation)
        if key is not None:
            # Asked for twice, it is one turn, and so one conversation.
            return "c" + hashlib.sha256(f"{tenant}\n{key}".encode()).hexdigest()[:23]
        return new_name(self._runtime)

    async def _newest(self, conversation: str, tenant: str) -> RunHead | None:
        return await newest_turn(self._runs, conversation, tenant)

    async def _before(
        self, conversation: str, key: str | None, tenant: str, message: str
    ) -> Turn | None:
        """The turn that was started with this key before; one that goes on refuses all others.

        Raises:
            KeyReusedError: with this key, something else was said.
        """
        newest = await self._newest(conversation, tenant)
        if newest is None:
            return None
        if key is not None:
            found = await self._keyed(newest, conversation, key, tenant)
            if found is not None:
                if await self._message_of(found.run.id) != message:
                    raise KeyReusedError(
                        f"The key {key!r} was used for another message of this conversation. Use "
                        "a new one."
                    )
                return found
        if newest.ended is None:
            raise taken(conversation, newest.run)
        return None

    async def _keyed(
        self, newest: RunHead, conversation: str, key: str, tenant: str
    ) -> Turn | None:
        if (await self._terms_of(newest.run)).key == key:
            return Turn(await self._runs.get(newest.run), conversation)
        for item in await self._context.list(f"{CONVERSATION}{conversation}", tenant=tenant):
            held = item.value
            if isinstance(held, dict) and held.get("key") == key and held.get("turn"):
                return await self.get(RunId(str(held["turn"])))
        return None

    async def _message_of(self, run: RunId) -> Json:
        (first,) = await self._runtime.journal.read(run, limit=1)
        inputs = value.decode(first.inputs) if isinstance(first, RunStarted) else None
        return inputs.get("message") if isinstance(inputs, dict) else None

    async def _place(self, conversation: str, tenant: str) -> _Place:
        """Where the next turn stands, and what was said before it."""
        newest = await self._newest(conversation, tenant)
        if newest is not None:
            said = await self._said_in(newest.run)
            return _Place(number=said.terms.number + 1, link=said.link, kept=said.new)
        head = await self._context.get(f"{CONVERSATION}{conversation}", HEAD, tenant=tenant)
        if head is None or not isinstance(head.value, dict):
            return _Place(number=1)
        number = head.value.get("number")
        link = link_in(head.value.get("link"))
        return _Place(number=number + 1 if isinstance(number, int) else 1, link=link)

    async def _said_in(self, run: RunId, entries: Sequence[AnyEntry] | None = None) -> Said:
        read = entries if entries is not None else await self._runtime.journal.read(run)
        return await said_in(read, self._history, self._shelf)

    async def keep(self, entries: Sequence[AnyEntry]) -> None:
        """A turn is about to be deleted: what its conversation still needs of it is kept."""
        first = entries[0] if entries else None
        if not isinstance(first, RunStarted) or not (first.subject or "").startswith(CONVERSATION):
            return
        said = await self._said_in(RunId(first.run), entries)
        scope = str(first.subject)
        head = await self._context.get(scope, HEAD, tenant=first.tenant)
        number = head.value.get("number") if head and isinstance(head.value, dict) else 0
        kept: Json = {"kept": [artifact.to_json() for artifact in said.kept]}
        name = f"turn:{said.terms.number}"
        await self._context.set(scope, name, kept, tenant=first.tenant)
        if isinstance(number, int) and said.terms.number > number:
            link = said.link.to_json() if said.link else None
            held: Json = {"turn": first.run, "number": said.terms.number, "link": link}
            await self._context.set(scope, HEAD, held, tenant=first.tenant)
            # So that it is found when there is no run of it any more.
            known = scope.removeprefix(CONVERSATION)
            await self._context.set(INDEX, known, {}, tenant=first.tenant)

    # What a turn is told

    def _limits(self, limits: Limits | None) -> Limits:
        if limits is None:
            said = self._said.turns.limits if self._said else {}
            return msgspec.convert(said, Limits)
        given.of_type("limits", limits, Limits, "Limits")
        for name in limits.__struct_fields__:
            number = getattr(limits, name)
            whole = name in ("rounds", "calls")
            if not isinstance(number, int if whole else (int, float)) or not 0 < number < 10**6:
                kind = "a whole number from 1" if whole else "seconds, more than 0"
                raise InputError(f"{name}={number!r} is no limit. Write {kind}.")
        return limits

    def offered(self, tools: Iterable[str] | None, mine: Toolbox) -> Offer:
        """The tools that a model may call: those named, or what anybody may have."""
        if tools is None:
            tools = self._said.turns.tools if self._said else None
        programs = self._said.programs if self._said else ()
        return offer_of(tools, mine, self._tools, programs)

    async def _plan(
        self, terms: TurnTerms, place: _Place, message: str, budget: Budget | None
    ) -> dict[str, Json]:
        price = self._models.price(terms.model)
        if price is None and budget is not None and budget.usd is not None:
            raise InputError(
                f"The price of {terms.model!r} is unknown, so a budget in USD cannot be kept. Set "
                "it in the configuration (price = {input = 3.0, output = 15.0}), or leave the "
                "budget out."
            )
        before = await self._history.messages(self._shelf, place.link)
        specs = [spec for name in terms.tools if (spec := self._tools.spec(name))]
        request = Request(
            model=terms.model,
            messages=(*before, UserMessage(text=message)),
            instructions=terms.instructions,
            tools=tuple(
                Offered(name=spec.name, description=spec.description, schema=spec.input_schema)
                for spec in specs
            ),
        )
        most = self._models.most(terms.model)
        ceiling = money.ceiling_of(request, price, most)
        if budget is not None:
            _must_cover(budget, ceiling, money.most_input(request), most)
        plan: dict[str, Json] = {
            "callsheet": 1,
            "name": PLAN,
            "inputs": {"turn": {"type": "object"}, "message": {"type": "string"}},
            # An open run that continues would wait for ever for steps when the model has failed.
            "on_failure": "stop",
            "on_cancel": "keep",
            # The answer holds a slot itself.
            "concurrency": terms.limits.calls + 1,
            "steps": [first_step(place.link, terms, ceiling, place.kept)],
        }
        if budget is not None:
            plan["budget"] = msgspec.to_builtins(budget)
        return plan


def _must_cover(budget: Budget, ceiling: Cost, read: int, written: int) -> None:
    """Refuse a turn that could not even begin, before anything is spent."""
    for name, unit in (("usd", " USD"), ("tokens", " tokens")):
        most, cap = getattr(ceiling, name), getattr(budget, name)
        if cap is not None and most > cap:
            raise InputError(
                f"The budget of {cap:g}{unit} does not cover the first answer, which may take up "
                f"to {most:.4g}{unit}: {read:,} tokens read at most, {written:,} written. Raise "
                "the budget, offer fewer tools, or lower max_tokens in [models.NAME] settings."
            )

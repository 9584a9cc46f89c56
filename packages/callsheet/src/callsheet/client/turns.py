"""Turns and conversations of a service."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
from typing_extensions import override

from callsheet.agents.message import Message
from callsheet.agents.turn import Answer, Turn
from callsheet.client.connection import named, refuse
from callsheet.client.nouns import Noun
from callsheet.client.run import POLL, ClientRun, Patience
from callsheet.core import given
from callsheet.engine.conversations import Conversation
from callsheet.errors import EngineClosedError, InputError, StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Iterable

    from callsheet.agents.flow import Update
    from callsheet.agents.terms import Limits
    from callsheet.client.connection import Connection
    from callsheet.core.plan.plan import Budget


class ClientTurn(Turn):
    """A turn of a service."""

    def __init__(self, turn: str, conversation: str, connection: Connection) -> None:
        super().__init__(ClientRun(turn, connection), conversation)
        self._connection = connection

    @override
    async def flow(self, after: int = 0) -> AsyncIterator[Update]:
        given.whole("after", after)
        patience = Patience(self._connection.clock)
        while True:
            async with aclosing(_updates(self._connection, self.id, after)) as every:
                async for update in every:
                    number = update.get("seq")
                    after = number if isinstance(number, int) else after
                    yield update
                    if update["kind"] == "end":
                        return
            try:
                if (await self.status()).state != "running":
                    # What was left to tell, if anything: then the service has told all.
                    async with aclosing(_updates(self._connection, self.id, after)) as rest:
                        async for update in rest:
                            yield update
                    return
                patience.renew()
            except StoreError:  # it is away: it is waited for, for a while
                patience.spend()
            await self._connection.clock.sleep(POLL)

    @override
    async def status(self) -> Answer:
        told = await self._connection.get(named("turns", self.id))
        return msgspec.convert(told, Answer)

    @override
    async def cancel(self, *, reason: str = "", by: str | None = None) -> None:
        await self._connection.post(named("turns", self.id, "cancel"), {"reason": reason})


async def _updates(connection: Connection, turn: str, after: int) -> AsyncGenerator[Update, None]:
    """What a flow tells, until it ends or is lost: whoever reads goes on after that."""
    try:
        async with connection.stream(named("turns", turn, "flow"), after, {}) as answer:
            if answer.is_error:
                content = await answer.aread()
                with suppress(StoreError, EngineClosedError):
                    refuse(answer.status_code, content)
                return
            async for line in answer.aiter_lines():
                update: dict[str, Any] = msgspec.json.decode(line) if line else {}
                if "kind" in update:
                    yield update
    except httpx.TransportError:
        return


class ClientConversations(Noun):
    """Conversations."""

    async def begin(self, conversation: str | None = None) -> Conversation:
        """Begin one, under this name or a new one; one that is there is returned as it is."""
        body = {} if conversation is None else {"id": conversation}
        return _conversation(await self._connection.post("/api/conversations", body))

    async def get(self, conversation: str) -> Conversation | None:
        """The one of a name; None: there is none."""
        try:
            told = await self._connection.get(named("conversations", conversation))
        except InputError as error:
            if error.code != "input":
                raise
            return None
        return _conversation(told)

    async def list(self, *, limit: int = 50) -> list[Conversation]:
        """Those there are, by their newest turns; last those without any."""
        found = await self._listed("conversations", most=limit)
        return [_conversation(each) for each in found[:limit]]

    async def messages(self, conversation: str) -> tuple[Message, ...]:
        """All that was said, oldest first.

        Raises:
            InputError: there is no such conversation.
        """
        found = await self._listed("conversations", conversation, "messages")
        for each in found:
            del each["number"]
        return tuple(msgspec.convert(each, Message) for each in found)

    async def delete(self, conversation: str) -> bool:
        """Delete one for good, with its turns; False: there is none."""
        if await self.get(conversation) is None:
            return False
        await self._connection.ask("DELETE", named("conversations", conversation))
        return True

    async def say(  # noqa: PLR0913 -- as `Engine.turn`
        self,
        message: str,
        *,
        model: str | None,
        tools: Iterable[str] | None,
        instructions: str,
        conversation: str | None,
        budget: Budget | None,
        key: str | None,
        limits: Limits | None,
    ) -> ClientTurn:
        """As `Client.turn`."""
        if isinstance(tools, str):
            raise given.wrong("tools", "a list of names", tools)
        body = {
            "message": given.text("message", message),
            "id": given.name_or_none("key", key),
            "model": model,
            "tools": None if tools is None else [*tools],
            "instructions": instructions,
            "budget": None if budget is None else _said(budget),
            "limits": None if limits is None else _said(limits),
            "begin": True,
        }
        plain = {name: said for name, said in body.items() if said is not None}
        path = named("conversations", conversation or _new(key), "turns")
        told = await self._connection.post(path, plain)
        self._connection.mine.add(told["run"])
        return ClientTurn(told["turn"], told["conversation"], self._connection)

    async def turn(self, turn: str) -> ClientTurn:
        """The handle of a turn."""
        told = await self._connection.get(named("turns", turn))
        return ClientTurn(told["turn"], told["conversation"], self._connection)


def _conversation(told: dict[str, Any]) -> Conversation:
    return msgspec.convert(told, Conversation)


def _said(terms: Budget | Limits) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(terms)
    return {name: said for name, said in found.items() if said is not None}


def _new(key: str | None) -> str:
    """A conversation for somebody who names none: with a key, the same one each time."""
    if key is None:
        return f"c{secrets.token_hex(12)}"
    return "c" + hashlib.sha256(key.encode()).hexdigest()[:23]

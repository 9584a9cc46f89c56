"""Conversations: which there are, what was said in them, and how one is deleted for good."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from callsheet.agents.history import link_in
from callsheet.agents.said import heard_in
from callsheet.agents.terms import CONVERSATION, PLAN
from callsheet.core import given
from callsheet.core.index.heads import Filter
from callsheet.errors import InputError, StaleContextError, TurnRunningError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from callsheet.agents.history import History, Store
    from callsheet.agents.message import Message
    from callsheet.core.index.heads import RunHead
    from callsheet.core.value import Json
    from callsheet.engine.context import SharedContext
    from callsheet.engine.runs import Runs
    from callsheet.runtime.runtime import Runtime

HEAD = "head"
INDEX = CONVERSATION
"""The scope that names conversations of which there may be no run: one has no turn yet, or has
outlived them."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}\Z")
_PAGE = 200
_IDLE = "-"


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that there is."""

    id: str
    turn: str | None
    """The newest turn: a run; None: there is none yet, or none any more."""
    turns: int
    """How many there were."""
    started_at: str
    """When the newest turn was; or the conversation, where there is none."""
    state: str
    """Of the newest turn's run: `running`, or how it ended; `idle`: there is none."""

    def to_json(self) -> dict[str, Json]:
        """As plain data."""
        found: dict[str, Json] = msgspec.to_builtins(self)
        return found

    @property
    def place(self) -> str:
        """Where it stands in a list: what follows it comes `before` this."""
        return self.turn or f"{_IDLE}{self.id}"


class Conversations:
    """The conversations of one tenant."""

    def __init__(  # noqa: PLR0913 -- the parts of an engine that a conversation is kept in
        self,
        tenant: str,
        runs: Runs,
        runtime: Runtime,
        *,
        context: SharedContext,
        history: History,
        shelf: Store,
        delete: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._tenant = tenant
        self._runs = runs
        self._runtime = runtime
        self._context = context.of(tenant)
        self._history = history
        self._shelf = shelf
        self._delete = delete

    async def begin(self, conversation: str | None = None) -> Conversation:
        """Begin one, under this name or a new one; one that is there is returned as it is.

        Raises:
            InputError: it cannot be a name.
        """
        self._runs.must_drive()
        name = new_name(self._runtime) if conversation is None else must_name(conversation)
        found = await self.get(name)
        if found is None:
            with suppress(StaleContextError):  # somebody has begun it in the same moment
                await self._context.set(INDEX, name, {}, after=0)
            found = await self.get(name)
        assert found is not None
        return found

    async def get(self, conversation: str) -> Conversation | None:
        """The one of a name; None: there is none."""
        if not _NAME.match(given.sought("conversation", conversation)):
            return None
        newest = await newest_turn(self._runs, conversation, self._tenant)
        if newest is not None:
            return _talked(conversation, newest)
        return await self._idle(conversation)

    async def list(self, *, limit: int = 50, before: str | None = None) -> list[Conversation]:
        """Those there are, by their newest turns; last those without any.

        `before` is the `place` of one: the list goes on after it.
        """
        given.whole("limit", limit)
        found: list[Conversation] = []
        if before is None or not before.startswith(_IDLE):
            found += await self._talked(limit, before)
            before = None
        if len(found) < limit:
            found += await self._all_idle(limit - len(found), before)
        return found

    async def messages(self, conversation: str) -> tuple[Message, ...] | None:
        """All that was said, oldest first; None: there is no such conversation.

        Of a turn that goes on, what is being written is left out: its flow tells that.
        """
        if await self.get(conversation) is None:
            return None
        newest = await newest_turn(self._runs, conversation, self._tenant)
        if newest is not None:
            entries = await self._runtime.journal.read(newest.run)
            return await heard_in(entries, self._history, self._shelf)
        head = await self._context.get(f"{CONVERSATION}{conversation}", HEAD)
        said = head.value if head is not None and isinstance(head.value, dict) else {}
        return await self._history.messages(self._shelf, link_in(said.get("link")))

    async def delete(self, conversation: str) -> bool:
        """Delete one for good, with its turns; False: there is none.

        Raises:
            TurnRunningError: it has a turn that goes on.
        """
        if await self.get(conversation) is None:
            return False
        newest = await newest_turn(self._runs, conversation, self._tenant)
        if newest is not None and newest.ended is None:
            raise taken(conversation, newest.run)
        which = Filter(subject=f"{CONVERSATION}{conversation}", tenant=self._tenant, top_level=True)
        while heads := await self._runs.heads(which, None, limit=_PAGE, before=None):
            for head in heads:
                await self._delete(head.run)
        await self._context.delete(f"{CONVERSATION}{conversation}")
        await self._context.delete(INDEX, conversation)
        return True

    # Those with turns, and those without

    async def _talked(self, limit: int, before: str | None) -> Sequence[Conversation]:
        found: dict[str, Conversation] = {}
        is_begun = before is None
        which = Filter(plan=PLAN, tenant=self._tenant, top_level=True)
        while True:
            heads = await self._runs.heads(which, None, limit=_PAGE, before=before)
            for head in heads:
                name = _name_in(head)
                if name is None or name in found:
                    continue
                if not is_begun and not await self._is_newest(name, head):
                    continue  # it was listed, with a later turn
                found[name] = _talked(name, head)
                if len(found) >= limit:
                    return [*found.values()]
            if not heads:
                return [*found.values()]
            before = heads[-1].run

    async def _is_newest(self, conversation: str, head: RunHead) -> bool:
        newest = await newest_turn(self._runs, conversation, self._tenant)
        return newest is not None and newest.run == head.run

    async def _all_idle(self, limit: int, before: str | None) -> Sequence[Conversation]:
        items = sorted(await self._context.list(INDEX), key=lambda item: (item.saved_at, item.name))
        names = [item.name for item in reversed(items)]
        last = (before or "").removeprefix(_IDLE)
        found = []
        for name in names[names.index(last) + 1 if last in names else 0 :]:
            if await newest_turn(self._runs, name, self._tenant) is None:
                idle = await self._idle(name)
                found += [idle] if idle is not None else []
            if len(found) >= limit:
                break
        return found

    async def _idle(self, conversation: str) -> Conversation | None:
        head = await self._context.get(f"{CONVERSATION}{conversation}", HEAD)
        item = head or await self._context.get(INDEX, conversation)
        if item is None:
            return None
        number = item.value.get("number", 0) if isinstance(item.value, dict) else 0
        return Conversation(
            id=conversation,
            turn=None,
            turns=number if isinstance(number, int) else 0,
            started_at=msgspec.to_builtins(item.saved_at),
            state="idle",
        )


async def newest_turn(runs: Runs, conversation: str, tenant: str) -> RunHead | None:
    """The newest turn of a conversation, that there is a run of."""
    which = Filter(
        subject=f"{CONVERSATION}{conversation}", plan=PLAN, tenant=tenant, top_level=True
    )
    heads: Sequence[RunHead] = await runs.heads(which, None, limit=1, before=None)
    return heads[0] if heads else None


def new_name(runtime: Runtime) -> str:
    """A name for a conversation that nobody has named."""
    return "c" + runtime.mint()[1:]


def must_name(conversation: str) -> str:
    """What can be the name of a conversation.

    Raises:
        InputError: this cannot.
    """
    if not _NAME.match(given.text("conversation", conversation)):
        raise InputError(
            f"{conversation!r} cannot be a conversation: write letters, digits, '_' and '-', 100 "
            "at most; or leave it out, and a new one is begun."
        )
    return conversation


def taken(conversation: str, run: str) -> TurnRunningError:
    """What whoever says something too early is told."""
    return TurnRunningError(
        f"Conversation {conversation!r} has a turn in progress: {run!r}. Wait for it, or cancel "
        "it, then send this again.",
        turn=run,
    )


def _name_in(head: RunHead) -> str | None:
    subject = head.subject or ""
    return subject.removeprefix(CONVERSATION) if subject.startswith(CONVERSATION) else None


def _talked(conversation: str, head: RunHead) -> Conversation:
    number = (head.key or "").rpartition("#")[2]
    return Conversation(
        id=conversation,
        turn=head.run,
        turns=int(number) if number.isdecimal() else 1,
        started_at=msgspec.to_builtins(head.started_at),
        state=str(head.ended or "running"),
    )

"""Conversations: begun, listed, read, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from callsheet.agents.message import AnswerMessage, Thinking
from callsheet.serve.http.route import needs
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import RUN, answers, pages
from callsheet.serve.routes.shared import Cursor, Limit, page, routes_of, tenant_of, told, went_on
from callsheet.serve.routes.spoken import ConversationBody, ConversationTold, MessageTold

if TYPE_CHECKING:
    from callsheet.agents.message import Message
    from callsheet.engine.conversations import Conversation

routes = routes_of("conversations")
NAME = "c00t3v8bfg9qbvt0emeprjcd"
TALK = {
    "id": NAME,
    "turn": RUN,
    "turns": 3,
    "started_at": "2026-11-18T05:05:15.294409Z",
    "state": "succeeded",
    "links": {
        "self": f"/api/conversations/{NAME}",
        "messages": f"/api/conversations/{NAME}/messages",
        "turns": f"/api/conversations/{NAME}/turns",
    },
}
MESSAGE = {"number": 1, "kind": "user", "text": "Weather in Oslo?"}


@routes.get("/conversations", responses=pages(ConversationTold, TALK))
@needs("turns:read")
async def listed(request: Request, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Conversations, by their newest turns; last those without any."""
    before = went_on(request, "conversations", cursor)
    found = await tenant_of(request).conversations.list(limit=limit + 1, before=before)
    return page(request, "conversations", found, limit, _json, lambda each: each.place)


def _begun() -> dict[int | str, dict[str, Any]]:
    there = answers(ConversationTold, TALK, what="It is there already")
    begun = answers(ConversationTold, TALK, 409, 415, 507, status=201, what="It is begun")
    return {**begun, 200: there[200]}


@routes.post("/conversations", status_code=201, responses=_begun())
@needs("turns:write")
async def begin(request: Request, body: ConversationBody | None = None) -> Response:
    """Begin a conversation; one of this `id` that is there is answered as it is."""
    talks = tenant_of(request).conversations
    asked = body.id if body else None
    is_there = asked is not None and await talks.get(asked) is not None
    found = await talks.begin(asked)
    where = {"Location": f"/api/conversations/{found.id}"}
    return told(_json(found), 200 if is_there else 201, where)


@routes.get("/conversations/{conversation}", responses=answers(ConversationTold, TALK))
@needs("turns:read")
async def shown(request: Request, conversation: str) -> Response:
    """A conversation: its newest turn, and how many there were."""
    found = await tenant_of(request).conversations.get(conversation)
    if found is None:
        raise unknown()
    return told(_json(found))


@routes.delete(
    "/conversations/{conversation}",
    status_code=204,
    responses={**answers(None, None, 409), 204: {"description": "It is gone"}},
)
@needs("turns:write")
async def delete(request: Request, conversation: str) -> Response:
    """Delete a conversation for good, with its turns; not while one goes on."""
    if not await tenant_of(request).conversations.delete(conversation):
        raise unknown()
    return Response(status_code=204)


@routes.get("/conversations/{conversation}/messages", responses=pages(MessageTold, MESSAGE))
@needs("turns:read")
async def messages(
    request: Request, conversation: str, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """All that was said, oldest first: what a person said, answers, and what came of calls.

    Of a turn that goes on, what is being written is left out: its flow tells that. A model's
    thoughts are not told.
    """
    listed = f"conversations/{conversation}"
    after = went_on(request, listed, cursor)
    every = await tenant_of(request).conversations.messages(conversation)
    if every is None:
        raise unknown()
    skipped = int(after) if after is not None else 0
    found = list(enumerate(every, 1))[skipped : skipped + limit + 1]
    return page(
        request,
        listed,
        found,
        limit,
        lambda each: {"number": each[0], **_message(each[1])},
        lambda each: str(each[0]),
    )


def unknown() -> Refusal:
    """There is no such conversation."""
    return Refusal(404, "unknown_conversation", "There is no such conversation.")


def _json(found: Conversation) -> dict[str, Any]:
    here = f"/api/conversations/{found.id}"
    links = {"self": here, "messages": f"{here}/messages", "turns": f"{here}/turns"}
    return {**found.to_json(), "links": links}


def _message(message: Message) -> dict[str, Any]:
    if isinstance(message, AnswerMessage):
        told = tuple(part for part in message.parts if not isinstance(part, Thinking))
        message = msgspec.structs.replace(message, parts=told)
    found: dict[str, Any] = msgspec.to_builtins(message)
    return found

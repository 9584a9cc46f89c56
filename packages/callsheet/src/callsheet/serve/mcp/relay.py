"""Stdin and stdout on this side, the `/mcp` of a service on the other: for runs that go on alone.

Messages are passed on as they are. What HTTP wants beside them, headers that repeat the body, is
put there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.server.stdio import stdio_server
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    encode_header_value,
)
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from callsheet.errors import InputError
from callsheet.serve.mcp.stdio import until_told
from callsheet.serve.mcp.wire import Lines, Writer

if TYPE_CHECKING:
    from mcp_types import RequestId

    from callsheet.serve.mcp.wire import Wire

PATH = "/mcp"
_VERSION = "io.modelcontextprotocol/protocolVersion"
_NAMED = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
_LAST_WORDS = 1.0
_REACH = 10.0
"""Seconds in which a service must answer that it is there."""
_UNKNOWN = 401


async def relay(server: str, key: str | None, wire: Wire) -> None:
    """Pass messages on until the client closes its end.

    Raises:
        InputError: there is no service, or it does not know the key.
    """
    address = server.rstrip("/")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    patience = httpx2.Timeout(_REACH, read=None)
    async with httpx2.AsyncClient(headers=headers, timeout=patience) as http:
        await _must_answer(http, address.removesuffix(PATH))
        reads, writes = cast("Any", Lines(wire)), cast("Any", Writer(wire))
        where = address if address.endswith(PATH) else f"{address}{PATH}"
        async with (
            until_told() as scope,
            streamable_http_client(where, http_client=http) as (inward, outward),
            stdio_server(reads, writes) as (read, write),
            anyio.create_task_group() as group,
        ):
            passing = _Passing(where)
            group.start_soon(passing.inward, inward, write)
            await passing.outward(read, outward, write)
            scope.deadline = anyio.current_time() + _LAST_WORDS


async def _must_answer(http: httpx2.AsyncClient, address: str) -> None:
    try:
        found = await http.get(f"{address}/api/tools", params={"limit": 1})
    except (httpx2.HTTPError, httpx2.InvalidURL) as exc:
        raise InputError(
            f"There is no service at {address}: {exc}. Start one: callsheet serve."
        ) from exc
    if found.status_code == _UNKNOWN:
        raise InputError(
            f"The service at {address} does not know this key. Set CALLSHEET_KEY, or name a file "
            "that has it with --key-file."
        )


class _Passing:
    """What is on its way: requests that wait for an answer, and the protocol that was agreed on."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._waiting: set[RequestId] = set()
        self._greeting: RequestId | None = None
        self._agreed: str | None = None

    async def outward(self, read: Any, outward: Any, write: Any) -> None:
        """From the client to the service."""
        async with outward:
            async for found in read:
                if isinstance(found, Exception):
                    error = ErrorData(code=-32700, message="That is no message.")
                    answer = JSONRPCError(jsonrpc="2.0", id=None, error=error)
                    await write.send(SessionMessage(answer))
                    continue
                message = found.message
                if isinstance(message, JSONRPCRequest):
                    self._waiting.add(message.id)
                    if message.method == "initialize":
                        self._greeting = message.id
                await outward.send(SessionMessage(message, metadata=self._headers(message)))

    async def inward(self, inward: Any, write: Any) -> None:
        """From the service to the client. A service that is gone is an answer to all that wait."""
        async for found in inward:
            if isinstance(found, Exception):
                for waiting in tuple(self._waiting):
                    await write.send(SessionMessage(self._gone(waiting, found)))
                self._waiting.clear()
                continue
            message = found.message
            if isinstance(message, (JSONRPCResponse, JSONRPCError)) and message.id is not None:
                self._waiting.discard(message.id)
                if isinstance(message, JSONRPCResponse) and message.id == self._greeting:
                    self._agreed = message.result.get("protocolVersion")
            await write.send(SessionMessage(message))

    def _gone(self, waiting: RequestId, why: Exception) -> JSONRPCError:
        said = (
            f"The service at {self._where} has not answered: {why}. Runs go on there all the same."
        )
        error = ErrorData(code=INTERNAL_ERROR, message=said)
        return JSONRPCError(jsonrpc="2.0", id=waiting, error=error)

    def _headers(self, message: Any) -> ClientMessageMetadata | None:
        if not isinstance(message, (JSONRPCRequest, JSONRPCNotification)):
            return None
        params = message.params or {}
        version = (params.get("_meta") or {}).get(_VERSION) or self._agreed
        if version is None or message.method == "initialize":
            return None
        headers = {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: message.method}
        name = params.get(_NAMED.get(message.method, ""))
        if isinstance(name, str):
            headers[MCP_NAME_HEADER] = encode_header_value(name)
        return ClientMessageMetadata(headers=headers)

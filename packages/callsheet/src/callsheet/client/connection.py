"""Asking the service: keys, retries of what is safe, and errors as what they are."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote, urlsplit

import httpx
import msgspec

from callsheet.core.problem import Problem
from callsheet.errors import (
    InputError,
    RequestPendingError,
    StoreBusyError,
    StoreError,
    TurnRunningError,
    kind_of,
)
from callsheet.runtime.clock import SystemClock

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.ports import Clock

ATTEMPTS = 5
BACKOFF = 0.2
LONGEST = 10.0
"""Seconds that are waited at most between two attempts."""
PATIENCE = httpx.Timeout(90.0, connect=10.0)
"""Longer than the service lets anybody wait."""
_AGAIN = frozenset({502, 503, 504})


class Connection:
    """The way to one service."""

    def __init__(self, url: str, key: str | None = None, *, clock: Clock | None = None) -> None:
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
            raise InputError(f"{url!r} is no address of a service. Write http://127.0.0.1:8400.")
        self.url = url.rstrip("/")
        self.clock: Clock = clock or SystemClock()
        self.mine: set[str] = set()
        """Runs that were begun, or asked to go on, through it: whoever did stays with them."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.AsyncClient(
            base_url=self.url, headers=headers, timeout=PATIENCE, trust_env=False
        )

    async def close(self) -> None:
        """Close what is open."""
        await self._http.aclose()

    async def get(self, path: str, **asked: object) -> Any:
        """What is answered to a GET, as plain data."""
        return (await self.ask("GET", path, asked=asked)).json()

    async def post(self, path: str, body: object = None, **asked: object) -> Any:
        """What is answered to a POST; asked again under the same key if the answer is lost.

        Raises:
            RequestPendingError: it is recorded, and nobody drives the run now.
        """
        found = (await self.ask("POST", path, asked=asked, body=body)).json()
        if found.get("served") is False:
            raise RequestPendingError
        return found

    async def ask(
        self,
        method: str,
        path: str,
        *,
        asked: Mapping[str, object] | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """What is answered to a request.

        Only what is safe is asked again: what changes nothing, and what has a key of its own.

        Raises:
            CallsheetError: it was refused; as the engine would raise it.
            StoreError: the service cannot be reached.
        """
        said = dict(headers or {})
        if method == "POST":
            said.setdefault("Idempotency-Key", f"client-{secrets.token_hex(12)}")
        content = None
        if body is not None:
            content = body if isinstance(body, bytes) else msgspec.json.encode(body)
            said.setdefault("Content-Type", "application/json")
        request = self._http.build_request(
            method, path, params=_plain(asked or {}), content=content, headers=said
        )
        for attempt in range(ATTEMPTS):
            last = attempt == ATTEMPTS - 1
            try:
                answer = await self._http.send(request)
            except httpx.TransportError as exc:
                if last or not (isinstance(exc, httpx.ConnectError) or method != "DELETE"):
                    raise self._away(exc) from exc
                await self.clock.sleep(BACKOFF * 2**attempt)
                continue
            if answer.status_code in _AGAIN and not last:
                await self.clock.sleep(_wait(answer, attempt))
                continue
            if answer.is_error:
                refuse(answer.status_code, answer.content)
            return answer
        raise AssertionError("the last attempt returns or raises")

    def stream(self, path: str, after: int, asked: Mapping[str, object]) -> Any:
        """A stream of lines of JSON, from a number on."""
        headers = {"Accept": "application/x-ndjson"}
        params = _plain({**asked, "after": after or None})
        timeout = httpx.Timeout(90.0, connect=10.0, read=None)
        return self._http.stream("GET", path, params=params, headers=headers, timeout=timeout)

    def _away(self, error: httpx.TransportError) -> StoreError:
        why = str(error) or type(error).__name__
        return StoreError(f"The service at {self.url} cannot be reached: {why}.")


def named(*parts: str) -> str:
    """The path of something, by the names in it."""
    return "/api/" + "/".join(quote(part, safe="") for part in parts)


def refuse(status: int, content: bytes) -> NoReturn:
    """Raise what the service answers, as the engine would.

    Raises:
        CallsheetError: always.
    """
    try:
        told = msgspec.json.decode(content)
        code, detail = str(told["code"]), str(told["detail"])
    except (msgspec.MsgspecError, KeyError, TypeError):
        raise StoreError(
            f"What answers there is no service of Callsheet (status {status})."
        ) from None
    kind = kind_of(code)
    if kind is None:
        kind = InputError if status < 500 else StoreBusyError  # noqa: PLR2004 -- a status
    if kind is TurnRunningError:
        raise TurnRunningError(detail, turn=str(told.get("turn", "")))
    problems = [msgspec.convert(each, Problem) for each in told.get("problems", ())]
    if issubclass(kind, InputError) and problems:
        raise kind(detail, problems)
    raise kind(detail)


def _plain(asked: Mapping[str, object]) -> dict[str, str]:
    """What is asked, without what is not."""
    found = {name: said for name, said in asked.items() if said is not None}
    return {
        name: str(said).lower() if isinstance(said, bool) else str(said)
        for name, said in found.items()
    }


def _wait(answer: httpx.Response, attempt: int) -> float:
    said = answer.headers.get("retry-after", "")
    return min(LONGEST, float(said)) if said.isdecimal() else BACKOFF * 2**attempt

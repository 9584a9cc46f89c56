"""One HTTP request and its answer: addressed, timed, bounded, and its failure put into words."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import functools
import re
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from msgspec import field
from msgspec.structs import replace

from callsheet.core import value
from callsheet.errors import (
    DeniedError,
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    ToolError,
    ToolTimeoutError,
    TransientError,
)
from callsheet.tools.calling.failure import broken_off
from callsheet.tools.outside.body import (
    ACCEPTED,
    BodyError,
    TooLongError,
    Unpacker,
    read_body,
    text_of,
)

if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping

    import httpx

    from callsheet.core.value import Json
    from callsheet.ports import GivenSecrets
    from callsheet.tools.outside.network import Network

LARGEST = 10_000_000
MOST_REDIRECTS = 10
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
_DENIED = (401, 403, 407)
_AGAIN = (408, 425)
_RATE_LIMITED = 429
_WRONG = 400
_BROKEN = 500
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_UNTOUCHED = frozenset({307, 308})
"""Redirects that say: nothing was done here, ask there in the same way."""
_FOR_EVERYBODY = frozenset({"accept", "accept-language", "user-agent"})
"""Headers that may go to whoever a redirect names."""
_COMPLAINT = 500
"""Bytes of an error's text that are shown."""
LISTENING = 2.0
"""Seconds for the text of an error."""
_CONNECT = 15.0
"""Seconds in which an address takes a connection, or never."""
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_OURS = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that say where one request ends and whom it is for: what a plan sets there may lie."""
_PORTS = {"http": 80, "https": 443}


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A request."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    seconds: float
    largest: int

    @property
    def writes(self) -> bool:
        """Whether something may change when it is served."""
        return self.method not in SAFE

    def follow(self, status: int, location: str) -> Ask | None:
        """What to ask where the answer points; None: the answer is what was asked for."""
        import httpx

        if status not in _REDIRECTS or not location:
            return None
        if self.writes and status not in _UNTOUCHED:
            return None
        here = httpx.URL(self.url)
        there = here.join(location)
        if _origin(here) == _origin(there):
            return replace(self, url=str(there))
        if self.writes:
            raise DeniedError(f"{shown(self.url)} redirects a write to another server.")
        kept = {k: text for k, text in self.headers.items() if k.lower() in _FOR_EVERYBODY}
        return replace(self, url=str(there), headers=kept)


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came back."""

    status: int
    url: str
    """Where it ended, without query."""
    headers: dict[str, str]
    body: bytes
    charset: str | None

    @property
    def json(self) -> Json:
        """The body, as JSON.

        Raises:
            ValueError: it is not.
        """
        try:
            found = value.decode(self.body)
            problem = value.problem_of(found)
        except RecursionError:
            problem = f"nested more than {value.MAX_DEPTH} levels deep"
        else:
            if problem is None:
                return found
        raise ValueError(problem)

    @property
    def text(self) -> str | None:
        """The body, as text; None: it is not."""
        return text_of(self.body, self.charset)

    def content(self) -> tuple[str, Json]:
        """The body as `json` (if it says it is), `body` (text) or `base64`."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "application/json" or kind.endswith("+json"):
            with contextlib.suppress(ValueError):
                return "json", self.json
        text = self.text
        if text is not None:
            return "body", text
        return "base64", base64.b64encode(self.body).decode()


async def exchange(ask: Ask, network: Network, secrets: GivenSecrets | None = None) -> Answer:
    """Send a request and give its answer, if it is no error.

    Redirects are followed: of a read all of them, of a write those that say that nothing was done.
    What stands in the request of `secrets` goes to no host that it is not granted for.

    Raises:
        ToolError: of the class that fits; for a write, it says that nothing happened only if that
            is certain.
    """
    _check(ask)
    # The first time, this takes longer than many requests, and would block the loop.
    attempt = _Attempt(network, secrets, await asyncio.to_thread(_certificates))
    place = shown(ask.url)
    try:
        async with asyncio.timeout(ask.seconds):
            return await attempt.make(ask)
    except TimeoutError as exc:
        what = f"{place} did not answer within {ask.seconds:g} s."
        raise (ToolTimeoutError(what) if attempt.sent else NotDoneError(what)) from exc
    except asyncio.CancelledError:
        if attempt.sent:
            raise
        raise NotDoneError(f"{place} had not been asked yet.") from None


def shown(url: str) -> str:
    """The URL for messages: without user, query and fragment, where secrets stand.

    Raises:
        InvalidError: it is not a web address.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as exc:
        raise InvalidError(f"Wrong arguments: args.url is not a URL ({exc}).") from exc
    if parts.scheme not in _PORTS or not host:
        raise InvalidError("Wrong arguments: args.url must begin with http:// or https://.")
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path}"


class _Attempt:
    """A request on its way, over redirects and addresses."""

    def __init__(
        self, network: Network, secrets: GivenSecrets | None, certificates: ssl.SSLContext
    ) -> None:
        self._network = network
        self._secrets = secrets
        self._certificates = certificates
        self.sent = False
        """Whether a server may have begun to serve it."""

    async def make(self, ask: Ask) -> Answer:
        """Send it, follow, and give the answer."""
        import httpx

        place = shown(ask.url)
        for _ in range(MOST_REDIRECTS + 1):
            try:
                async with self._client() as client:
                    found = await self._send(client, ask)
            except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError) as exc:
                raise InvalidError(f"{place}: {exc}") from exc
            except httpx.HTTPError as exc:
                raise self._lost(exc, shown(ask.url)) from exc
            if isinstance(found, Answer):
                return found
            ask = found
            self.sent = False
        raise FatalError(f"{place} redirects in circles.")

    async def _send(self, client: httpx.AsyncClient, ask: Ask) -> Answer | Ask:
        import httpx

        shown(ask.url)  # a redirect may lead anywhere
        url = httpx.URL(ask.url)
        if url.scheme not in _PORTS:
            raise InvalidError("Wrong arguments: args.url must begin with http:// or https://.")
        host = url.raw_host.decode("ascii")
        self._check_secrets(host)
        addresses = await self._network.addresses(host, url.port or _PORTS[url.scheme])
        # No address may keep us from trying the next one.
        share = min(ask.seconds / len(addresses), _CONNECT)
        timeout = httpx.Timeout(ask.seconds, connect=share)
        said = {"trace": self._trace, "timeout": timeout.as_dict()}
        *others, last = [_request(client, ask, url, each, said) for each in addresses]
        for request in others:
            with contextlib.suppress(httpx.ConnectError, httpx.ConnectTimeout):
                return await _answer(client, request, ask)
        return await _answer(client, last, ask)

    def _check_secrets(self, host: str) -> None:
        name = self._secrets.kept_from(host) if self._secrets is not None else None
        if name is not None:
            raise DeniedError(f"The secret {name} is not granted for the host {host}.")

    def _client(self) -> httpx.AsyncClient:
        import httpx

        # A proxy of the environment would resolve names itself, so it is not used.
        return httpx.AsyncClient(verify=self._certificates, trust_env=False)

    async def _trace(self, event: str, _info: object) -> None:
        # From here on the server has something in its hands.
        self.sent = self.sent or event.endswith("send_request_headers.started")

    def _lost(self, exc: httpx.HTTPError, place: str) -> ToolError:
        import httpx

        if isinstance(exc, httpx.LocalProtocolError):
            return InvalidError(f"{place}: {exc}")
        if not self.sent:
            return NotDoneError(f"{place} cannot be reached: {exc}")
        if isinstance(exc, httpx.TimeoutException):
            return ToolTimeoutError(f"{place} did not answer in time.")
        return TransientError(f"{place}: {type(exc).__name__}: {exc}")


async def _answer(client: httpx.AsyncClient, request: httpx.Request, ask: Ask) -> Answer | Ask:
    response = await client.send(request, stream=True)
    try:
        return await _read(response, ask)
    finally:
        await response.aclose()


def _request(
    client: httpx.AsyncClient, ask: Ask, url: httpx.URL, address: str, said: dict[str, object]
) -> httpx.Request:
    """A request to the address that was looked at, in the name of the host."""
    headers = {"Host": url.netloc.decode("ascii"), "Accept-Encoding": ACCEPTED, **ask.headers}
    return client.build_request(
        ask.method,
        url.copy_with(host=address),
        headers=headers,
        content=ask.content,
        # The certificate is checked against the name, not the address.
        extensions={"sni_hostname": url.raw_host.decode("ascii"), **said},
    )


@functools.cache
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


async def _read(response: httpx.Response, ask: Ask) -> Answer | Ask:
    place = shown(ask.url)
    status = response.status_code
    there = ask.follow(status, response.headers.get("location", ""))
    if there is not None:
        return there
    if status >= _WRONG:
        raise await _error(response, place)
    try:
        body = await read_body(response, ask.largest)
    except TooLongError as exc:
        what = f"{place} answered with more than {ask.largest:,} bytes."
        raise broken_off(what, writes=ask.writes) from exc
    except BodyError as exc:
        raise broken_off(f"{place} answered, and {exc}.", writes=ask.writes) from exc
    return Answer(
        status=status,
        url=place,
        headers=dict(response.headers),
        body=body,
        charset=response.charset_encoding,
    )


async def _error(response: httpx.Response, place: str) -> ToolError:
    status = response.status_code
    said = await _complaint(response) if status < _BROKEN else ""
    what = f"{place} answered {status}{f': {said}' if said else ''}."
    return _error_for(status)(what, retry_after=_retry_after(response))


async def _complaint(response: httpx.Response) -> str:
    """The beginning of what a server says is wrong, if it is text."""
    kind = response.headers.get("content-type", "")
    if not ("json" in kind or kind.startswith("text/plain")):
        return ""
    import httpx

    # The status has said what counts, whatever becomes of the rest.
    text = bytearray()
    with contextlib.suppress(TimeoutError, httpx.HTTPError, BodyError, TooLongError):
        async with asyncio.timeout(LISTENING):
            unpacker = Unpacker(response.headers.get("content-encoding", ""), _COMPLAINT)
            text = unpacker.body
            async for chunk in response.aiter_raw():
                await unpacker.feed(chunk)
    return " ".join(text[:_COMPLAINT].decode(errors="replace").split())


def _error_for(status: int) -> type[ToolError]:
    if status == _RATE_LIMITED:
        return RateLimitedError
    if status in _DENIED:
        return DeniedError
    if status >= _BROKEN or status in _AGAIN:
        return TransientError
    return InvalidError


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds; a date is taken relative to the server's own clock."""
    said = response.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}", said):
        return float(said)
    try:
        at = parsedate_to_datetime(said)
        now = parsedate_to_datetime(response.headers.get("date", ""))
        return max(0.0, (at - now).total_seconds())
    except (TypeError, ValueError):
        return None


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or _PORTS.get(url.scheme)


def _check(ask: Ask) -> None:
    shown(ask.url)
    for name, text in ask.headers.items():
        if name.strip().lower() in _OURS:
            raise InvalidError(f"Wrong arguments: the header {name!r} is not a plan's to set.")
        if not _HEADER.match(name) or any(sign in text for sign in "\r\n\0"):
            raise InvalidError(f"Wrong arguments: the header {name!r} cannot be sent.")

"""What the adapters share: one way to a service, its failures in our words, and downloads.

An SDK is given a client whose transport tries each request once, goes to the service's own address
only, and says of a failure whether the request had gone out: that decides whether something may
have been ordered, and an SDK does not tell.
"""

from __future__ import annotations

import asyncio
import functools
import re
import zlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal

import httpx
from typing_extensions import override

from callsheet.apps import Network
from callsheet.errors import (
    DeniedError,
    FatalError,
    InputError,
    NotDoneError,
    RateLimitedError,
    ToolError,
    TransientError,
)
from callsheet_studio.providers.answers import Complaint, error_for

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator

Doing = Literal["submit", "look", "fetch", "cancel"]

TIMEOUT = httpx.Timeout(60.0, connect=10.0)
LARGEST = 500_000_000
"""Bytes: more than any clip that is ordered, and less than a memory."""
MOST_REDIRECTS = 5
_DOWNLOAD = 600.0
"""Seconds for a download as a whole."""
_MOST_ADDRESSES = 4
"""Of a host, that are tried one after the other."""
_ONE_LAYER = frozenset({"gzip", "x-gzip"})
_GZIP = 16 + zlib.MAX_WBITS
_ERROR = 300
_LATE = frozenset({400, 404, 409, 410, 422})
"""What a cancellation is answered with when there is nothing more to cancel."""
_PORTS = {"http": 80, "https": 443}
_BROKE = re.compile(
    r"(not (?:have )?enough|insufficient|exhausted|out of) (\w+ )?(credit|balance|fund|budget)",
    re.IGNORECASE,
)
"""How services that answer 400 say that the account is empty."""
_SAID = frozenset({"message", "msg", "detail", "error", "issues"})
_NAMED = frozenset({"code", "type", "error_type", "reason", "status"})
"""Where errors keep what they say to people, and by which word."""
_KEYS = ("authorization", "x-goog-api-key")
_WRONG_KEY = "API_KEY_INVALID"
"""As Google says it, with 400."""


class AnsweredError(Exception):
    """The service answered with an error."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(f"{complaint.status}: {complaint.text}")
        self.complaint = complaint


class Wire(httpx.AsyncBaseTransport):
    """The way to a service: each request once, to its address only, and read to its end."""

    def __init__(self, service: str, base_url: str, *, instead_of: str = "") -> None:
        """Lay it.

        Args:
            service: its name, for messages.
            base_url: where it is.
            instead_of: the host that an SDK asks because it cannot be told another one.
        """
        self.base = httpx.URL(base_url)
        if self.base.scheme not in _PORTS or not self.base.host:
            raise InputError(f"{service}: {base_url!r} is not a web address.")
        self._service = service
        self._instead_of = instead_of
        self._inner = httpx.AsyncHTTPTransport(verify=certificates())

    def client(self, **headers: str) -> httpx.AsyncClient:
        """A client that goes this way."""
        return httpx.AsyncClient(transport=self, timeout=TIMEOUT, headers=headers)

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._answer(self._placed(request))
        if response.status_code >= _ERROR:
            raise AnsweredError(_complaint(response))
        return response

    async def download(self, place: str) -> bytes:
        """What is at an address that the service has told; the key is not sent there.

        Raises:
            FatalError: it is not an address that may be fetched.
            NotDoneError: it cannot be fetched now, or no more.
        """
        try:
            async with asyncio.timeout(_DOWNLOAD):
                response = await self._handed_out(self._fetchable(place))
        except (TransientError, TimeoutError) as exc:
            raise NotDoneError(f"{self._service} does not hand it out: {exc}") from exc
        if not response.is_success or not response.content:
            what = f"{self._service} answered {response.status_code} at the address that it gave."
            raise NotDoneError(f"{what} Look again for a fresh one.")
        return response.content

    @override
    async def aclose(self) -> None:
        await self._inner.aclose()

    def _placed(self, request: httpx.Request) -> httpx.Request:
        url = request.url
        if self._instead_of and url.host == self._instead_of:
            path = self.base.raw_path.rstrip(b"/") + url.raw_path
            url = self.base.copy_with(raw_path=path)
        if _origin(url) != _origin(self.base):
            what = f"{self._service} was to be asked at {url.host}, but it is at {self.base.host}."
            raise DeniedError(f"{what} The key stays where it belongs.")
        headers = request.headers.copy()
        headers["host"] = url.netloc.decode("ascii")
        headers["accept-encoding"] = "gzip"
        return httpx.Request(
            request.method, url, headers=headers, stream=request.stream, extensions=_timeouts()
        )

    async def _handed_out(self, url: httpx.URL) -> httpx.Response:
        for _ in range(MOST_REDIRECTS):
            response = await self._fetched(url)
            if not response.has_redirect_location:
                return response
            url = self._fetchable(response.headers["location"], url)
        raise FatalError(f"{self._service}: the address of the file redirects in circles.")

    async def _fetched(self, url: httpx.URL) -> httpx.Response:
        """What is at an address. Beside the service's own, it has to be a public one."""
        if _origin(url) == _origin(self.base):
            return await self._answer(httpx.Request("GET", url, extensions=_timeouts()))
        name = url.raw_host.decode("ascii")
        places = await Network().addresses(name, url.port or _PORTS[url.scheme])
        # The address that was looked at is the one that is connected to, in the name of the host.
        tried = [
            httpx.Request(
                "GET",
                url.copy_with(host=place),
                headers={"Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity"},
                extensions={**_timeouts(), "sni_hostname": name},
            )
            for place in places[:_MOST_ADDRESSES]
        ]
        for request in tried[:-1]:
            with suppress(NotDoneError):
                return await self._answer(request)
        return await self._answer(tried[-1])

    def _fetchable(self, place: str, told_by: httpx.URL | None = None) -> httpx.URL:
        try:
            url = told_by.join(place) if told_by else httpx.URL(place)
        except (httpx.InvalidURL, ValueError) as exc:
            raise FatalError(f"{self._service} gave what is not an address: {exc}") from exc
        if (url.scheme == "https" and url.host) or _origin(url) == _origin(self.base):
            return url
        what = f"{self._service} wants a file fetched from {url.scheme or 'no'}://{url.host}"
        raise FatalError(f"{what}, which is not https.")

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        """Send it, and read the whole answer.

        Raises:
            NotDoneError: it did not go out.
            TransientError: it went out, and nobody knows.
        """
        sent = False

        async def trace(event: str, _info: object) -> None:
            nonlocal sent
            sent = sent or event.endswith("send_request_headers.started")

        request.extensions["trace"] = trace
        place = f"{self._service} at {request.url.host}"
        try:
            response = await self._inner.handle_async_request(request)
            try:
                return await _read(response, request)
            finally:
                await response.aclose()
        except httpx.HTTPError as exc:
            what = f"{type(exc).__name__} {exc}".strip()
            if not sent:
                raise NotDoneError(f"{place} cannot be reached: {what}") from exc
            raise TransientError(f"{place} did not answer: {what}") from exc


@contextmanager
def told(service: str, doing: Doing) -> Iterator[None]:
    """Say what an SDK raises in the words of the port."""
    try:
        yield
    # Whatever an SDK raises, and wraps in what it raises.
    except Exception as exc:
        for each in _causes(exc):
            if isinstance(each, AnsweredError):
                found = _error(service, doing, each.complaint)
                if found is None:
                    return
                raise found from exc
            if each is exc and isinstance(each, ToolError):
                raise
            if isinstance(each, ToolError):
                raise each from exc
        raise TransientError(f"{service}: {type(exc).__name__}: {exc}") from exc


def needed(package: str, service: str) -> InputError:
    """What is wrong when an SDK is not installed."""
    return InputError(
        f"{service} needs the package {package}: pip install 'callsheet-studio[providers]'."
    )


def _error(service: str, doing: Doing, complaint: Complaint) -> ToolError | None:
    """The error of an answer; None: of a cancellation that comes too late."""
    found = error_for(service, complaint)
    what, wait = found.message, found.retry_after
    if doing == "fetch":
        return NotDoneError(what, retry_after=wait)
    if doing == "cancel" and complaint.status in _LATE:
        return None
    if _WRONG_KEY in complaint.words:
        return DeniedError(what)
    if doing == "submit" or isinstance(found, DeniedError):
        return found
    if isinstance(found, RateLimitedError | TransientError):
        return TransientError(what, retry_after=wait)
    return FatalError(f"{what} The order cannot be asked about.")


def _causes(exc: BaseException) -> Iterator[BaseException]:
    found: BaseException | None = exc
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__


async def _read(response: httpx.Response, request: httpx.Request) -> httpx.Response:
    too_much = f"{request.url.host} answered with more than {LARGEST:,} bytes."
    packed = bytearray()
    async for chunk in response.aiter_raw():
        packed += chunk
        if len(packed) > LARGEST:
            raise FatalError(too_much)
    headers = response.headers.copy()
    coded = headers.pop("content-encoding", "identity").strip().lower()
    body: bytes | None = bytes(packed)
    if coded in _ONE_LAYER:
        body = await asyncio.to_thread(_unpacked, bytes(packed))
    elif coded != "identity":
        # Of several layers the inner ones are not counted by anybody.
        raise FatalError(f"{request.url.host} answered in {coded[:60]!r}, which was not asked for.")
    if body is None:
        raise FatalError(too_much)
    return httpx.Response(
        response.status_code,
        headers=headers,
        content=body,
        extensions=response.extensions,
        request=request,
    )


def _unpacked(packed: bytes) -> bytes | None:
    """What one layer of gzip holds; None: more than may be.

    Raises:
        httpx.DecodingError: it is none.
    """
    layer = zlib.decompressobj(wbits=_GZIP)
    try:
        found = layer.decompress(packed, LARGEST + 1)
    except zlib.error as exc:
        raise httpx.DecodingError(str(exc)) from exc
    return found if len(found) <= LARGEST else None


def _complaint(response: httpx.Response) -> Complaint:
    text, words = "", set[str]()
    kind = response.headers.get("content-type", "")
    if "json" in kind:
        with suppress(ValueError):
            found = list(_strings(response.json()))
            text = "; ".join(dict.fromkeys(each for name, each in found if name in _SAID))
            words = {each for name, each in found if name in _NAMED}
    elif kind.startswith("text/plain"):
        text = response.text
    if _BROKE.search(text):
        words.add("insufficient_credits")
    headers = dict(response.headers)
    said = _without_key(text, response.request)
    return Complaint(
        status=response.status_code, words=frozenset(words), text=said, headers=headers
    )


def _without_key(text: str, request: httpx.Request) -> str:
    """Some services repeat the key that they do not take."""
    for name in _KEYS:
        key = request.headers.get(name, "").rpartition(" ")[2]
        text = text.replace(key, "[key]") if key else text
    return text


def _strings(found: object, name: str = "") -> Iterator[tuple[str, str]]:
    """All texts within JSON, with the names that they stand under."""
    if isinstance(found, str):
        yield name, found
    elif isinstance(found, list):
        for each in found:
            yield from _strings(each, name)
    elif isinstance(found, dict):
        for key, each in found.items():
            yield from _strings(each, str(key))


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or _PORTS.get(url.scheme)


def _timeouts() -> dict[str, object]:
    return {"timeout": TIMEOUT.as_dict()}


@functools.cache
def certificates() -> ssl.SSLContext:
    """Whom to trust. To read it takes longer than many requests, so it is read once."""
    return httpx.create_ssl_context()

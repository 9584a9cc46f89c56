"""What the servers of providers share: HTTP, orders that are worked on, and faults.

There is no clock: work goes on by one piece each time it is looked at.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections import Counter
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.unit.providers.cases import Fault

KEY = "key-for-tests"
PATIENCE = 180
FILES = "/made/"
STANDING: frozenset[Fault] = frozenset({"slow", "unknown_job", "expired"})
"""Faults that stay."""
LIMITED = 429
PIECES = 2
SLOW = 5
"""Looks until an order is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    """Their names in small letters."""
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body; it must be an object."""
        require(self.headers.get("content-type", "").startswith("application/json"), "not JSON")
        found = json.loads(self.body)
        require(isinstance(found, dict), "not an object")
        return dict(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What comes back; JSON unless it is bytes. `lost`: nothing does, and the line is cut."""

    status: int = 200
    content: object = None
    headers: dict[str, str] = field(default_factory=dict)
    lost: bool = False


class RefusedError(Exception):
    """An answer that is an error, or none."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


class WrongError(Exception):
    """An error that is worded as the provider words most of them."""

    def __init__(self, status: int, what: str) -> None:
        super().__init__(what)
        self.status = status
        self.what = what


@dataclass(slots=True, kw_only=True)
class Work:
    """An order that was taken."""

    id: str
    asked: dict[str, Any]
    looks: int = 0
    refused: bool = False
    cancelled: bool = False


def require(holds: object, what: str, status: int = 400) -> None:
    """Refuse the request, as the real one does, unless this holds."""
    if not holds:
        raise WrongError(status, what)


class Service:
    """A server; what is about one provider stands in a class below it."""

    made = b"\x00\x00\x00\x18ftypmp42 a clip"

    def __init__(self) -> None:
        self.base_url = ""
        self.works: dict[str, Work] = {}
        self.requests: list[Asked] = []
        self.always = 0
        """The status of every answer, if it is one."""
        self._faults: Counter[Fault] = Counter()
        self._signature = 0
        self._lock = threading.Lock()

    @property
    def orders(self) -> list[str]:
        """The ids of what was accepted."""
        return list(self.works)

    @property
    def cancelled(self) -> list[str]:
        """The ids of what it was asked not to make."""
        return [work.id for work in self.works.values() if work.cancelled]

    def break_with(self, fault: Fault, times: int = 1) -> None:
        """Do this for so many requests."""
        if fault == "expired":
            self._signature += 1
        self._faults[fault] += times

    def answer(self, asked: Asked) -> Answer:
        """Of any request."""
        with self._lock:
            self.requests.append(asked)
            try:
                require(not self.always, "Not now", self.always)
                require(not self.takes("server_error"), "Internal Server Error", 500)
                if asked.path.startswith(FILES):
                    return self._file(asked)
                return self.serve(asked)
            except RefusedError as exc:
                return exc.answer
            except WrongError as exc:
                content = self.complaint(exc.status, exc.what)
                headers = {"Retry-After": "7"} if exc.status == LIMITED else {}
                return Answer(status=exc.status, content=content, headers=headers)

    def complaint(self, status: int, what: str) -> object:
        """An error, as this provider words it."""
        del status
        return {"error": what}

    def serve(self, asked: Asked) -> Answer:
        """Of a request of the API."""
        raise NotImplementedError

    def takes(self, fault: Fault) -> bool:
        """Whether to do this now."""
        if not self._faults[fault]:
            return False
        if fault not in STANDING:
            self._faults[fault] -= 1
        return True

    def take(self, asked: dict[str, Any]) -> Work:
        """Accept an order, if no fault forbids it."""
        require(not self.takes("rate_limited"), "Too many requests", LIMITED)
        job = f"{len(self.works):08d}-made-here"
        work = self.works[job] = Work(id=job, asked=asked, refused=self.takes("refused"))
        if self.takes("lost_answer"):
            raise RefusedError(Answer(lost=True))
        return work

    def look(self, job: str) -> Work:
        """An order, worked on by one piece."""
        require(job in self.works and not self.takes("unknown_job"), "not found", 404)
        work = self.works[job]
        work.looks += 1
        return work

    def is_made(self, work: Work) -> bool:
        """Whether it is."""
        return work.looks >= (SLOW if self.takes("slow") else PIECES)

    def address(self, work: Work) -> str:
        """Where it is fetched, for now."""
        return f"{self.base_url}{FILES}{work.id}.mp4?signature={self._signature}"

    def _file(self, asked: Asked) -> Answer:
        require(asked.method == "GET", "method not allowed", 405)
        # A store of files is not the API: a key that is sent there has leaked.
        require(KEY not in str(asked.headers), "the key was sent along")
        require(asked.query.get("signature") == [str(self._signature)], "Request has expired", 403)
        return Answer(content=self.made)


@contextlib.asynccontextmanager
async def serving(service: Service) -> AsyncIterator[Service]:
    """Serve on loopback."""

    class Handler(_Handler):
        asked_of = service

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        service.base_url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield service
        finally:
            server.shutdown()
            thread.join(PATIENCE)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer is one packet, or the kernel waits for an acknowledgement in its middle.
    wbufsize = -1
    disable_nagle_algorithm = True
    asked_of: Service

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = Asked(
            method=self.command,
            path=parts.path,
            query=parse_qs(parts.query),
            headers={name.lower(): text for name, text in self.headers.items()},
            body=self.rfile.read(int(self.headers.get("Content-Length", 0))),
        )
        answer = self.asked_of.answer(asked)
        if answer.lost:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self._send(answer)

    do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815 -- as the base class finds them

    def _send(self, answer: Answer) -> None:
        is_file = isinstance(answer.content, bytes)
        body = answer.content if is_file else json.dumps(answer.content).encode()
        assert isinstance(body, bytes)
        self.send_response_only(answer.status)
        kind = "video/mp4" if is_file else "application/json"
        for name, text in {"Content-Type": kind, **answer.headers}.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @override
    def log_message(self, *args: object) -> None:
        pass

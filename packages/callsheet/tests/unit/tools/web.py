"""A web server on this machine, with answers of all kinds."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from tests.unit.tools.ctx import PATIENCE
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trustme import LeafCert

DATE = "Wed, 01 May 2024 10:00:00 GMT"
LATER = "Wed, 01 May 2024 10:01:30 GMT"

ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/text": (200, {"Content-Type": "text/plain; charset=latin-1"}, b"\xf8"),
    "/json": (200, {"Content-Type": "application/json"}, b'{"a": [1, null]}'),
    "/problem": (200, {"Content-Type": "application/problem+json"}, b"[]"),
    "/not-json": (200, {"Content-Type": "application/json"}, b"{"),
    "/nan": (200, {"Content-Type": "application/json"}, b'{"a": NaN}'),
    "/bytes": (200, {"Content-Type": "image/png"}, b"\xff\xfe\x00"),
    "/large": (200, {"Content-Type": "text/plain"}, b"x" * 2000),
    "/moved": (302, {"Location": "/json"}, b""),
    "/circle": (302, {"Location": "/circle"}, b""),
    "/to-file": (302, {"Location": "file:///etc/passwd"}, b""),
    "/to-metadata": (302, {"Location": "http://169.254.169.254/latest/meta-data"}, b""),
    "/to-metadata-307": (307, {"Location": "http://169.254.169.254/latest/meta-data"}, b""),
    "/see-other": (303, {"Location": "/json"}, b""),
    "/400": (400, {}, b""),
    "/409": (409, {"Content-Type": "text/plain"}, b"it is\ntaken"),
    "/422": (422, {"Content-Type": "application/json"}, b'{"detail": "no such city"}'),
    "/401": (401, {}, b""),
    "/403": (403, {}, b""),
    "/404": (404, {}, b""),
    "/408": (408, {}, b""),
    "/429": (429, {"Retry-After": "7"}, b""),
    "/429-date": (429, {"Retry-After": LATER, "Date": DATE}, b""),
    "/429-odd": (429, {"Retry-After": "soon"}, b""),
    "/500": (500, {}, b""),
    "/502": (502, {}, b""),
    "/504": (504, {}, b""),
    "/503": (503, {"Retry-After": "3"}, b""),
}


class Handler(BaseHTTPRequestHandler):
    release: threading.Event
    asked: list[str]
    """What was asked: method and path."""

    def do_POST(self) -> None:
        self.asked.append(f"{self.command} {self.path}")
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length).decode()
        if self.path == "/echo":
            said = {
                "method": self.command,
                "body": body,
                "headers": dict(self.headers),
                "keys": self.headers.get_all("Idempotency-Key"),
            }
            self.answer(200, {"Content-Type": "application/json"}, json.dumps(said).encode())
        elif self.path == "/telltale":
            complaint = f"no user has the token {self.headers['Authorization']}"
            self.answer(401, {"Content-Type": "text/plain"}, complaint.encode())
        elif self.path == "/again":
            self.answer(307, {"Location": "/echo"}, b"")
        else:
            self.do_GET()

    def do_PUT(self) -> None:
        self.do_POST()

    def do_PATCH(self) -> None:
        self.do_POST()

    def do_DELETE(self) -> None:
        self.do_POST()

    def do_HEAD(self) -> None:
        self.send_response_only(200)
        self.send_header("X-Head", "yes")
        self.end_headers()

    def do_GET(self) -> None:
        if self.path in ("/slow-body", "/slow-409"):
            self.send_response_only(200 if self.path == "/slow-body" else 409)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", "10")
            self.end_headers()
            self.wfile.write(b"half")
            self.wfile.flush()
            self.release.wait(PATIENCE)
            return
        if self.path == "/slow":
            self.release.wait(PATIENCE)
        if self.path in ("/hang-up", "/slow"):
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if self.path == "/headers":
            self.answer(200, {f"X-Seen-{k}": text for k, text in self.headers.items()}, b"")
        elif self.path.startswith("/query"):
            self.answer(200, {}, self.path.encode())
        elif self.path.startswith("/elsewhere"):
            port = self.path.partition("?")[2]
            self.answer(302, {"Location": f"http://127.0.0.1:{port}/headers"}, b"")
        else:
            self.answer(*ANSWERS[self.path.partition("?")[0]])

    def answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response_only(status)
        for name, text in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    @override
    def log_message(self, *args: object) -> None:
        pass


@contextlib.contextmanager
def serving(certificate: LeafCert | None = None) -> Iterator[str]:
    """A server, with TLS if it has a certificate; gives its address."""
    Handler.release = threading.Event()
    Handler.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            certificate.configure_cert(context)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            Handler.release.set()
            server.shutdown()
            thread.join(PATIENCE)

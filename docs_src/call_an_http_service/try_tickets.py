"""A tracker on this machine, and a plan that opens a ticket there and looks it up."""

import asyncio
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from callsheet import Engine, Plan, Step, load_tools

STEPS = (
    Step(id="ticket", tool="tickets.open", args={"title": "Tea is out", "tags": ["kitchen"]}),
    Step(id="found", tool="tickets.find", args={"id": "${steps.ticket.id}"}),
)


class Tracker(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        print(self.path, self.headers["Authorization"], sent)
        self.answer({"id": 7})

    def do_GET(self) -> None:
        print(self.path)
        self.answer({"id": 7, "state": "open"})

    def answer(self, found: object) -> None:
        body = json.dumps(found).encode()
        self.send_response_only(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


async def main() -> None:
    async with Engine.in_memory(load_tools("tickets.py")) as engine:
        run = await engine.start(Plan(name="try", steps=STEPS))
        result = await run.wait()
    print(result.state, result.steps["found"].output)


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Tracker) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        os.environ["TRACKER"] = f"http://127.0.0.1:{server.server_port}"
        os.environ["TRACKER_TOKEN"] = "t0ken"
        asyncio.run(main())
        server.shutdown()

import os

from callsheet import http_tool

TRACKER = os.environ.get("TRACKER", "https://tracker.example")
HOUSE = ["127.0.0.1", "10.0.0.0/8"]

close = http_tool(
    "tickets.close",
    f"{TRACKER}/tickets/${{args.output.id}}",
    method="DELETE",
    idempotent=True,
    allow_private=HOUSE,
    description="Close a ticket: takes tickets.open back.",
)

start = http_tool(
    "tickets.open",
    f"{TRACKER}/tickets",
    method="POST",
    headers={"Authorization": "Bearer ${env.TRACKER_TOKEN}"},
    args={"title": "string", "tags": {"type": "array", "default": []}},
    returns={"type": "object", "properties": {"id": {"type": "integer"}}},
    idempotent=True,
    undo=close,
    limit="10/s",
    allow_private=HOUSE,
    description="Open a ticket.",
)

find = http_tool(
    "tickets.find",
    f"{TRACKER}/tickets/${{args.id}}",
    allow_private=HOUSE,
    description="Look a ticket up.",
)

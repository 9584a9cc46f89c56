"""A server that speaks the API of fal's queue."""

from __future__ import annotations

import base64
import re
from typing import Any

from tests.providers.service import (
    KEY,
    Answer,
    Asked,
    RefusedError,
    Service,
    Work,
    WrongError,
    require,
)
from typing_extensions import override

SHAPES = {"21:9", "16:9", "4:3", "1:1", "3:4", "9:16", "auto"}
SEEDANCE: dict[str, set[object]] = {
    "duration": {str(seconds) for seconds in range(4, 16)},
    "resolution": {"480p", "720p", "1080p", "4k"},
    "generate_audio": {True, False},
}
KLING: dict[str, set[object]] = {"duration": {"5", "10"}}
TAKES: dict[str, dict[str, set[object]]] = {
    "bytedance/seedance-2.0/image-to-video": SEEDANCE,
    "bytedance/seedance-2.0/text-to-video": {**SEEDANCE, "aspect_ratio": {*SHAPES}},
    "fal-ai/kling-video/v2.5-turbo/pro/image-to-video": KLING,
    "fal-ai/kling-video/v2.5-turbo/pro/text-to-video": {
        **KLING,
        "aspect_ratio": {"16:9", "9:16", "1:1"},
    },
    "minimax/h3/image-to-video": {
        "duration": {*range(5, 16)},
        "resolution": {"480P", "768P", "2K", "4K"},
    },
    "fal-ai/nano-banana-2": {
        "num_images": {1, 2, 3, 4},
        "aspect_ratio": {*SHAPES},
        "resolution": {"0.5K", "1K", "2K", "4K"},
    },
}
"""What an endpoint takes beside a prompt and a first frame."""
REQUEST = re.compile(r"/([^/]+/[^/]+)/requests/([^/]+)(/status|/cancel|)\Z")
POLICY = "The content could not be processed: it was flagged by a content checker."


class FalService(Service):
    """Requests in a queue."""

    @override
    def complaint(self, status: int, what: str) -> object:
        return {"detail": what}

    @override
    def serve(self, asked: Asked) -> Answer:
        wrong = self.takes("bad_key") or asked.headers.get("authorization") != f"Key {KEY}"
        require(not wrong, "Cannot access application: invalid key.", 401)
        found = REQUEST.match(asked.path)
        if asked.method == "POST":
            return self._order(asked.path.removeprefix("/"), asked.json)
        require(found, "not found", 404)
        assert found is not None
        app, job, what = found.groups()
        require(job in self.works, "Request not found", 404)
        # Later paths have the owner and the name of the app, and nothing behind it.
        endpoint = str(self.works[job].asked["endpoint"])
        require(endpoint.split("/")[:2] == app.split("/"), "Request not found", 404)
        match asked.method, what:
            case "GET", "/status":
                return self._status(self.look(job))
            case "GET", "":
                return self._result(self.works[job])
            case "PUT", "/cancel":
                self.works[job].cancelled = True
                return Answer(status=202, content={"status": "CANCELLATION_REQUESTED"})
            case _:
                raise WrongError(405, "Method Not Allowed")

    def _order(self, endpoint: str, body: dict[str, Any]) -> Answer:
        takes = TAKES.get(endpoint)
        require(takes is not None, f"Application {endpoint!r} not found", 404)
        assert takes is not None
        from_picture = endpoint.endswith("/image-to-video")
        wanted = {"prompt", *takes} | ({"image_url"} if from_picture else set())
        wrong = sorted(wanted ^ set(body))
        wrong += [name for name, values in takes.items() if body.get(name) not in values]
        detail = [{"loc": ["body", each], "msg": "Input should be another"} for each in wrong]
        if detail:
            raise RefusedError(Answer(status=422, content={"detail": detail}))
        if from_picture:
            head, _, text = str(body["image_url"]).partition(",")
            require(head == "data:image/png;base64", "Failed to load the image", 422)
            require(base64.b64decode(text, validate=True), "Failed to load the image", 422)
        locked = "User is locked. Reason: Exhausted balance. Top up your balance."
        require(not self.takes("no_balance"), locked, 403)
        work = self.take({**body, "endpoint": endpoint})
        # As the real one: these lead elsewhere, and whoever follows them leaves this machine.
        place = f"https://queue.fal.run/{'/'.join(endpoint.split('/')[:2])}/requests/{work.id}"
        return Answer(
            content={
                "status": "IN_QUEUE",
                "request_id": work.id,
                "response_url": place,
                "status_url": f"{place}/status",
                "cancel_url": f"{place}/cancel",
                "queue_position": 0,
            }
        )

    def _status(self, work: Work) -> Answer:
        if not self.is_made(work):
            if work.looks == 1:
                return Answer(status=202, content={"status": "IN_QUEUE", "queue_position": 3})
            return Answer(status=202, content={"status": "IN_PROGRESS", "logs": None})
        return Answer(content={"status": "COMPLETED", "logs": None, "metrics": {}})

    def _result(self, work: Work) -> Answer:
        require(self.is_made(work), "Request is still in progress")
        if work.refused:
            detail = {"loc": ["body", "prompt"], "msg": POLICY, "type": "content_policy_violation"}
            return Answer(status=422, content={"detail": [detail]})
        file = {"url": self.address(work), "content_type": "video/mp4"}
        is_clip = "duration" in work.asked
        return Answer(content={"video": file, "seed": 7} if is_clip else {"images": [file]})

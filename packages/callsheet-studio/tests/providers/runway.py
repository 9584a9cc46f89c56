"""A server that speaks Runway's API."""

from __future__ import annotations

import base64
from typing import Any

from tests.providers.service import KEY, Answer, Asked, Service, Work, WrongError, require
from typing_extensions import override

VERSION = "2024-11-06"
WIDE = {"1280:720", "720:1280"}
OWN = WIDE | {"1104:832", "960:960", "832:1104", "1584:672"}
FULL = WIDE | {"1920:1080", "1080:1920"}
TAKES: dict[tuple[str, str], tuple[set[str], range, set[str]]] = {
    ("/v1/image_to_video", "gen4.5"): (OWN, range(2, 11), {"promptImage", "promptText"}),
    ("/v1/text_to_video", "gen4.5"): (WIDE, range(2, 11), {"promptText"}),
    ("/v1/image_to_video", "gen4_turbo"): (OWN, range(2, 11), {"promptImage"}),
    ("/v1/image_to_video", "veo3.1"): (FULL, range(4, 9, 2), {"promptImage"}),
    ("/v1/text_to_image", "gen4_image"): (FULL, range(0), {"promptText"}),
}
"""For an endpoint and a model: its ratios, its lengths, and what it must be given besides."""
SOUNDING = {"veo3.1"}
LONGEST = 1000
HEAVIEST = 5_000_000


class RunwayService(Service):
    """Tasks."""

    @override
    def serve(self, asked: Asked) -> Answer:
        wrong = self.takes("bad_key") or asked.headers.get("authorization") != f"Bearer {KEY}"
        require(not wrong, "The API key you provided is invalid.", 401)
        require(asked.headers.get("x-runway-version") == VERSION, "X-Runway-Version is missing")
        match asked.method, asked.path.removeprefix("/v1/tasks/"):
            case "POST", path:
                return self._order(path, asked.json)
            case "GET", job:
                return Answer(content=self._task(self.look(job)))
            case "DELETE", job:
                require(job in self.works, "not found", 404)
                self.works[job].cancelled = True
                return Answer(status=204, content=b"")
            case _:
                raise WrongError(405, "Method not allowed")

    def _order(self, path: str, body: dict[str, Any]) -> Answer:
        found = TAKES.get((path, str(body.get("model"))))
        require(found, f"Validation of body failed: no such model at {path}")
        assert found is not None
        ratios, lengths, needed = found
        allowed = {"model", "ratio", "duration", "promptText", "promptImage", "seed"}
        allowed |= {"audio"} if body["model"] in SOUNDING else set()
        require(needed <= set(body) <= allowed, "Validation of body failed: fields")
        require(body.get("ratio") in ratios, "Validation of body failed: ratio")
        length = body.get("duration")
        fits = type(length) is int and length in lengths if lengths else length is None
        require(fits, "Validation of body failed: duration")
        require(0 < len(body["promptText"]) <= LONGEST, "Validation of body failed: promptText")
        if "promptImage" in body:
            check_picture(body["promptImage"])
        require(not self.takes("no_balance"), "You do not have enough credits to run this task.")
        work = self.take(body)
        return Answer(content={"id": work.id, "estimatedCost": {"credits": 25}})

    def _task(self, work: Work) -> dict[str, Any]:
        task: dict[str, Any] = {"id": work.id, "createdAt": "2026-11-16T09:00:00.000Z"}
        cost = {"cost": {"credits": 25}}
        if not self.is_made(work):
            task["estimatedCost"] = {"credits": 25}
            if work.looks == 1:
                return {**task, "status": "PENDING"}
            return {**task, "status": "RUNNING", "progress": round(work.looks / 10, 2)}
        if work.refused:
            why = "Content moderation: the text was refused."
            return {
                **task,
                "status": "FAILED",
                "failure": why,
                "failureCode": "SAFETY.INPUT.TEXT",
                **cost,
            }
        return {**task, "status": "SUCCEEDED", "output": [self.address(work)], **cost}


def check_picture(frames: object) -> None:
    """A first frame, within the JSON."""
    require(isinstance(frames, list) and len(frames) == 1, "Validation of body failed: promptImage")
    assert isinstance(frames, list)
    require(frames[0].get("position") == "first", "Validation of body failed: position")
    head, _, text = str(frames[0].get("uri")).partition(",")
    require(head in {"data:image/png;base64", "data:image/jpeg;base64"}, "Invalid data URI")
    require(0 < len(base64.b64decode(text, validate=True)) <= HEAVIEST, "Invalid asset")

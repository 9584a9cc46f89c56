"""A server that speaks Luma's Agents API."""

from __future__ import annotations

import base64
from typing import Any

from tests.providers.service import KEY, Answer, Asked, Service, Work, require
from typing_extensions import override

BEFORE = "/v1/generations"
SHAPES = {"9:16", "3:4", "1:1", "4:3", "16:9", "21:9"}
COMMON = {"prompt", "model", "type", "aspect_ratio"}
SIZES = {"360p", "540p", "720p", "1080p"}
FRAMES = 121
"""Of a clip of five seconds."""


class LumaService(Service):
    """Generations."""

    @override
    def complaint(self, status: int, what: str) -> object:
        return {"detail": what}

    @override
    def serve(self, asked: Asked) -> Answer:
        wrong = self.takes("bad_key") or asked.headers.get("authorization") != f"Bearer {KEY}"
        require(not wrong, "Not authenticated", 401)
        if (asked.method, asked.path) == ("POST", BEFORE):
            return self._order(asked.json)
        require(asked.method == "GET" and asked.path.startswith(f"{BEFORE}/"), "Not Found", 404)
        return Answer(content=self._generation(self.look(asked.path.removeprefix(f"{BEFORE}/"))))

    def _order(self, body: dict[str, Any]) -> Answer:
        require(body.get("prompt") and body.get("aspect_ratio") in SHAPES, "invalid_request", 422)
        if body.get("type") == "image":
            require(body["model"] in {"uni-1", "uni-1-max"}, "invalid_request: model", 422)
            require(body.keys() <= COMMON | {"output_format"}, "invalid_request: fields", 422)
        else:
            require(body.get("type") == "video", "invalid_request: type", 422)
            require(body["model"] == "ray-3.2", "invalid_request: model", 422)
            require(body.keys() == COMMON | {"video"}, "invalid_request: fields", 422)
            check_video(body["video"])
        require(not self.takes("no_balance"), "Insufficient credits", 402)
        work = self.take(body)
        return Answer(status=201, content=self._generation(work))

    def _generation(self, work: Work) -> dict[str, Any]:
        found: dict[str, Any] = {
            "id": work.id,
            "created_at": "2026-11-16T09:00:00Z",
            "model": work.asked["model"],
            "type": work.asked["type"],
        }
        if not self.is_made(work):
            return {**found, "state": "processing" if work.looks > 1 else "queued"}
        if work.refused:
            why = "The prompt was refused by moderation."
            failed = {"failure_code": "content_moderated", "failure_reason": why}
            return {**found, "state": "failed", **failed}
        output = {"type": work.asked["type"], "url": self.address(work)}
        return {**found, "state": "completed", "output": [output]}


def check_video(video: dict[str, Any]) -> None:
    """The options of a clip."""
    allowed = {"duration", "resolution", "keyframes", "keyframe_indexes"}
    require(video.keys() <= allowed, "invalid_request: video", 422)
    require(video["duration"] in {"5s", "10s"}, "invalid_request: duration", 422)
    require(video["resolution"] in SIZES, "invalid_request: resolution", 422)
    frames, indexes = video.get("keyframes", []), video.get("keyframe_indexes", [])
    require(len(frames) == len(indexes), "invalid_request: keyframe_indexes", 422)
    require(all(0 <= index < FRAMES for index in indexes), "invalid_request: index", 422)
    for frame in frames:
        require(frame.keys() == {"data", "media_type"}, "invalid_request: keyframe", 422)
        require(frame["media_type"] in {"image/png", "image/jpeg"}, "unsupported_format", 422)
        require(base64.b64decode(frame["data"], validate=True), "corrupt_input", 422)

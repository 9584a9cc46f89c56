"""A server that speaks Replicate's API, with one model."""

from __future__ import annotations

import re
from typing import Any

from tests.providers.service import KEY, Answer, Asked, Service, Work, require
from typing_extensions import override

MODEL = "/v1/models/makers/kite"
PREDICTION = re.compile(r"/v1/predictions/([^/]+)(/cancel|)\Z")
UPLOADED = "/v1/files/uploaded"
SCHEMAS: dict[str, Any] = {
    "Input": {
        "type": "object",
        "required": ["prompt"],
        "properties": {
            "prompt": {"type": "string"},
            "image": {"type": "string", "format": "uri"},
            "duration": {"allOf": [{"$ref": "#/components/schemas/duration"}], "default": 5},
            "resolution": {"allOf": [{"$ref": "#/components/schemas/resolution"}]},
            "aspect_ratio": {"allOf": [{"$ref": "#/components/schemas/aspect_ratio"}]},
            "generate_audio": {"type": "boolean", "default": True},
            "seed": {"type": "integer"},
        },
    },
    "duration": {"type": "integer", "enum": [5, 10]},
    "resolution": {"type": "string", "enum": ["480p", "720p", "1080p"]},
    "aspect_ratio": {"type": "string", "enum": ["16:9", "9:16", "1:1"]},
}
TITLES = {401: "Unauthenticated", 402: "Insufficient credit", 422: "Input validation failed"}
UNPAID = "You have insufficient credit to run this model."
SMALL = 256_000


class ReplicateService(Service):
    """Predictions."""

    @override
    def complaint(self, status: int, what: str) -> object:
        return {"title": TITLES.get(status, "Error"), "detail": what, "status": status}

    @override
    def serve(self, asked: Asked) -> Answer:
        wrong = self.takes("bad_key") or asked.headers.get("authorization") != f"Bearer {KEY}"
        require(not wrong, "You did not pass a valid authentication token", 401)
        found = PREDICTION.match(asked.path)
        match asked.method, asked.path:
            case "GET", place if place == MODEL:
                return Answer(content=self._model())
            case "POST", place if place == f"{MODEL}/predictions":
                return self._order(asked.json)
            case "POST", "/v1/files":
                return self._upload(asked)
            case _:
                require(found, "The requested resource could not be found.", 404)
        assert found is not None
        if found[2]:
            require(asked.method == "POST" and found[1] in self.works, "not found", 404)
            self.works[found[1]].cancelled = True
            return Answer(content=self._prediction(self.works[found[1]]))
        require(asked.method == "GET", "Method not allowed", 405)
        return Answer(content=self._prediction(self.look(found[1])))

    def _model(self) -> dict[str, Any]:
        version = {
            "id": "5c7d",
            "created_at": "2026-10-01T09:00:00Z",
            "cog_version": "0.16",
            "openapi_schema": {"openapi": "3.0.2", "components": {"schemas": SCHEMAS}},
        }
        return {
            "url": "https://replicate.com/makers/kite",
            "owner": "makers",
            "name": "kite",
            "visibility": "public",
            "run_count": 7,
            "latest_version": version,
        }

    def _upload(self, asked: Asked) -> Answer:
        kind = asked.headers["content-type"]
        require(kind.startswith("multipart/form-data; boundary="), "Expected a form", 422)
        require(b'name="content"' in asked.body and b"image/png" in asked.body, "no content", 422)
        file = {
            "id": "uploaded",
            "name": "frame.png",
            "content_type": "image/png",
            "size": len(asked.body),
            "etag": "e",
            "checksums": {"sha256": "s"},
            "metadata": {},
            "created_at": "2026-11-16T09:00:00Z",
            "expires_at": None,
            "urls": {"get": f"{self.base_url}{UPLOADED}"},
        }
        return Answer(status=201, content=file)

    def _order(self, body: dict[str, Any]) -> Answer:
        require(body.keys() == {"input"}, "Only input is wanted", 422)
        given = body["input"]
        known = SCHEMAS["Input"]["properties"]
        require("prompt" in given and given.keys() <= known.keys(), "input: wrong fields", 422)
        for name in ("duration", "resolution", "aspect_ratio"):
            fits = name not in given or given[name] in SCHEMAS[name]["enum"]
            require(fits, f"input.{name} must be one of those", 422)
        sound = given.get("generate_audio", True)
        require(isinstance(sound, bool), "input.generate_audio must be a boolean", 422)
        picture = given.get("image", UPLOADED)
        is_small = picture.startswith("data:image/png;base64,") and len(picture) <= 2 * SMALL
        require(is_small or picture.endswith(UPLOADED), "input.image does not match uri", 422)
        require(not self.takes("no_balance"), UNPAID, 402)
        work = self.take(dict(given))
        return Answer(status=201, content=self._prediction(work))

    def _prediction(self, work: Work) -> dict[str, Any]:
        found = {
            "id": work.id,
            "model": "makers/kite",
            "version": "5c7d",
            "input": work.asked,
            "output": None,
            "error": None,
            "logs": "",
            "urls": {"get": f"https://api.replicate.com/v1/predictions/{work.id}"},
        }
        if work.cancelled:
            return {**found, "status": "canceled"}
        if not self.is_made(work):
            if work.looks <= 1:
                return {**found, "status": "starting"}
            logs = f" {work.looks * 10}%|██        | {work.looks}/10 [00:01<00:04,  1.9it/s]"
            return {**found, "status": "processing", "logs": logs}
        if work.refused:
            why = "The input or output was flagged as sensitive. Please try again. (E005)"
            return {**found, "status": "failed", "error": why}
        return {**found, "status": "succeeded", "output": self.address(work)}

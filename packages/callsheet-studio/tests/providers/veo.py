"""A server that speaks what Google's Agent Platform speaks about Veo."""

from __future__ import annotations

import base64
import re
from typing import Any

from tests.providers.service import KEY, Answer, Asked, Service, Work, require
from typing_extensions import override

MODELS = {"veo-3.1-generate-001", "veo-3.1-fast-generate-001", "veo-3.1-lite-generate-001"}
ORDER = re.compile(r"/v1beta1/publishers/google/models/([^/:]+):predictLongRunning\Z")
LOOK = re.compile(r"/v1beta1/(projects/.+/models/[^/:]+):fetchPredictOperation\Z")
PLACE = "projects/7/locations/us-central1/publishers/google/models"
STATUS = {
    400: "INVALID_ARGUMENT",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
}
TAKES: dict[str, set[object]] = {
    "sampleCount": {1, 2, 3, 4},
    "durationSeconds": {4, 6, 8},
    "aspectRatio": {"16:9", "9:16"},
    "resolution": {"720p", "1080p", "4k"},
    "generateAudio": {True, False},
}
WRONG_KEY = "API key not valid. Please pass a valid API key."
UNPAID = "This API method requires billing to be enabled. Please enable billing on project #7."
REASONS = {WRONG_KEY: "API_KEY_INVALID", UNPAID: "BILLING_DISABLED"}
REASON = "The prompt could not be submitted: it contains words that violate our guidelines."


class VeoService(Service):
    """Operations."""

    @override
    def complaint(self, status: int, what: str) -> object:
        error = {"code": status, "message": what, "status": STATUS.get(status, "UNAVAILABLE")}
        kind = "type.googleapis.com/google.rpc.ErrorInfo"
        details = [{"@type": kind, "reason": REASONS[what]}] if what in REASONS else []
        return {"error": {**error, "details": details}}

    @override
    def serve(self, asked: Asked) -> Answer:
        wrong = self.takes("bad_key") or asked.headers.get("x-goog-api-key") != KEY
        require(not wrong, WRONG_KEY)
        require(asked.method == "POST", "not found", 404)
        order, look = ORDER.match(asked.path), LOOK.match(asked.path)
        if order:
            return self._order(order[1], asked.json)
        require(look, "not found", 404)
        assert look is not None
        resource, _, job = str(asked.json["operationName"]).rpartition("/operations/")
        require(resource == look[1] and asked.json.keys() == {"operationName"}, "wrong operation")
        return Answer(content=self._operation(resource, self.look(job)))

    def _order(self, model: str, body: dict[str, Any]) -> Answer:
        require(model in MODELS, f"Publisher model {model} was not found", 404)
        require(body.keys() == {"instances", "parameters"}, "unknown fields")
        (instance,) = body["instances"]
        require(instance.get("prompt") and instance.keys() <= {"prompt", "image"}, "wrong instance")
        if "image" in instance:
            require(instance["image"]["mimeType"] in {"image/png", "image/jpeg"}, "wrong image")
            require(base64.b64decode(instance["image"]["bytesBase64Encoded"]), "wrong image")
        parameters = body["parameters"]
        require(parameters.keys() <= TAKES.keys(), "unknown parameters")
        for name, value in parameters.items():
            require(value in TAKES[name], f"{name} is out of range")
        require(not self.takes("no_balance"), UNPAID, 403)
        work = self.take({**instance, **parameters, "model": model})
        return Answer(content={"name": f"{PLACE}/{model}/operations/{work.id}"})

    def _operation(self, resource: str, work: Work) -> dict[str, Any]:
        name = {"name": f"{resource}/operations/{work.id}"}
        if not self.is_made(work):
            return name
        kind = "type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse"
        filtered = {"raiMediaFilteredCount": 1, "raiMediaFilteredReasons": [REASON]}
        video = {
            "bytesBase64Encoded": base64.b64encode(self.made).decode(),
            "mimeType": "video/mp4",
        }
        made = filtered if work.refused else {"raiMediaFilteredCount": 0, "videos": [video]}
        return {**name, "done": True, "response": {"@type": kind, **made}}

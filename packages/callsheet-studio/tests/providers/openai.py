"""A server that speaks OpenAI's API for pictures and speech."""

from __future__ import annotations

import base64
import json
import re
from email import message_from_bytes
from typing import Any, get_args

from openai.types import ImageModel
from openai.types.audio import SpeechModel
from tests.providers import media
from tests.providers.service import KEY, Answer, Asked, RefusedError, Service
from typing_extensions import override

VOICES = {
    "alloy",
    "ash",
    "ballad",
    "coral",
    "echo",
    "fable",
    "onyx",
    "nova",
    "sage",
    "shimmer",
    "verse",
    "marin",
    "cedar",
}
OWN_VOICE = "voice_1234"
RETIRED = {"dall-e-2", "dall-e-3", "gpt-image-1"}
QUALITIES = {"low", "medium", "high", "auto"}
SIZES = {"1024x1024", "1536x1024", "1024x1536"}
FREE_SIZE = re.compile(r"gpt-image-2(-|\.5-|$)")
SPEECH_FIELDS = {"model", "input", "voice", "response_format"}
PICTURE_FIELDS = {"model", "prompt", "size", "quality", "output_format", "n"}
LONGEST_SPEECH = 4096
LONGEST_PROMPT = 32_000
LONG_SIDE, SHORT_SIDE = 3840, 2160
RATE = 24_000


class OpenAIService(Service):
    """Pictures and speech, which are made while one waits."""

    @override
    def serve(self, asked: Asked) -> Answer:
        said = asked.headers.get("authorization", "").removeprefix("Bearer ")
        if self.takes("bad_key") or said != KEY:
            raise wrong(f"Incorrect API key provided: {said}.", 401, "invalid_api_key")
        match asked.method, asked.path:
            case "POST", "/v1/audio/speech":
                answer = self._speech(asked.json)
            case "POST", "/v1/images/generations":
                answer = self._picture(asked.json)
            case "POST", "/v1/images/edits":
                answer = self._picture(edit_in(asked))
            case _:
                raise wrong(f"Invalid URL ({asked.method} {asked.path})", 404)
        self._accept(asked)
        return answer

    def _accept(self, asked: Asked) -> None:
        if self.takes("no_balance"):
            said = "You exceeded your current quota, please check your plan and billing details."
            raise wrong(said, 429, "insufficient_quota", "insufficient_quota")
        if self.takes("refused"):
            said = "Your request was rejected by the safety system."
            raise wrong(said, 400, "moderation_blocked", "image_generation_user_error")
        self.take({"path": asked.path})

    def _speech(self, body: dict[str, Any]) -> Answer:
        check(set(body) == SPEECH_FIELDS, f"Fields: {sorted(body)}")
        check(body["model"] in get_args(SpeechModel), f"No model {body['model']}", 404)
        check(0 < len(body["input"]) <= LONGEST_SPEECH, "String too long", 400, "input")
        check(body["voice"] in [*VOICES, {"id": OWN_VOICE}], f"No voice {body['voice']}")
        check(body["response_format"] == "wav", "This server has WAV only")
        self.made = media.streamed_wav(RATE)
        return Answer(content=self.made, headers={"Content-Type": "audio/wav"})

    def _picture(self, body: dict[str, Any]) -> Answer:
        check(set(body) == PICTURE_FIELDS, f"Unknown parameter: {set(body) ^ PICTURE_FIELDS}")
        models = set(get_args(ImageModel)) - RETIRED
        check(body["model"] in models, f"The model {body['model']} does not exist", 404)
        check(0 < len(body["prompt"]) <= LONGEST_PROMPT, "String too long", 400, "prompt")
        check(body["quality"] in QUALITIES and body["n"] == 1, "Invalid value")
        check(body["output_format"] == "png", "This server has PNG only")
        self.made = media.picture(*size_in(body["model"], body["size"]))
        coded = base64.b64encode(self.made).decode()
        return Answer(content={"created": 1, "data": [{"b64_json": coded}], "size": body["size"]})


def wrong(
    message: str, status: int = 400, code: str | None = None, kind: str = "invalid_request_error"
) -> RefusedError:
    """An error, as the service words it."""
    said = {"message": message, "type": kind, "param": None, "code": code}
    return RefusedError(Answer(status=status, content={"error": said}))


def check(holds: object, message: str, status: int = 400, param: str = "") -> None:
    """Refuse the request unless this holds."""
    if not holds:
        raise wrong(f"{message}. {param}", status, "model_not_found" if status == 404 else None)


def size_in(model: str, said: str) -> tuple[int, int]:
    """A size that the model makes."""
    found = re.fullmatch(r"(\d+)x(\d+)", said)
    check(found and (said in SIZES or FREE_SIZE.match(model)), f"{model} makes no {said}")
    assert found is not None
    width, height = int(found[1]), int(found[2])
    check(width % 16 == 0 and height % 16 == 0, f"{said} is not divisible by 16")
    check(max(width, height) <= LONG_SIDE and min(width, height) <= SHORT_SIDE, f"{said} is large")
    check(1 / 3 <= width / height <= 3, f"{said} is not between 1:3 and 3:1")
    return width, height


def edit_in(asked: Asked) -> dict[str, Any]:
    """The fields of the form, if there is a picture in it, too."""
    head = f"content-type: {asked.headers['content-type']}\r\n\r\n".encode()
    form = message_from_bytes(head + asked.body)
    check(form.is_multipart(), "The body is no form")
    fields: dict[str, Any] = {}
    pictures = []
    for part in form.walk():
        name, body = (
            part.get_param("name", header="content-disposition"),
            part.get_payload(decode=True),
        )
        if isinstance(body, bytes) and part.get_filename() is not None:
            pictures.append((name, part.get_content_type(), media.size_of(body)))
        elif isinstance(body, bytes) and isinstance(name, str):
            fields[name] = body.decode()
    check([each[:2] for each in pictures] == [("image", "image/png")], f"No picture: {pictures}")
    return {**fields, "n": json.loads(fields["n"])}

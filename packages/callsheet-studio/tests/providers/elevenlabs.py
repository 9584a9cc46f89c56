"""A server that speaks ElevenLabs' API for speech and for its history."""

from __future__ import annotations

import re
from typing import Any, get_args

from elevenlabs.text_to_speech.types import TextToSpeechConvertRequestOutputFormat
from tests.providers import media
from tests.providers.service import KEY, Answer, Asked, RefusedError, Service
from typing_extensions import override

VOICE = "JBFqnCBsd6RMkjVDRZzb"
LONGEST = {"eleven_v3": 5000, "eleven_multilingual_v2": 10_000, "eleven_flash_v2_5": 40_000}
TOLD_NO_LANGUAGE = "eleven_multilingual_v2"
FORMATS = {
    name
    for each in get_args(TextToSpeechConvertRequestOutputFormat)
    for name in get_args(each)
    if name.startswith("mp3")
}
FIELDS = {"text", "model_id", "language_code"}
PAGE = 1000
SPEECH = re.compile(r"/v1/text-to-speech/([^/]+)")
AUDIO = re.compile(r"/v1/history/item_([^/]+)/audio")


class ElevenLabsService(Service):
    """Speech, which is made while one waits, and kept in a history."""

    def __init__(self) -> None:
        super().__init__()
        self.names_requests = True
        """Whether an answer says under which id it is in the history."""
        self.withholds = 0
        """How often it does not hand out what is in the history."""
        self.deleted: set[str] = set()
        """Orders that somebody has taken out of the history."""

    @override
    def serve(self, asked: Asked) -> Answer:
        said = asked.headers.get("xi-api-key")
        if self.takes("bad_key") or said != KEY:
            detail = {"type": "authentication_error", "code": "unauthorized"}
            raise wrong(401, f"Invalid API key {said}", "invalid_api_key", **detail)
        speech, audio = SPEECH.fullmatch(asked.path), AUDIO.fullmatch(asked.path)
        if asked.method == "POST" and speech:
            self._check(speech[1], asked)
            return self._say()
        if asked.method == "GET" and asked.path == "/v1/history":
            return self._history(int(asked.query["page_size"][0]))
        if asked.method == "GET" and audio:
            return self._hand_out(audio[1])
        raise RefusedError(Answer(status=404, content={"detail": "Not Found"}))

    def _check(self, voice: str, asked: Asked) -> None:
        body = asked.json
        if not isinstance(body.get("text"), str) or set(body) - FIELDS:
            fault = {"type": "missing", "loc": ["body", "text"], "msg": "Field required"}
            raise RefusedError(Answer(status=422, content={"detail": [fault]}))
        if set(asked.query) != {"output_format"} or asked.query["output_format"][0] not in FORMATS:
            raise wrong(400, f"No such format: {asked.query}", "invalid_output_format")
        if voice != VOICE:
            raise wrong(404, f"A voice with voice_id '{voice}' was not found.", "voice_not_found")
        self._check_body(body)

    def _check_body(self, body: dict[str, Any]) -> None:
        model, language = body.get("model_id"), body.get("language_code")
        if model not in LONGEST:
            raise wrong(400, f"No model {model!r}.", "unsupported_model")
        if language is not None and (model == TOLD_NO_LANGUAGE or len(language) != 2):
            said = f"Model '{model}' does not support language_code '{language}'."
            raise wrong(400, said, "invalid_parameters")
        if len(body["text"]) > LONGEST[model]:
            said = f"This request's text has {len(body['text'])} characters."
            raise wrong(400, said, "max_character_limit_exceeded")

    def _say(self) -> Answer:
        if self.takes("no_balance"):
            said = "This request exceeds your quota of 10000. You have 0 credits remaining."
            raise wrong(401, said, "quota_exceeded")
        if self.takes("refused"):
            said = "The text may violate our Terms of Service and has been blocked."
            raise wrong(403, said, "content_against_policy")
        work = self.take({})
        self.made = media.spoken("mp3", "libmp3lame", 44_100, kilobits=128)
        named = {"request-id": work.id} if self.names_requests else {}
        return Answer(content=self.made, headers={"Content-Type": "audio/mpeg", **named})

    def _history(self, most: int) -> Answer:
        if not 0 < most <= PAGE:
            raise wrong(400, "page_size is out of range.", "invalid_parameters")
        known = [] if self.takes("unknown_job") else self.orders[-most:]
        items = [item(each, gone=each in self.deleted) for each in reversed(known)]
        return Answer(content={"history": items, "has_more": len(known) < len(self.orders)})

    def _hand_out(self, order: str) -> Answer:
        if order not in self.works or self.withholds:
            self.withholds -= 1
            raise wrong(404, "There is no such item.", "history_item_not_found")
        return Answer(content=self.made, headers={"Content-Type": "audio/mpeg"})


def item(order: str, *, gone: bool) -> dict[str, object]:
    """As the history lists it."""
    return {
        "history_item_id": f"item_{order}",
        "request_id": order,
        "date_unix": 1,
        "character_count_change_from": 0,
        "character_count_change_to": 1,
        "content_type": "audio/mpeg",
        "state": "deleted" if gone else "created",
    }


def wrong(status: int, message: str, name: str, **more: str) -> RefusedError:
    """An error, as the service words it."""
    detail = {"status": name, "message": message, **more}
    return RefusedError(Answer(status=status, content={"detail": detail}))

"""OpenAI and ElevenLabs: their answer to an order is the thing, so there is nothing to wait for."""

from __future__ import annotations

from tests.providers import media
from tests.providers.elevenlabs import VOICE, ElevenLabsService
from tests.providers.openai import OpenAIService
from tests.providers.service import KEY, serving
from tests.unit.providers.cases import Case, Fault

from callsheet_studio.providers import elevenlabs, openai
from callsheet_studio.providers.port import Order

AT_ONCE: frozenset[Fault] = frozenset({"expired", "slow", "unknown_job"})

STILL = Order(kind="still", model="gpt-image-2", text="A harbour at dawn", width=1280, height=720)
LINE = Order(kind="speech", model="gpt-4o-mini-tts", text="Come aboard.", voice="marin")
ELEVEN = Order(
    kind="speech",
    model="eleven_v3",
    text="Come aboard.",
    voice=VOICE,
    language="en-GB",
)


def openai_case(name: str, order: Order, picture: bytes | None = None) -> Case:
    return Case(
        name=name,
        start_server=lambda: serving(OpenAIService()),
        open=lambda address: openai.open_provider(KEY, f"{address}/v1"),
        order=order,
        picture=picture,
        lacks=AT_ONCE,
        cancels=False,
        refuses_at_once=True,
        knows_tokens=True,
    )


CASES = [
    openai_case("openai-still", STILL),
    openai_case("openai-still-after-a-picture", STILL, media.picture(64, 36)),
    openai_case("openai-speech", LINE),
    Case(
        name="elevenlabs",
        start_server=lambda: serving(ElevenLabsService()),
        open=lambda address: elevenlabs.open_provider(KEY, address),
        order=ELEVEN,
        lacks=AT_ONCE,
        cancels=False,
        refuses_at_once=True,
        knows_tokens=True,
    ),
]

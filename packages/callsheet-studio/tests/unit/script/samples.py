"""A brief and a script that breaks no rule, made by hand."""

from __future__ import annotations

from callsheet_studio.model.brief import (
    Brief,
    Constraints,
    Content,
    Delivery,
    Direction,
    Message,
    OwnShot,
    Project,
    Structure,
    Style,
)
from callsheet_studio.model.script import (
    Alternative,
    Audio,
    Beat,
    Emotion,
    Function,
    Making,
    Part,
    Script,
    Visual,
    Words,
)

CTA = "Try Harbor free for 30 days"


def make_brief(  # noqa: PLR0913 (each is one thing that a test changes)
    *,
    script: str | None = None,
    shots: tuple[OwnShot, ...] | None = None,
    seconds: float = 30,
    structure: Structure = "three_part",
    language: str = "en",
    tone: str = "confident",
    fps: str = "24",
    cta: str = CTA,
    avoid: tuple[str, ...] = ("cheap",),
) -> Brief:
    own = script is not None or shots is not None
    return Brief(
        project=Project(title="Harbor", context="launch of an app for marinas"),
        message=Message(
            core="Harbor keeps every berth in view.",
            supporting=() if own else ("one live map for all berths", "pay 5 days before arrival"),
            cta=cta,
            must_include=() if own else ("Harbor",),
            must_avoid=avoid,
            brand="Harbor",
        ),
        content=Content(
            type="social_ad" if structure == "ad" else "product_demo",
            duration=seconds,
            language=language,
            structure=structure,
            script=script,
            shots=shots,
        ),
        style=Style(tone=tone, mood="calm", medium="animation"),
        delivery=Delivery(aspect="16:9", resolution="1280x720", fps=fps),
        constraints=Constraints(quality="balanced"),
        direction=Direction(midpoint_emotion="relief", act2_emphasis="proof"),
    )


def make_beat(order: int, start: int, end: int, part: Part, words: Words, scene: int = 1) -> Beat:
    feeling = Emotion(character="calm", audience="curious", arc="rising", intensity=5)
    return Beat(
        id=f"{scene}.{order if scene == 1 else order - 3}",
        scene=scene,
        order=order,
        start=start,
        end=end,
        question="Why keep watching?",
        answer="Two boats want one berth.",
        script=words,
        visual=Visual(
            size="WS",
            movement="static",
            location="harbour",
            time_of_day="day",
            lighting="soft_day",
            keywords=("boats",),
            complexity=3,
        ),
        audio=Audio(
            dialogue_present=words.dialogue is not None,
            effects=(),
            music_mood="calm",
            ambience="water",
        ),
        emotion=feeling,
        function=Function(kind="statement", part=part, conveys="the problem"),
        production=Making(
            complexity=3, vfx=(), custom_assets=(), category="animation", references=()
        ),
    )


def with_alternative(beat: Beat, words: Words) -> Beat:
    other = Alternative(
        id=f"{beat.id}a", condition="for a cold audience", script=words, emotion=beat.emotion
    )
    return beat.model_copy(update={"alternatives": (other,)})


def make_script() -> Script:
    """Four beats in two scenes, 30 s at 24 frames."""
    hook = make_beat(
        1, 0, 96, "hook", Words(action="Two boats, one berth.", voiceover="Two boats, one berth.")
    )
    map_ = make_beat(
        2,
        96,
        312,
        "solution",
        Words(
            action="Mara sees the map.",
            voiceover="Harbor puts all berths on one live map.",
            on_screen_text="One live map",
        ),
    )
    talk = make_beat(
        3,
        312,
        528,
        "solution",
        Words(
            action="Mara and a guest shake hands.",
            dialogue="MARA: You paid 5 days before your arrival.\nGUEST: I did.",
        ),
    )
    card = make_beat(
        4,
        528,
        720,
        "call_to_action",
        Words(action="The name of the app.", voiceover=f"{CTA}.", on_screen_text="TRY HARBOR FREE"),
        scene=2,
    )
    return Script(
        title="Harbor",
        type="product_demo",
        language="en",
        structure="three_part",
        fps=24,
        frames=720,
        words_per_minute=150,
        beats=(
            with_alternative(hook, Words(action="A paper list.", voiceover="Paper lists lie.")),
            map_,
            talk,
            with_alternative(card, Words(action="The map again.", voiceover=f"Now: {CTA}!")),
        ),
    )

"""Small scripts and briefs, made by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from callsheet_studio.base.time import Rate
from callsheet_studio.model.brief import (
    Brief,
    Constraints,
    Content,
    Delivery,
    Direction,
    FilmType,
    Message,
    OwnShot,
    Project,
    Structure,
    Style,
)
from callsheet_studio.model.script import (
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


@dataclass(frozen=True)
class B:
    """A beat in short."""

    seconds: float = 6
    action: str = "Mara walks along the pier. She reads a paper list."
    voiceover: str | None = "Every morning Mara counts the boats, and every morning two are wrong."
    dialogue: str | None = None
    text: str | None = None
    scene: int = 1
    place: str = "harbour"
    time: str = "morning"
    part: Part = "setup"
    intensity: int = 5
    size: str = "MS"
    movement: str = "static"
    lighting: str = "soft light"
    references: tuple[str, ...] = ("figure:Mara — yellow oilskin, grey plait",)


def beat(short: B, order: int, start: int, rate: Rate, nth: int) -> Beat:
    return Beat(
        id=f"{short.scene}.{nth}",
        scene=short.scene,
        order=order,
        start=start,
        end=start + rate.frames(short.seconds),
        question="what now?",
        answer="this",
        script=Words(
            action=short.action,
            dialogue=short.dialogue,
            voiceover=short.voiceover,
            on_screen_text=short.text,
        ),
        visual=Visual(
            size=short.size,
            movement=short.movement,
            location=short.place,
            time_of_day=short.time,
            lighting=short.lighting,
            keywords=("paper list", "boats"),
            complexity=4,
        ),
        audio=Audio(
            dialogue_present=short.dialogue is not None,
            effects=("gulls", "rope"),
            music_mood="calm",
            ambience="water",
        ),
        emotion=Emotion(
            character="worried", audience="curious", arc="rising", intensity=short.intensity
        ),
        function=Function(kind="tells", part=short.part, conveys="it"),
        production=Making(
            complexity=4,
            vfx=(),
            custom_assets=(),
            category="live_action",
            references=short.references,
        ),
    )


def script(
    *beats: B,
    fps: str = "24",
    kind: FilmType = "explainer",
    language: str = "en",
    structure: Structure = "three_act",
) -> Script:
    rate = Rate.of(fps)
    made: list[Beat] = []
    in_scene: dict[int, int] = {}
    for order, short in enumerate(beats, start=1):
        nth = in_scene[short.scene] = in_scene.get(short.scene, 0) + 1
        made.append(beat(short, order, made[-1].end if made else 0, rate, nth))
    return Script(
        title="Harbor",
        type=kind,
        language=language,
        structure=structure,
        fps=rate.to_json(),
        frames=made[-1].end,
        words_per_minute=150,
        beats=tuple(made),
    )


@dataclass(frozen=True)
class Asked:
    """What of a brief matters to shots."""

    shots: tuple[OwnShot, ...] | None = None
    avoid: tuple[str, ...] = ()
    aspect: str = "16:9"
    title: str = "Harbor"
    language: str = "en"
    palette: tuple[str, ...] = field(default=("#0b3c5d", "#f2a65a"))


def brief(asked: Asked = Asked()) -> Brief:
    return Brief.model_validate(
        {
            "project": Project(title=asked.title),
            "message": Message(
                core="Harbor keeps every berth in view.",
                cta="Try Harbor free",
                brand="Harbor",
                must_avoid=asked.avoid,
            ),
            "content": Content(
                type="explainer",
                duration=60,
                language=asked.language,
                structure="three_act",
                shots=asked.shots,
            ),
            "style": Style(
                tone="calm",
                mood="clear",
                look="clean Nordic",
                palette=asked.palette,
                medium="live_action",
            ),
            "delivery": Delivery.model_validate(
                {"aspect": asked.aspect, "resolution": "1280x720", "fps": "24"}
            ),
            "constraints": Constraints(quality="balanced"),
            "direction": Direction(midpoint_emotion="relief", act2_emphasis="proof"),
        }
    )


HARBOUR = (
    B(9, part="hook", intensity=7),
    B(
        10,
        action="Tomas leans out of the hut window. Mara shows him the list.",
        voiceover=None,
        dialogue="TOMAS: Berth nine again?\nMARA: Twice, on two different lists, since Monday.",
        references=(
            "figure:Mara — yellow oilskin, grey plait",
            "figure:Tomas — blue jumper, short beard",
        ),
    ),
    B(
        9,
        scene=2,
        place="office",
        time="day",
        part="midpoint",
        intensity=8,
        action="Mara opens the laptop. On the screen every berth has its colour.",
        voiceover="Now there is one map, and everybody sees the same berth at the same time.",
        text="One live map",
    ),
    B(
        6,
        scene=3,
        place="abstract",
        time="day",
        part="call_to_action",
        intensity=9,
        action="The end card with the Harbor logo on deep blue.",
        voiceover="Try Harbor free.",
        text="Try Harbor free",
        references=(),
    ),
)
"""A small film with everything in it: two people, a screen, a card."""


def harbour_script(fps: str = "24") -> Script:
    return script(*HARBOUR, fps=fps, kind="brand_story")

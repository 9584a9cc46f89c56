"""Films made by hand: a brief, its script, shots and plan, small or large, in two languages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from callsheet_studio.model.brief import (
    Aspect,
    Brief,
    Constraints,
    Content,
    Delivery,
    Direction,
    Message,
    Project,
    Style,
)
from callsheet_studio.model.plan import (
    CostBreakdown,
    Lane,
    LaneSlot,
    PlanAlternative,
    PlanSummary,
    ProductionPlan,
    ProductionStep,
    Proof,
    ShotAlternative,
    ShotPlan,
    Timeline,
)
from callsheet_studio.model.script import (
    Alternative,
    Audio,
    Beat,
    Emotion,
    Function,
    Making,
    Script,
    Visual,
    Words,
)
from callsheet_studio.model.shots import (
    Board,
    Complexity,
    Composition,
    Figure,
    Lighting,
    Movement,
    Setting,
    Shot,
    ShotList,
)

FEELING = Emotion(character="tense", audience="curious", arc="rising", intensity=7)
SIZES = ("WS", "MCU", "CU", "MS", "EWS", "MWS", "ECU", "FS")
MOVES = (("static", ""), ("push", "in"), ("pan", "left"), ("arc", "right"), ("dolly", "out"))
PLACES = ("harbour", "office", "phone_screen", "coast", "meeting")
LINES = {
    "en": (
        "Two boats, one berth, and a harbour master who finds out at dawn.",
        "With Harbor, every berth is on one live map.",
        "Guests pay before they arrive. You see it as it happens.",
        "It works offline on the pier, where the signal never did.",
        "Try Harbor free for 30 days.",
    ),
    "de": (
        "Zwei Boote, ein Liegeplatz, und die Hafenmeisterin merkt es erst im Morgengrauen.",
        "Mit Harbor liegt jeder Liegeplatz auf einer einzigen lebendigen Karte.",
        "Gäste zahlen, bevor sie anlegen; die Liegeplatzverwaltung sieht es sofort.",
        "Es funktioniert auch ohne Netz, draußen auf dem Steg.",
        "Testen Sie Harbor 30 Tage kostenlos.",
    ),
}
ACTIONS = {
    "en": (
        "Mara runs along the pier with a torn paper list in the wind.",
        "She taps the tablet; green and blue berths fill the picture.",
        "A payment slides in, and the berth turns green.",
        "The signal bars vanish. The map stays.",
        "The harbour at dusk, every light in its place. The logo settles.",
    ),
    "de": (
        "Mara läuft mit einer zerrissenen Papierliste gegen den Wind den Steg entlang.",
        "Sie tippt auf das Tablet; grüne und blaue Liegeplätze füllen das Bild.",
        "Eine Zahlung erscheint, der Liegeplatz wird grün.",
        "Die Empfangsbalken verschwinden. Die Karte bleibt.",
        "Der Hafen in der Dämmerung, jedes Licht an seinem Platz. Das Logo kommt zur Ruhe.",
    ),
}


@dataclass(frozen=True)
class Film:
    brief: Brief
    script: Script
    shots: ShotList
    plan: ProductionPlan


def film(
    beats: int = 4,
    per_beat: int = 2,
    *,
    language: str = "en",
    fps: str = "24",
    words: Words | None = None,
) -> Film:
    """A film of so many beats of eight seconds, each of them in so many shots."""
    brief = brief_of(beats * 8, language=language, fps=fps)
    script = script_of(brief, beats, words)
    shots = shots_of(script, per_beat)
    return Film(brief, script, shots, plan_of(shots, brief))


def brief_of(
    seconds: float, *, language: str, fps: str, aspect: Aspect = "16:9", title: str = "Harbor"
) -> Brief:
    return Brief(
        project=Project(title=title),
        message=Message(
            core="Harbor keeps every berth in view.",
            supporting=("one live map for all berths",),
            cta=LINES[language][-1].rstrip("."),
            brand="Harbor",
        ),
        content=Content(
            type="product_demo", duration=seconds, language=language, structure="three_act"
        ),
        style=Style(tone="confident", mood="calm", medium="animation"),
        delivery=Delivery(
            aspect=aspect,
            resolution="720x1280" if aspect == "9:16" else "1280x720",
            fps=fps,
            platform="youtube",
        ),
        constraints=Constraints(max_cost_usd=60, deadline=3 * 3600, quality="balanced"),
        direction=Direction(midpoint_emotion="relief", act2_emphasis="benefits"),
    )


def script_of(brief: Brief, count: int, words: Words | None = None) -> Script:
    language = brief.content.language
    edges = [round(brief.frames * n / count) for n in range(count + 1)]
    beats = tuple(
        beat_of(n, edges[n - 1], edges[n], words or words_of(n, count, language))
        for n in range(1, count + 1)
    )
    return Script(
        title=brief.project.title,
        type=brief.content.type,
        language=language,
        structure=brief.content.structure,
        fps=brief.rate.to_json(),
        frames=brief.frames,
        words_per_minute=150,
        beats=beats,
    )


def words_of(number: int, count: int, language: str) -> Words:
    place = 4 if number == count else (number - 1) % 4
    last = number == count
    return Words(
        action=ACTIONS[language][place],
        voiceover=LINES[language][place],
        on_screen_text=LINES[language][-1] if last else None,
    )


def beat_of(number: int, start: int, end: int, words: Words) -> Beat:
    scene = (number + 1) // 2
    ends = number == 1
    other = Alternative(
        id=f"{scene}.{number}-b",
        condition="If the first line should be a question.",
        script=Words(action="A wide picture of the empty berth.", voiceover="Whose berth is it?"),
        emotion=FEELING,
    )
    return Beat(
        id=f"{scene}.{2 - number % 2}",
        scene=scene,
        order=number,
        start=start,
        end=end,
        question="Why keep watching?",
        answer="Because it happens to everybody.",
        script=words,
        visual=Visual(
            size="MCU",
            movement="push",
            location=PLACES[scene % len(PLACES)],
            time_of_day="dawn",
            lighting="dawn",
            keywords=("berth", "map"),
            complexity=4,
        ),
        audio=Audio(
            dialogue_present=words.dialogue is not None,
            effects=("gulls",),
            music_mood="calm pulse",
            ambience="harbour",
        ),
        emotion=FEELING,
        function=Function(kind="show", part="hook", conveys="what it is about"),
        production=Making(
            complexity=4,
            vfx=("screen replacement",),
            custom_assets=(),
            category="animation",
            references=(),
        ),
        alternatives=(other,) if ends else (),
    )


def shots_of(script: Script, per_beat: int) -> ShotList:
    shots: list[Shot] = []
    for beat in script.beats:
        edges = [beat.start + beat.frames * n // per_beat for n in range(per_beat + 1)]
        for n in range(per_beat):
            letter = sum(shot.scene == beat.scene for shot in shots)
            shots.append(_shot(beat, len(shots), letter, (edges[n], edges[n + 1]), first=n == 0))
    return ShotList(
        title=script.title,
        fps=script.fps,
        frames=script.frames,
        figures=(Figure(name="Mara", look="yellow coat, grey plait"),),
        shots=tuple(shots),
    )


def letters(number: int) -> str:
    return chr(65 + number) if number < 26 else letters(number // 26 - 1) + chr(65 + number % 26)


def _shot(beat: Beat, place: int, letter: int, frames: tuple[int, int], *, first: bool) -> Shot:
    kind, direction = MOVES[place % len(MOVES)]
    interior = beat.visual.location in {"office", "meeting", "phone_screen"}
    start, end = frames
    new_scene = first and beat.id.endswith(".1")
    return Shot.model_validate(
        {
            "id": f"{beat.scene}{letters(letter)}",
            "scene": beat.scene,
            "beat": beat.id,
            "order": place + 1,
            "start": start,
            "end": end,
            "size": SIZES[place % len(SIZES)],
            "kind": "INSERT" if place % 7 == 6 else "standard",
            "subject": "Mara, the harbour master" if place % 2 == 0 else "the tablet",
            "figures": ("Mara",),
            "action": beat.script.action,
            "angle": ("eye", "low", "high")[place % 3],
            "bearing": (place * 40) % 180,
            "movement": Movement.model_validate({"kind": kind, "direction": direction}),
            "lens_mm": (24, 35, 50, 85)[place % 4],
            "composition": Composition(
                thirds="left",
                focal_point="her eyes",
                depth_of_field="medium",
                headroom="normal",
                lead_room="right",
                screen_direction="left_to_right",
            ),
            "lighting": Lighting(
                preset="dawn", time_of_day="dawn", mood="calm", key="low sun", practicals=()
            ),
            "set": Setting(
                place=beat.visual.location,
                interior=interior,
                props=("tablet", "paper list"),
                dressing="",
            ),
            "complexity": Complexity(score=4, motion=3, vfx=place % 3, compositing=1),
            "voiceover": beat.script.voiceover if first else None,
            "dialogue": beat.script.dialogue if first else None,
            "on_screen_text": beat.script.on_screen_text if first else None,
            "sound": "gulls, water against wood",
            "transition": "fade_in" if place == 0 else "dissolve" if new_scene else "cut",
            "setup": f"{beat.visual.location}-{'AB'[place % 2]}",
            "storyboard": Board(description="Mara on the pier.", prompt="flat colour, dawn"),
        }
    )


def plan_of(shots: ShotList, brief: Brief) -> ProductionPlan:
    made = tuple(_made(shot, shots) for shot in shots.shots)
    usd = round(sum(each.steps[0].usd for each in made), 4)
    worst = round(sum(each.steps[0].worst_usd for each in made), 4)
    lanes = _lanes(made)
    makespan = max(lane.slots[-1].end for lane in lanes)
    other = PlanAlternative(
        name="cheaper",
        usd=usd * 0.6,
        seconds=makespan * 1.2,
        quality=0.55,
        offers={},
        what="Stills with a move instead of clips for every shot without people.",
    )
    return ProductionPlan(
        summary=PlanSummary(
            title=shots.title,
            shots=len(shots.shots),
            frames=shots.frames,
            fps=shots.fps,
            today=date(2026, 7, 1),
            quality_level="balanced",
            quality=0.62,
            usd=usd,
            seconds=makespan + 60,
            text=f"{len(shots.shots)} shots with two tools, inside the budget.",
        ),
        shot_plans=made,
        cost_breakdown=CostBreakdown(
            expected=usd,
            worst=worst,
            by_tool={"runway-gen4.5": usd * 0.7, "veo-3.1-fast": usd * 0.3},
            by_provider={"runway": usd * 0.7, "google": usd * 0.3},
            by_scene={"1": usd},
        ),
        timeline=Timeline(sequential=makespan * 2.4, makespan=makespan, lanes=lanes, post=60),
        proof=Proof(
            status="optimal",
            objective="quality within max cost and deadline",
            bound=0.62,
            gap=0,
            solver="CP-SAT",
            candidates=len(shots.shots) * 90,
        ),
        alternatives=(other, other.model_copy(update={"name": "faster", "usd": usd * 1.4})),
        assumptions=(
            "runway-gen4.5@runway-api: $0.12 per second, as of 2026-06-20 (runway-pricing).",
            "veo-3.1-fast@google-vertex: region not told; taken as allowed.",
        ),
    )


def _made(shot: Shot, shots: ShotList) -> ShotPlan:
    length = shots.rate.seconds(shot.frames)
    runway = shot.order % 3 != 0
    billed = 5.0 if runway else 8.0
    usd = round(billed * 3 * (0.12 if runway else 0.15), 4)
    offer = "runway-gen4.5@runway-api" if runway else "veo-3.1-fast@google-vertex:720p"
    step = ProductionStep(
        tool=offer.partition("@")[0],
        offer=offer,
        provider="runway" if runway else "google",
        purpose="clip",
        mode="i2v",
        screen_seconds=length,
        billed_seconds=billed,
        clips=(billed,),
        attempts=3,
        max_attempts=5,
        usd=usd,
        worst_usd=usd * 5 / 3,
        seconds=90 * 3,
        inputs=(f"storyboard/{shot.id}.png", "look of Mara"),
    )
    other = ShotAlternative(
        offer="local-animatic@local", recipe="animatic", usd=0, seconds=4, quality=(0.2, 0.3)
    )
    return ShotPlan(
        shot=shot.id,
        recipe="image_to_video",
        steps=(step,),
        quality=(0.6, 0.7),
        reasons=("Highest known quality inside the budget.",),
        alternatives=(other,),
        notes=("Keep the plait in view.",) if shot.order == 2 else (),
    )


def _lanes(made: tuple[ShotPlan, ...]) -> tuple[Lane, ...]:
    lanes: dict[tuple[str, int], list[LaneSlot]] = {}
    for place, each in enumerate(made):
        step = each.steps[0]
        slots = lanes.setdefault((step.provider, place % 2 + 1), [])
        start = slots[-1].end if slots else 0
        slot = LaneSlot(shot=each.shot, offer=step.offer, start=start, end=start + step.seconds)
        slots.append(slot)
    return tuple(
        Lane(provider=provider, number=number, slots=tuple(slots))
        for (provider, number), slots in sorted(lanes.items())
    )

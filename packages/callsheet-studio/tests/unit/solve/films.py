"""Small films, briefs and tool stacks, made by hand."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

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
from callsheet_studio.model.stack import (
    Benchmark,
    Grid,
    Latency,
    Offer,
    Source,
    Stack,
    StackTool,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

TODAY = date(2026, 11, 16)
SOURCE = Source(id="list", title="a price list", url="https://prices.example", as_of=TODAY)


def shot(order: int, start: int, frames: int, *, motion: int = 5, **more: Any) -> Shot:
    said: dict[str, Any] = {"figures": (), "lip_sync": False, "references": (), **more}
    return Shot(
        id=f"{order}A",
        scene=(order + 1) // 2,
        beat=f"1.{order}",
        order=order,
        start=start,
        end=start + frames,
        size="MS",
        subject="a boat",
        action="leaves the harbour",
        angle="eye",
        bearing=0,
        movement=Movement(kind="static"),
        lens_mm=35,
        composition=Composition(
            thirds="left",
            focal_point="boat",
            depth_of_field="deep",
            headroom="normal",
            lead_room="right",
            screen_direction="neutral",
        ),
        lighting=Lighting(preset="day", time_of_day="day", mood="calm", key="left", practicals=()),
        set=Setting(place="coast", interior=False, props=(), dressing="ropes"),
        complexity=Complexity(score=motion, motion=motion, vfx=0, compositing=0),
        sound="waves",
        transition="cut",
        setup="coast-day",
        storyboard=Board(description="a boat", prompt="a boat"),
        **said,
    )


def film(lengths: Sequence[int], *, fps: int | str = 24, **every: Any) -> ShotList:
    """Shots of so many frames."""
    shots, start = [], 0
    for order, frames in enumerate(lengths, 1):
        shots.append(shot(order, start, frames, **every))
        start += frames
    names = sorted({name for each in shots for name in each.figures})
    figures = tuple(Figure(name=name, look="a red coat") for name in names)
    return ShotList(title="Harbor", fps=fps, frames=start, figures=figures, shots=tuple(shots))


def brief(
    *, resolution: str = "1280x720", aspect: Aspect = "16:9", look: str = "", **asked: Any
) -> Brief:
    """`quality`, `max_cost`, `deadline`, `region` and `licences` as asked."""
    said: dict[str, Any] = {"quality": "balanced", **asked}
    if "max_cost" in said:
        said["max_cost_usd"] = said.pop("max_cost")
    return Brief(
        project=Project(title="Harbor"),
        message=Message(core="Harbor keeps every berth in view.", cta="Try Harbor"),
        content=Content(type="product_demo", duration=30, language="en", structure="three_act"),
        style=Style(tone="confident", mood="calm", look=look, medium="animation"),
        delivery=Delivery(aspect=aspect, resolution=resolution, fps="24"),
        constraints=Constraints(**said),
        direction=Direction(midpoint_emotion="hope", act2_emphasis="proof"),
    )


def offer(name: str, usd: float, **more: Any) -> Offer:
    """`tool@provider`, by the second unless told otherwise."""
    said: dict[str, Any] = {"unit": "second", "resolution": "1080p", **more}
    return Offer(
        id=name,
        provider=name.partition("@")[2].partition(":")[0],
        usd=usd,
        source="list",
        as_of=TODAY,
        **said,
    )


def _row(share: float) -> Benchmark:
    return Benchmark(board="house", score=1000, share=share, source="list", as_of=TODAY)


def _takes(seconds: float) -> Latency:
    return Latency(kind="measured", typical=seconds, source="list", as_of=TODAY)


def tool(
    name: str,
    *offers: Offer,
    share: float | None = None,
    seconds: float | None = 60,
    lengths: Sequence[float] = (2, 3, 4, 5, 6, 7, 8, 9, 10),
    **more: Any,
) -> StackTool:
    said: dict[str, Any] = {
        "category": "video",
        "status": "active",
        "modes": ("t2v",),
        "grid": Grid(lengths=tuple(lengths), most=max(lengths)) if lengths else None,
        "aspects": ("16:9",),
        "licence": "proprietary",
        "benchmarks": () if share is None else (_row(share),),
        "latency": () if seconds is None else (_takes(seconds),),
        **more,
    }
    return StackTool(
        id=name, name=name.title(), vendor="a maker", offers=offers, as_of=TODAY, **said
    )


def renderer() -> StackTool:
    return tool(
        "own",
        offer("own@local CPU", 0, resolution=None),
        category="render",
        modes=("animatic",),
        lengths=(),
        aspects=(),
        seconds=None,
    )


def stack(*tools: StackTool) -> Stack:
    return Stack(
        as_of=TODAY,
        tools=tools,
        sources=(SOURCE,),
        latency_prior=Latency(
            kind="prior", least=30, typical=150, most=500, source="list", as_of=TODAY
        ),
    )

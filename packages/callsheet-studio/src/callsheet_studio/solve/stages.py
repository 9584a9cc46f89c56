"""The stage that makes the production plan, as tools: what it is made from, and the plan."""

from __future__ import annotations

from datetime import date
from typing import Any

from callsheet import tool
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.model.base import Data
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.plan import ProductionPlan
from callsheet_studio.model.shots import (
    Board,
    Composition,
    Lighting,
    Movement,
    Setting,
    Shot,
    ShotList,
)
from callsheet_studio.model.stack import Stack
from callsheet_studio.solve.needs import CARD, is_card

_VERSION = edition("solve")


class Asked(Data):
    """What the plan is made from: shots that say only what making them takes."""

    shots: ShotList
    brief: Brief


_BARE: dict[str, Any] = {
    **dict.fromkeys(("beat", "subject", "action", "sound", "transition", "setup", "notes"), ""),
    **dict.fromkeys(("dialogue", "voiceover", "on_screen_text")),
    "size": "MS",
    "kind": "standard",
    "angle": "eye",
    "bearing": 0,
    "movement": Movement(kind="static"),
    "lens_mm": 0,
    "composition": Composition(
        thirds="",
        focal_point="",
        depth_of_field="deep",
        headroom="",
        lead_room="",
        screen_direction="neutral",
    ),
    "lighting": Lighting(preset="", time_of_day="", mood="", key="", practicals=()),
    "set": Setting(place="", interior=False, props=(), dressing=""),
    "storyboard": Board(description="", prompt=""),
}
"""All of a shot that making it does not take: how hard it is, who is in it and how long it is say
that."""


@tool("studio.asked", version=_VERSION, effect="read")
def asked(shots: ShotList, brief: Brief) -> Asked:
    """Leave only what the plan is made from: another word or place does not plan again."""
    bare = tuple(_bare(shot) for shot in shots.shots)
    content = brief.content.model_copy(update={"script": None, "shots": None})
    return Asked(
        shots=shots.model_copy(update={"shots": bare, "inferred": ()}),
        brief=brief.model_copy(update={"content": content, "inferred": ()}),
    )


def _bare(shot: Shot) -> Shot:
    """What making it takes; a card says that it is one."""
    card = {"references": (CARD,)} if is_card(shot) else {}
    return shot.model_copy(update=_BARE | card)


@tool("studio.plan", version=_VERSION, timeout="2m", effect="read")
def solve(
    shots: ShotList, brief: Brief, stack: Stack, today: date, joins: bool = True
) -> ProductionPlan:
    """Choose with what each shot is made: the best there is for the money and the time.

    Args:
        shots: all of them.
        brief: what it may cost, and how good it must be.
        stack: what there is.
        today: the day.
        joins: whether a shot may be put together of several clips.
    """
    from callsheet_studio.solve.solver import solve as best_plan
    from callsheet_studio.solve.terms import Terms

    terms = Terms() if joins else Terms(most_clips=1)
    return or_invalid(best_plan, shots, brief, stack, today, terms=terms)

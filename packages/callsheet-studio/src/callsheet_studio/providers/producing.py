"""The steps that make shots of what is ordered: still, clip, fitting in, and again if it must be.

Each shot is a sub-plan whose budget is what it can cost at worst: so much is set aside before its
first order is given. An attempt is steps of its own, so the journal has every order that was paid.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from callsheet import Budget, Cost, Plan, Step, Undo
from callsheet_studio.providers.orders import SCOPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.providers.orders import Orders, ShotOrder, Want

_NULL = "`null`"
_DRAWN: dict[str, Any] = {"take": "${inputs.take}"}


def filming(orders: Orders, needs: Sequence[str]) -> list[Step]:
    """The steps from `takes` to `filmed`, for a film some shots of which are ordered."""
    bought = [each.shot for each in orders.shots]
    others = f"${{steps.takes[?contains(`{json.dumps(bought)}`, name) == `false`]}}"
    args: dict[str, Any] = {"take": "${item.take}", "name": "${item.name}"}
    drawn = Step(
        id="drawn",
        tool="studio.shoot",
        args=args,
        for_each=others,
        cache=True,
        needs=tuple(needs),
    )
    made = [_shot(each) for each in orders.shots]
    reel: dict[str, Any] = {
        "names": "${steps.takes[*].name}",
        "drawn": "${steps.drawn}",
        "produced": [f"${{steps.{step.id}}}" for step in made],
    }
    return [drawn, *made, Step(id="filmed", tool="studio.reel", args=reel)]


def speaking(voices: Sequence[Want]) -> list[Step]:
    """The steps from `lines` to `voices`, for a film whose lines a provider speaks."""
    made = [
        Step(id=f"line_{number}", plan=line_plan(each)) for number, each in enumerate(voices, 1)
    ]
    args: dict[str, Any] = {"lines": [f"${{steps.{each.id}}}" for each in made]}
    return [*made, Step(id="voices", tool="studio.voiced", args=args)]


def line_plan(want: Want) -> Plan:
    """The plan that has one line spoken."""
    got: Any = {"made": _json(want)} if want.kept else "${steps.got_1}"
    steps = [] if want.kept else _ordered(want, "line_1", "got_1", "", {})
    args: dict[str, Any] = {"service": want.service, "what": _asked(want), "got": got}
    steps.append(Step(id="said", tool="studio.utter", args=args, cache=True))
    if not want.kept:
        steps.append(_kept("speech", want.name, "steps.got_1.made"))
    return Plan(
        name="line",
        description="A line, spoken by a provider.",
        steps=tuple(steps),
        budget=Budget(usd=want.worst),
        on_failure="stop",
        on_cancel="undo",
        output="${steps.said}",
    )


def step_of(shot: str) -> str:
    """What the step is called that makes a shot."""
    return f"shot_{re.sub(r'[^a-z0-9_]', '_', shot.lower())}"


def _shot(order: ShotOrder) -> Step:
    take = f"${{steps.takes[?name == `{json.dumps(order.shot)}`].take | [0]}}"
    return Step(id=step_of(order.shot), plan=shot_plan(order), args={"take": take})


def shot_plan(order: ShotOrder) -> Plan:
    """The plan that makes one shot."""
    steps = _bought(order) if order.wants else [_fit(1, {"made": _json(order.clip)}, order)]
    fits = [step.id for step in steps if step.tool == "studio.conform"]
    stills = [step.id for step in steps if step.id.startswith("got_still")]
    steps.append(
        Step(
            id="chosen",
            tool="studio.chosen",
            args={
                "name": order.shot,
                "fits": [f"${{steps.{each}}}" for each in fits],
                "stills": [f"${{steps.{each}}}" for each in stills],
            },
            run_if_skipped=True,
        )
    )
    steps.append(
        Step(
            id="drawn",
            tool="studio.shoot",
            args={"take": "${inputs.take}", "name": order.shot},
            when=f"${{steps.chosen.filmed == {_NULL}}}",
            cache=True,
        )
    )
    if order.wants:
        steps.append(_kept("clip", order.clip.name, "steps.chosen.clip"))
    return Plan(
        name="shot",
        description=f"Shot {order.shot}, ordered and fitted in.",
        inputs={"take": {"type": "object"}},
        steps=tuple(steps),
        budget=Budget(usd=order.worst),
        on_failure="stop",
        on_cancel="undo",
        output={
            "filmed": "${steps.chosen.filmed || steps.drawn}",
            "wrong": "${steps.chosen.wrong}",
        },
    )


def _bought(order: ShotOrder) -> list[Step]:
    steps: list[Step] = []
    picture: Any = None
    when = ""
    if order.drawn:
        steps.append(Step(id="frame", tool="studio.frame", args=_DRAWN, cache=True))
        picture = "${steps.frame}"
    if still := order.still:
        if still.kept:
            picture = _json(still)
        else:
            steps += _stills(still)
            made = " || ".join(f"steps.got_still_{number}.made" for number in _numbers(still))
            picture, when = f"${{{made}}}", f"${{({made}) != {_NULL}}}"
            steps.append(_kept("still", still.name, made))
    for number in _numbers(order.clip):
        asked = when if number == 1 else f"${{steps.fit_{number - 1}.again == `true`}}"
        begins = {} if picture is None else {"picture": picture}
        steps += _ordered(order.clip, f"clip_{number}", f"got_{number}", asked, begins)
        steps.append(_fit(number, f"${{steps.got_{number}}}", order))
    return steps


def _stills(want: Want) -> list[Step]:
    steps = []
    for number in _numbers(want):
        when = "" if number == 1 else f"${{steps.got_still_{number - 1}.again == `true`}}"
        steps += _ordered(want, f"still_{number}", f"got_still_{number}", when, {})
    return steps


def _numbers(want: Want) -> range:
    return range(1, want.most + 1)


def _ordered(want: Want, name: str, got: str, when: str, more: dict[str, Any]) -> list[Step]:
    """The order, and the wait for it."""
    whom: dict[str, Any] = {"service": want.service, "key": f"${{secrets.{want.secret}}}"}
    order = Step(
        id=name,
        tool="studio.order",
        args={**whom, "what": _asked(want), "usd": want.usd, **more},
        when=when or None,
        run_if_skipped=bool(when),
        cost=Cost(usd=want.usd),
        ceiling=Cost(usd=want.usd),
        undo=Undo(tool="studio.recall", args={**whom, "ordered": "${output}"}),
    )
    ordered = f"${{steps.{name}}}"
    args = {**whom, "kind": want.what.kind, "ordered": ordered}
    return [order, Step(id=got, tool="studio.receive", args=args)]


def _asked(want: Want) -> Any:
    """The order as an argument: what looks like a reference in it is none."""
    text = want.what.text.replace("${", "$${")
    return want.what.model_copy(update={"text": text}).model_dump(mode="json")


def _fit(number: int, got: Any, order: ShotOrder) -> Step:
    args: dict[str, Any] = {"take": "${inputs.take}", "name": order.shot, "got": got}
    args |= {"moves": True} if order.clip.what.kind == "still" else {}
    return Step(id=f"fit_{number}", tool="studio.conform", args=args, cache=True)


def _kept(kind: str, name: str, made: str) -> Step:
    """Remembers what was bought: it is not ordered again, by whatever run."""
    return Step(
        id=f"keep_{kind}",
        tool="context.set",
        args={"scope": SCOPE, "name": name, "value": {"made": f"${{{made}}}"}},
        when=f"${{({made}) != {_NULL}}}",
        run_if_skipped=True,
        undo="none",
    )


def _json(want: Want) -> Any:
    return want.kept.to_json() if want.kept else None

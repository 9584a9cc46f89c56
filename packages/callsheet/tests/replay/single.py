"""Runs whose journals are kept for ever: outcomes as values, and what is asked about one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.replay.recordings import Recording, a_request, asked, at_the_end, costs, shops

from callsheet.core.run import entries as e
from callsheet.core.run.provisions import Provisions, Source
from callsheet.errors import FatalError, TransientError
from callsheet.testing import hangs, raises, returns, waits

if TYPE_CHECKING:
    from tests.replay.recordings import Reaction

    from callsheet.core.run.entry import Entry
    from callsheet.core.run.request import Request, RequestKind
    from callsheet.testing import World


def late_shop(world: World) -> None:
    shops(world)
    world.tool("hang", hangs(), timeout=20)
    world.tool("flaky", raises(TransientError("Not yet.")))
    world.tool("endless", hangs(), effect="write")
    world.tool("tell")


def second_time(world: World) -> None:
    shops(world)
    world.tool("once", [raises(FatalError("Not the first time.")), waits(1, costs(0.2))])
    world.tool("paid", waits(1, costs(0.4)), ceiling=0.5)
    world.tool("tell", returns("told"))


def tell(**seen: Any) -> dict[str, Any]:
    return {"id": "tell", "tool": "tell", "args": seen}


def about(step: str, kind: type[Entry], seen: str, request: RequestKind, **fields: Any) -> Reaction:
    """Ask something about one step as soon as there is an entry of this kind about another."""

    def reaction(entry: e.AnyEntry) -> list[Request]:
        if isinstance(entry, kind) and getattr(entry, "step", None) == seen:
            return [a_request(request, f"{request}-{kind.__name__}-{step}", step=step, **fields)]
        return []

    return reaction


def itself(kind: type[Entry], step: str, request: RequestKind, **fields: Any) -> Reaction:
    """Ask something about the step of an entry of this kind."""
    return about(step, kind, step, request, **fields)


PROVISIONS = Provisions(
    sources=(
        Source(tools=("book", "cancel"), module="callsheet_tools_shop", file="/films/shop.py"),
        Source(tools=("look",), module="shop.looking", digest="0" * 64),
        Source(tools=("slow",), app="callsheet-shop"),
    ),
    files="/films",
    secrets=("TOKEN",),
    private=("10.0.0.0/8",),
    shell=True,
)

RECORDINGS = (
    Recording(
        name="left-with-provisions",
        steps=[{"id": "look", "tool": "look"}, {"id": "then", "tool": "slow", "needs": ["look"]}],
        tools=shops,
        provisions=PROVISIONS,
        left=True,
        cuts=(lambda entry: isinstance(entry, e.AttemptStarted) and entry.step == "then",),
    ),
    Recording(
        name="outcomes",
        steps=[
            {"id": "book", "tool": "book"},
            {"id": "boom", "tool": "boom"},
            {"id": "below", "tool": "book", "args": {"n": "${steps.boom}"}},
            {"id": "each", "tool": "boom", "for_each": [1, 2], "on_failure": "ignore"},
            tell(
                all=["${outcomes.book}", "${outcomes.boom}", "${outcomes.below}"],
                each="${outcomes.each[*].error.class}",
            ),
            {"id": "mend", "tool": "pin", "when": "${outcomes.boom.state == 'failed'}"},
        ],
        tools=late_shop,
        plan={"on_failure": "continue"},
    ),
    Recording(
        name="forked-with-errors",
        steps=[
            {"id": "boom", "tool": "boom", "on_failure": "ignore"},
            {"id": "endless", "tool": "endless", "timeout": 5, "in_doubt": "fail"}
            | {"on_failure": "ignore"},
            {"id": "hang", "tool": "hang", "on_failure": "ignore"},
            {"id": "look", "tool": "look"},
            tell(all=["${outcomes.boom}", "${outcomes.endless}", "${outcomes.hang}"]),
        ],
        tools=late_shop,
        fork=("tell", {"more": True}),
    ),
    Recording(
        name="within",
        steps=[
            {"id": "hang", "tool": "hang", "within": "50s", "retry": 9, "on_failure": "ignore"},
            {"id": "flaky", "tool": "flaky", "within": 30, "retry": 99, "on_failure": "skip"},
            {"id": "endless", "tool": "endless", "within": "9s", "on_failure": "ignore"},
            tell(
                hang="${outcomes.hang.error.class}",
                flaky="${outcomes.flaky.error.class}",
                endless="${outcomes.endless.state}",
            ),
        ],
        tools=late_shop,
        reactions=(asked("endless", "did_not_happen", ask="doubt"),),
    ),
    Recording(
        name="stopped-alone",
        steps=[
            {"id": "hang", "tool": "hang", "timeout": 1000},
            {"id": "q", "ask": "Which?"},
            {"id": "below", "tool": "book", "args": {"n": "${steps.hang}"}},
            {"id": "endless", "tool": "endless"},
            tell(hang="${outcomes.hang.state}", q="${outcomes.q.state}"),
        ],
        tools=late_shop,
        reactions=(
            itself(e.AttemptStarted, "hang", "stop", reason="Too slow."),
            itself(e.QuestionAsked, "q", "stop"),
            itself(e.AttemptStarted, "endless", "stop"),
            asked("endless", "happened", ask="doubt", output={"n": 1}),
        ),
    ),
    Recording(
        name="undone-alone",
        steps=[
            {"id": "first", "tool": "pin"},
            {"id": "second", "tool": "pin"},
            {"id": "slow", "tool": "slow"},
        ],
        tools=shops,
        plan={"output": "${steps.slow}"},
        reactions=(
            itself(e.AttemptEnded, "first", "undo_step"),
            at_the_end("succeeded", a_request("undo_step", "undo-second", step="second")),
        ),
    ),
    Recording(
        name="tried-again",
        steps=[
            {"id": "paid", "tool": "paid"},
            {"id": "once", "tool": "once"},
            {"id": "below", "tool": "tell", "args": {"n": "${steps.once}"}},
            {"id": "other", "tool": "once", "needs": ["slow"]},
            {"id": "slow", "tool": "slow"},
        ],
        tools=second_time,
        plan={"on_failure": "continue", "budget": {"usd": 2.0, "seconds": 600}},
        granted=5.0,
        reactions=(
            about("once", e.StepDecided, "below", "retry"),
            at_the_end("failed", a_request("retry", "retry-other", step="other")),
        ),
    ),
)

__all__ = ["RECORDINGS"]

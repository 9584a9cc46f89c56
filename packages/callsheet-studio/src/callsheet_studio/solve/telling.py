"""Numbers in words: money, time, levels, and what a choice was made for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.solve.terms import HUNDRED, MICROS, MS

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Quality
    from callsheet_studio.solve.case import Decision
    from callsheet_studio.solve.terms import Goal

_MINUTE = 60
_HOUR = 3600
_CENT = 10_000


def money(micros: int) -> str:
    """Dollars and cents; all digits of less than a cent."""
    if micros and micros < _CENT:
        return f"${micros / MICROS:.6f}".rstrip("0")
    return f"${micros / MICROS:.2f}"


def lasting(ms: int) -> str:
    """As `1 h 05 min`, `4 min 30 s`, `12 min` or `12 s`: what is nothing is not said."""
    total = -(-ms // MS)
    hours, rest = divmod(total, _HOUR)
    minutes, rest = divmod(rest, _MINUTE)
    if hours:
        hours, minutes = divmod((total + _MINUTE // 2) // _MINUTE, _MINUTE)
        return f"{hours} h {minutes:02} min" if minutes else f"{hours} h"
    if minutes:
        return f"{minutes} min {rest:02} s" if rest else f"{minutes} min"
    return f"{rest} s"


def span(ms: int) -> str:
    """As a brief writes it: `45m`, or `90s` if it is no whole number of minutes."""
    total = -(-ms // MS)
    return f"{total}s" if total % _MINUTE else f"{total // _MINUTE}m"


def cents_up(micros: int) -> int:
    """The next whole cent."""
    return -(-micros // _CENT) * _CENT


def minutes_up(ms: int) -> int:
    """The next whole minute."""
    return -(-ms // (_MINUTE * MS)) * _MINUTE * MS


def lengths(clips: tuple[int, ...]) -> str:
    """As `6 s + 4 s`."""
    return " + ".join(f"{clip / MS:g} s" for clip in clips)


def mark(hundredths: int) -> str:
    """A quality, as `0.53`."""
    return f"{hundredths / HUNDRED:.2f}"


def average(quality: float) -> str:
    """The quality of a whole film: single shots may be below it."""
    return f"quality at least {quality:.2f} on average"


def aim(goal: Goal, level: Quality) -> str:
    """What a plan is, in one clause."""
    match goal:
        case "best":
            return "as good as it can be for the money and the time"
        case "fastest":
            return f"the fastest plan of {_level(level)}"
        case "frugal":
            return "the cheapest plan with as little animatic as possible"
        case "cheapest":
            return f"the cheapest plan of {_level(level)}"


def _level(level: Quality) -> str:
    return "any quality" if level == "budget" else f"{level} quality"


def objective(decision: Decision) -> str:
    """The goals in their order, each with how well it is known to be met."""
    words = {"cost": "cost", "quality": "quality", "time": "makespan", "animatic": "animatic"}
    parts = [
        f"{words[phase.goal]} ({'proved' if phase.proved else 'not proved'})"
        for phase in decision.choice.phases
        if phase.goal in words
    ]
    return f"{aim(decision.goal, decision.wish.level)}: {', then '.join(parts)}, then names"

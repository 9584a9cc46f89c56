"""What a plan is made for: what the brief wants, and what is assumed where nobody has said it.

All counting is in whole numbers: millionths of a dollar (`micros`), thousandths of a second (`ms`),
hundredths of quality. So sums add up, and nothing depends on the order of an addition.
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief, Quality

MICROS = 1_000_000
MS = 1000
HUNDRED = 100

Goal = Literal["best", "cheapest", "fastest", "frugal"]
"""What comes first. `frugal`: as little animatic as possible, then cheap."""

_WORD = re.compile(r"\banimatic\b", re.IGNORECASE)


def micros(usd: float) -> int:
    """A price in millionths of a dollar, fractions upwards: a bill is never told too low."""
    return int((Decimal(str(usd)) * MICROS).to_integral_value(ROUND_CEILING))


def usd(amount: int) -> float:
    """Millionths as dollars."""
    return amount / MICROS


def seconds(ms: int) -> float:
    """Thousandths as seconds."""
    return ms / MS


def local(provider: str) -> bool:
    """Whether it runs on the user's own machine."""
    return provider.casefold().startswith("local")


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What is assumed about production where the tool stack says nothing."""

    attempts: int = 3
    """Calls of a generating tool until one is taken; a local tool needs one."""
    max_attempts: int = 5
    """Calls after which somebody must decide; what is paid at worst."""
    lanes: int = 3
    """Calls that one provider runs at once."""
    local_lanes: int = 1
    most_clips: int = 4
    """Of one shot: every join can be seen."""
    gpu: bool = False
    """Whether models may be planned that run on a graphics card of one's own."""
    effort: float = 2.5
    """Deterministic time for the first goal; not seconds, so the same on every machine."""

    def lanes_of(self, provider: str) -> int:
        """Calls that it runs at once."""
        return self.local_lanes if local(provider) else self.lanes


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What the brief allows and wants."""

    max_micros: int | None
    deadline: int | None
    """Milliseconds."""
    level: Quality
    region: str
    licences: str
    short_side: int
    """Pixels that the picture must have at least."""
    aspect: str
    animatic: bool
    """Whether the brief asks for an animatic and nothing else."""
    days: int = 0
    """Within which the last call may be made: until then, a tool has to be there."""

    @property
    def any_licence(self) -> bool:
        """Whether it does not matter."""
        return self.licences.strip().casefold() in {"", "any"}


_DAY = 86_400


def wish_of(brief: Brief) -> Wish:
    """What a brief allows and wants."""
    asked = brief.constraints
    deadline = asked.deadline
    return Wish(
        max_micros=None if asked.max_cost_usd is None else _whole(asked.max_cost_usd, MICROS),
        deadline=None if deadline is None else _whole(deadline, MS),
        days=0 if deadline is None else int(deadline // _DAY),
        level=asked.quality,
        region=asked.region.strip(),
        licences=asked.licences,
        short_side=short_side(brief.delivery.resolution),
        aspect=brief.delivery.aspect,
        animatic=any(
            _WORD.search(text)
            for text in (brief.style.look, brief.project.context, brief.purpose.objective)
        ),
    )


def short_side(resolution: str) -> int:
    """The pixels of the shorter side of `1280x720` or `720p`."""
    found = [int(number) for number in re.findall(r"\d+", resolution)]
    return min(found, default=0)


def _whole(value: float, unit: int) -> int:
    return int((Decimal(str(value)) * unit).to_integral_value(ROUND_FLOOR))

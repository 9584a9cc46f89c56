"""Questions to the tool stack: what can do this, what suits that, what is known of one.

Answers are ranked by what is known and never guessed: where a tool stack is silent, the tool comes
after those of which something is known.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from callsheet_studio.model.shots import Kind, Size
    from callsheet_studio.model.stack import Offer, Stack, StackTool

LOCAL = "local"
"""How the names of providers begin that are the user's own machine."""

CAPABILITIES: Mapping[str, Callable[[StackTool], bool]] = {
    "sound": lambda tool: tool.native_audio is True,
    "lip_sync": lambda tool: tool.lip_sync is True,
    "references": lambda tool: bool(tool.reference_images) or "r2v" in tool.modes,
    "local": lambda tool: any(offer.provider.startswith(LOCAL) for offer in tool.offers),
    "open": lambda tool: tool.licence is not None and tool.licence != "proprietary",
}
"""What can be asked for beside modes (`i2v`), sizes (`1080p`) and aspects (`9:16`)."""

_EASY, _HARD = 3, 7
_THIRD = 3
_FACES = ("MS", "MCU", "CU", "ECU")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "wide": ("cinematic", "physics", "camera", "30 s"),
    "face": ("dialogue", "acting", "character", "reference", "speech"),
    "detail": ("reference", "text in image", "colour", "4k", "4K"),
}
"""Words of strengths that speak for a tool, for pictures of a kind."""


def is_usable(tool: StackTool, today: date) -> bool:
    """Whether it is there on a day: one that is retired is not, nor one that ends by then."""
    return tool.status != "retired" and not (tool.retires and today >= tool.retires)


def is_offered(offer: Offer, today: date) -> bool:
    """Whether an offer holds on a day."""
    return offer.until is None or today <= offer.until


def known_since(tool: StackTool) -> date:
    """The first day of which anything is known about a tool."""
    days = [offer.as_of for offer in tool.offers]
    days += [benchmark.as_of for benchmark in tool.benchmarks]
    return min([tool.as_of, *days])


def known_on(stack: Stack, day: date) -> Stack:
    """The part of a stack that was known on a day.

    Raises:
        InputError: nothing was.
    """
    tools = tuple(
        tool.model_copy(
            update={
                "offers": tuple(each for each in tool.offers if each.as_of <= day),
                "benchmarks": tuple(each for each in tool.benchmarks if each.as_of <= day),
            }
        )
        for tool in stack.tools
        if known_since(tool) <= day
    )
    if not tools:
        raise InputError(f"Nothing was known of any stack tool on {day}. Name a later day.")
    return stack.model_copy(update={"as_of": day, "tools": tools})


def details(stack: Stack, tool: str) -> StackTool:
    """All that is known of a stack tool.

    Raises:
        InputError: there is none of that id; names the nearest.
    """
    for each in stack.tools:
        if each.id == tool:
            return each
    near = get_close_matches(tool, [each.id for each in stack.tools], 3, 0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else "`callsheet stack list` lists them."
    raise InputError(f"There is no stack tool {tool!r}. {hint}")


def by_capability(stack: Stack, capability: str) -> tuple[StackTool, ...]:
    """The tools that are known to be capable of something, best first, and last those that ended.

    Raises:
        InputError: no tool of the stack can be asked that; names what can.
    """
    known = CAPABILITIES.get(capability)
    wanted = capability.lower()
    if known is None:
        words = {word for tool in stack.tools for word in _words(tool)}
        if wanted not in words:
            near = get_close_matches(wanted, sorted({*words, *CAPABILITIES}), 3)
            hint = f"Did you mean {' or '.join(near)}?" if near else _what_there_is(words)
            raise InputError(f"No stack tool has a capability {capability!r}. {hint}")
    chosen = [t for t in stack.tools if (known(t) if known else wanted in _words(t))]
    return tuple(sorted(chosen, key=lambda tool: (not _is_there(tool, stack), *_best_first(tool))))


def by_complexity(stack: Stack, score: int) -> tuple[StackTool, ...]:
    """The tools for shots of a complexity from 1 to 10, best first.

    Easy ones (up to 3) can be made with any video tool, and moved stills; those from 4 on need one
    that is known to be better than the lowest third of the stack, those from 7 on one of the best.

    Raises:
        InputError: it is no complexity.
    """
    if not 1 <= score <= 10:  # noqa: PLR2004 -- the scale is what it is
        raise InputError(f"{score} is no complexity. Write a number from 1 to 10.")
    tools = _for_pictures(stack)
    if score <= _EASY:
        still = (
            t for t in stack.tools if t.category in {"image", "render"} and _is_there(t, stack)
        )
        return tuple(sorted((*tools, *still), key=_best_first))
    shares = sorted(share for tool in tools if (share := quality(tool)) is not None)
    if not shares:
        return ()
    floor = shares[len(shares) * (2 if score >= _HARD else 1) // _THIRD]
    able = [tool for tool in tools if (quality(tool) or 0) >= floor]
    return tuple(sorted(able, key=_best_first))


def by_shot_type(
    stack: Stack,
    size: Size,
    kind: Kind = "standard",
    *,
    complexity: int = 5,
    lip_sync: bool = False,
) -> tuple[StackTool, ...]:
    """The tools that suit shots of a size and kind, best first.

    Who is seen speaking needs lip sync. A face that comes again, and a thing that has to look like
    itself (INSERT), begin with a picture of it: image to video. Then count what the tools are said
    to be good at for such pictures, and what people have preferred.

    Raises:
        InputError: it is no complexity.
    """
    is_detail = kind == "INSERT"
    is_face = not is_detail and (size in _FACES or kind in {"OTS", "TWO_SHOT"})
    words = _WORDS["detail" if is_detail else "face" if is_face else "wide"]
    mode = "i2v" if is_face or is_detail else "t2v"
    able = [
        tool
        for tool in by_complexity(stack, complexity)
        if tool.category == "video" and mode in tool.modes and (tool.lip_sync or not lip_sync)
    ]
    return tuple(sorted(able, key=lambda tool: (-_matches(tool, words), *_best_first(tool))))


def matching(
    stack: Stack,
    *,
    category: str | None = None,
    capability: str | None = None,
    shot: Size | None = None,
    complexity: int | None = None,
) -> list[StackTool]:
    """The tools that are all that is asked for; ranked by the first of these that ranks them.

    Raises:
        InputError: there is no such capability or complexity.
    """
    answers: list[tuple[StackTool, ...]] = []
    if shot is not None:
        answers.append(by_shot_type(stack, shot, complexity=complexity or 5))
    elif complexity is not None:
        answers.append(by_complexity(stack, complexity))
    if capability is not None:
        answers.append(by_capability(stack, capability))
    able = [{tool.id for tool in answer} for answer in answers]
    ranked = answers[0] if answers else stack.tools
    found = [tool for tool in ranked if all(tool.id in ids for ids in able)]
    return [tool for tool in found if category in {None, tool.category}]


def quality(tool: StackTool) -> float | None:
    """How often people prefer it to the median of a board, on its best board; None if unknown."""
    shares = [each.share for each in tool.benchmarks if each.share is not None]
    return max(shares, default=None)


def _for_pictures(stack: Stack) -> list[StackTool]:
    return [tool for tool in stack.tools if tool.category == "video" and _is_there(tool, stack)]


def _is_there(tool: StackTool, stack: Stack) -> bool:
    return is_usable(tool, stack.as_of) and any(is_offered(o, stack.as_of) for o in tool.offers)


def _words(tool: StackTool) -> set[str]:
    return {word.lower() for word in (*tool.modes, *tool.resolutions, *tool.aspects)}


def _what_there_is(words: set[str]) -> str:
    return f"There are {', '.join(CAPABILITIES)}, and {', '.join(sorted(words))}."


def _matches(tool: StackTool, words: tuple[str, ...]) -> int:
    return sum(any(word in strength for word in words) for strength in tool.strengths)


def _best_first(tool: StackTool) -> tuple[bool, float, str]:
    share = quality(tool)
    return share is None, -(share or 0), tool.id

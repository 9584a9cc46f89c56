"""Captions that follow the voice: moved from when a line was planned to when it is heard."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet_studio.documents import check_captions
from callsheet_studio.documents.captions import APART, FASTEST, LONGEST, SHORTEST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.documents import Caption
    from callsheet_studio.model.script import Beat, Script


def heard_captions(
    planned: Sequence[Caption], script: Script, heard: Mapping[str, tuple[float, float]]
) -> tuple[Caption, ...]:
    """The captions of a script, as its voices really speak.

    Where a voice is faster than people read, they stay as they were planned.

    Args:
        planned: as they follow from the words alone.
        script: whose beats they belong to.
        heard: for each beat, the seconds of the film from which and to which its words are heard.
    """
    moved: list[Caption] = []
    for beat in script.beats:
        own = [each for each in planned if beat.start <= each.start < beat.end]
        spoken = _moved(own, beat, heard.get(beat.id), script.rate)
        late = bool(moved and spoken and spoken[0].start - moved[-1].end < APART)
        moved += own if late or check_captions(spoken, script.rate) else spoken
    return tuple(moved)


def _moved(
    own: Sequence[Caption], beat: Beat, heard: tuple[float, float] | None, rate: Rate
) -> list[Caption]:
    if not own or heard is None:
        return list(own)
    first, last = own[0].start, own[-1].end
    start, end = (rate.frames(seconds) for seconds in heard)
    pace = (end - start) / max(last - first, 1)
    there = [
        replace(
            each,
            start=start + round((each.start - first) * pace),
            end=start + round((each.end - first) * pace),
        )
        for each in own
    ]
    limits = [after.start - APART for _, after in pairwise(there)] + [beat.end - APART]
    return [_legible(each, limit, rate) for each, limit in zip(there, limits, strict=True)]


def _legible(caption: Caption, limit: int, rate: Rate) -> Caption:
    """As long as it takes to read, if what follows leaves it the time."""
    reading = -(-caption.signs * rate.fps // FASTEST)
    wanted = caption.start + max(int(reading), SHORTEST, caption.end - caption.start)
    longest = caption.start + int(LONGEST * rate.fps)
    return replace(caption, end=min(wanted, limit, longest))

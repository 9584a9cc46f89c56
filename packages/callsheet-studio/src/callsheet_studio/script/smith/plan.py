"""When each line is said: lines onto the places of the structure, as long as they need."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.base.clauses import clauses
from callsheet_studio.script.line import Line
from callsheet_studio.script.smith.lines import Filler, fillers
from callsheet_studio.script.smith.packing import packed
from callsheet_studio.script.structure import LEAST, MOST, Slot

if TYPE_CHECKING:
    from callsheet_studio.base.time import Rate
    from callsheet_studio.script.line import Clock
    from callsheet_studio.script.smith.material import Material

_SECTION, _HOOK = 1.9, 3.0
"""Seconds that a section of an ad, and a hook elsewhere, have at least."""
_SPOKEN = {True: 0.88, False: 0.84}
"""The share of an ad, and of other films, that is spoken where the brief has the words for it."""
_MOST_READ = 16
"""Words that are read while something else is said."""
_READ = 3
"""Seconds for which the call to action is on screen."""


class Telling(msgspec.Struct, frozen=True):
    """What is said in one beat."""

    slot: Slot
    lines: tuple[Line, ...] = ()
    shown: tuple[Line, ...] = ()
    """To be read, because there is no time to say it."""
    turns: bool = False
    """Whether the feeling of the film turns in it."""

    @property
    def task(self) -> str:
        """What it is for: what its first line is for."""
        if not self.lines:
            return "silent"
        tasks = [line.task for line in self.lines]
        return next((task for task in ("cta", "hook", "reveal") if task in tasks), tasks[0])

    @property
    def said(self) -> str:
        """Its words."""
        return " ".join(line.said for line in self.lines)

    @property
    def about(self) -> str:
        """Which beat of which part it is: the same in a brief that says something else."""
        return f"{self.slot.part}/{self.slot.number}"


def plan(
    given: Material,
    lines: list[Line],
    slots: tuple[Slot, ...],
    clock: Clock,
    *,
    ad: bool,
    speaker: bool = False,
) -> list[Telling]:
    """A telling for each place. What there is no time for is read; what is ours is left out."""
    most = math.floor(MOST * clock.rate.fps)
    lines = [part for line in lines for part in _in_parts(line, most, clock)]
    found = _planned(given, lines, slots, clock, ad=ad, speaker=speaker)
    unsaid = _unsaid(found, lines)
    if not unsaid:
        return found
    least = math.ceil((_SECTION if ad else LEAST) * clock.rate.fps)
    closer = packed(lines, slots, clock, (least, most))
    if closer is None:
        return found
    places, groups = closer
    timed = _stretched(places, [_length(group, clock) for group in groups], clock.rate, ad=ad)
    told = [Telling(slot, tuple(group)) for slot, group in zip(timed, groups, strict=True)]
    fits = all(_length(list(each.lines), clock) <= each.slot.frames for each in told)
    left = _unsaid(told, lines)
    if not fits or sum(map(_words, left)) >= sum(map(_words, unsaid)):
        return found
    return _turned(_showing(told, left, math.ceil(_READ * clock.rate.fps)))


def _in_parts(line: Line, most: int, clock: Clock) -> list[Line]:
    """A line that no beat can hold, in two where somebody would breathe."""
    pieces = clauses(line.said)
    if line.task == "cta" or clock.frames(line.said) <= most or len(pieces) == 1:
        return [line]
    ways = [(" ".join(pieces[:at]), " ".join(pieces[at:])) for at in range(1, len(pieces))]
    first, second = min(ways, key=lambda way: abs(len(way[0]) - len(way[1])))
    return [
        replace(line, said=first, about=first.removeprefix(line.lead).strip()),
        *_in_parts(replace(line, task="message", said=second, about=second, lead=""), most, clock),
    ]


def _unsaid(tellings: list[Telling], lines: list[Line]) -> list[Line]:
    """The brief's own lines that nobody says."""
    said = {line.message for telling in tellings for line in telling.lines}
    return [line for line in lines if line.message and line.message not in said]


def _words(line: Line) -> int:
    return len(line.about.split())


def _planned(
    given: Material,
    lines: list[Line],
    slots: tuple[Slot, ...],
    clock: Clock,
    *,
    ad: bool,
    speaker: bool,
) -> list[Telling]:
    """Onto the places of the structure as they are."""
    total = slots[-1].end
    needed = lines_that_fit(lines, total, clock)
    left = [line for line in lines if line not in needed]
    # Whoever tells their own story says the brief's words and none of ours.
    more = [each for each in fillers(given, lines) if each.alone or not speaker]
    more = [each for each in more if ad or not each.twice]
    needed = _filled(needed, more, lines, int(total * _SPOKEN[ad]), clock)
    groups = _grouped(needed, slots, clock, ad=ad)
    slots, groups = _joined(slots, groups, math.floor(MOST * clock.rate.fps))
    timed = _stretched(slots, [_length(group, clock) for group in groups], clock.rate, ad=ad)
    while over := [n for n in range(len(groups)) if _length(groups[n], clock) > timed[n].frames]:
        if _moved(groups, over[0], timed, clock):
            timed = _stretched(
                slots, [_length(group, clock) for group in groups], clock.rate, ad=ad
            )
            continue
        given_up = _lightened(groups, over[0])
        if given_up is not None:
            left += [given_up] if given_up.message else []
        elif (merged := _merged(slots, groups, over[0], clock.rate.frames(MOST))) is not None:
            slots, groups = merged
        else:
            break
        timed = _stretched(slots, [_length(group, clock) for group in groups], clock.rate, ad=ad)
    tellings = [Telling(slot, tuple(group)) for slot, group in zip(timed, groups, strict=True)]
    tellings = _showing(tellings, left, math.ceil(_READ * clock.rate.fps))
    return _turned(tellings)


def _filled(
    needed: list[Line], more: list[Filler], lines: list[Line], most: int, clock: Clock
) -> list[Line]:
    """With as much besides as there is time for: before the line it leads to, or alone."""
    found = list(needed)
    places = {id(line): line for line in needed}
    for filler in more:
        spoken = sum(clock.frames(line.said) for line in found) + clock.frames(filler.said)
        aim = places.get(id(lines[filler.before]))
        if spoken > most or aim is None:
            continue
        at = found.index(aim)
        if filler.alone is not None:
            found.insert(at, filler.alone)
        else:
            found[at] = replace(aim, said=f"{filler.said} {aim.said}", lead=filler.said)
            places[id(lines[filler.before])] = found[at]
    return found


def _said(group: list[Line]) -> str:
    return " ".join(line.said for line in group)


def lines_that_fit(lines: list[Line], total: int, clock: Clock) -> list[Line]:
    """All lines, or as many as can be spoken: pains go first, the core and the call stay."""
    kept = list(lines)
    for task in ("people", "close", "problem", "hook", "message"):
        while sum(clock.frames(line.said) for line in kept) > total * 0.94:
            spare = [line for line in kept if line.task == task]
            if not spare or (task == "hook" and kept[0] is spare[0] and len(kept) <= _FEWEST):
                break
            kept.remove(spare[-1])
    return kept


_FEWEST = 2


def _grouped(
    lines: list[Line], slots: tuple[Slot, ...], clock: Clock, *, ad: bool
) -> list[list[Line]]:
    """Which lines each place has: the first the hook, the last the call, the others in order."""
    groups: list[list[Line]] = [[] for _ in slots]
    if len(slots) == 1:
        return [lines]
    *others, call = lines
    groups[-1] = [call]
    groups[0] = others[:1]
    rest = others[1:]
    places = list(range(1, len(slots) - 1)) or [len(slots) - 1]
    most = clock.rate.frames(MOST)
    lengths = [clock.frames(line.said) for line in rest]
    total = sum(slots[n].frames for n in places)
    place, before = 0, 0
    for line, length in zip(rest, lengths, strict=True):
        middle = before + length / 2
        wished = middle / max(sum(lengths), 1) * total
        while place < len(places) - 1 and (
            wished > sum(slots[n].frames for n in places[: place + 1])
            or _length(groups[places[place]], clock) + length > most
        ):
            place += 1
        groups[places[place]].append(line)
        before += length
    if len(slots) > _FEWEST and not ad:
        _unpacked(groups, most, clock)
    return groups


def _moved(groups: list[list[Line]], at: int, timed: list[Slot], clock: Clock) -> bool:
    """Give a line of a place that has no time to the one beside it that has; whether one had."""
    if len(groups[at]) <= 1:
        return False
    for to in (at + 1, at - 1):
        if not 0 < to < len(groups) - 1:
            continue
        line = groups[at][-1 if to > at else 0]
        if _length(groups[to], clock) + clock.frames(line.said) <= timed[to].frames:
            groups[at].remove(line)
            groups[to].insert(0 if to > at else len(groups[to]), line)
            return True
    return False


def _merged(
    slots: tuple[Slot, ...], groups: list[list[Line]], at: int, most: int
) -> tuple[tuple[Slot, ...], list[list[Line]]] | None:
    """A place that is too short together with the one beside it, if a beat may be that long."""
    near = [n for n in (at + 1, at - 1) if 0 <= n < len(slots)]
    near = [n for n in near if slots[n].frames + slots[at].frames <= most]
    if not near:
        return None
    low, high = sorted((at, near[0]))
    first, second = slots[low], slots[high]
    parts = tuple(dict.fromkeys((*first.parts, *second.parts)))
    one = replace(first, end=second.end, parts=parts)
    return (
        (*slots[:low], one, *slots[high + 1 :]),
        [*groups[:low], groups[low] + groups[high], *groups[high + 1 :]],
    )


def _lightened(groups: list[list[Line]], at: int) -> Line | None:
    """Say less in a place that has no time: first what is ours, then what is not the core.

    Returns the line that was left out; None, if there is none to leave out.
    """
    group = groups[at]
    for number, line in enumerate(group):
        if line.lead:
            group[number] = replace(line, said=line.said.removeprefix(line.lead).strip(), lead="")
            return Line(line.task, line.lead, line.about, ours=True)
    for tasks in (("people", "recall", "close"), ("problem", "hook"), ("message",)):
        spare = [line for line in group if line.task in tasks]
        if spare:
            group.remove(spare[-1])
            return spare[-1]
    # Where only the core and the call are left, others may give their time.
    other = next((g for g in groups if g is not group and any(ln.task in _SPARE for ln in g)), None)
    if other is None:
        return None
    line = next(ln for ln in other if ln.task in _SPARE)
    other.remove(line)
    return line


_SPARE = ("people", "recall", "problem", "message", "hook")


def _joined(
    slots: tuple[Slot, ...], groups: list[list[Line]], most: int
) -> tuple[tuple[Slot, ...], list[list[Line]]]:
    """Without places in which nobody speaks, as long as the others can hold the film."""
    places, said, total = list(slots), list(groups), slots[-1].end
    at = len(places) - 2
    while at > 0:
        near = [n for n in (at - 1, at + 1) if 0 < n < len(places) - 1 or (n == 0 and said[0])]
        if said[at] or not near or (len(places) - 1) * most < total:
            at -= 1
            continue
        to = min(near, key=lambda n: places[n].frames)
        low, high = sorted((at, to))
        first, second = places[low], places[high]
        parts = tuple(dict.fromkeys((*first.parts, *second.parts)))
        part = places[to].part
        places[low : high + 1] = [replace(first, end=second.end, part=part, parts=parts)]
        said[low : high + 1] = [said[low] + said[high]]
        at = min(at, len(places) - 2)
    return tuple(places), said


def _unpacked(groups: list[list[Line]], most: int, clock: Clock) -> None:
    """Nothing that cannot be said in a beat: what is too much goes to a neighbour that has room."""
    for at in range(len(groups) - 2, 0, -1):
        while len(groups[at]) > 1 and _length(groups[at], clock) > most:
            to = at + 1 if at + 1 < len(groups) - 1 else at - 1
            moved = groups[at].pop(-1 if to > at else 0)
            groups[to].insert(0 if to > at else len(groups[to]), moved)


def _length(group: list[Line], clock: Clock) -> int:
    return clock.frames(_said(group))


def _stretched(slots: tuple[Slot, ...], needs: list[int], rate: Rate, *, ad: bool) -> list[Slot]:
    """The same places, each at least as long as its words: those with time to spare give it."""
    least = [math.ceil((_SECTION if ad else LEAST) * rate.fps) for _ in slots]
    if not ad:
        least[0] = min(math.ceil(_HOOK * rate.fps), slots[0].frames)
    least = [min(low, slot.frames) for low, slot in zip(least, slots, strict=True)]
    least[-1] = max(least[-1], min(math.ceil(_READ * rate.fps), slots[-1].end // 3))
    most = math.floor(MOST * rate.fps)
    lengths = [min(slot.frames, most) for slot in slots]
    while (left := slots[-1].end - sum(lengths)) > 0:
        # What a place cannot hold goes to the one with the most room.
        at = min(range(len(lengths)), key=lambda n: lengths[n])
        if lengths[at] >= most:
            lengths[-1] += left
            break
        lengths[at] += min(left, max((most - lengths[at]) // 2, 1))
    wanted = [min(max(need, low), most) for need, low in zip(needs, least, strict=True)]
    # The call to action first: it is spoken, whatever else is.
    for at, want in sorted(enumerate(wanted), key=lambda each: -each[0]):
        short = want - lengths[at]
        while short > 0:
            spare = [lengths[n] - wanted[n] for n in range(len(lengths))]
            giver = max(
                (n for n in range(len(lengths)) if n != at), key=lambda n: spare[n], default=at
            )
            if giver == at or spare[giver] <= 0:
                break
            given = min(short, max(spare[giver] // 2, 1))
            lengths[giver] -= given
            lengths[at] += given
            short -= given
    found, start = [], 0
    for slot, length in zip(slots, lengths, strict=True):
        found.append(msgspec.structs.replace(slot, start=start, end=start + length))
        start += length
    return found


def _showing(tellings: list[Telling], left: list[Line], read: int) -> list[Telling]:
    """What nobody has time to say is read, one in each beat that has no other text."""
    found = list(tellings)
    places = [*range(1, len(found) - 1), 0]
    told = {line.message for telling in tellings for line in telling.lines}
    unsaid = [line for line in left if line.message and line.message not in told]
    unsaid = [short for line in unsaid if (short := _readable(line))]
    long_enough = [n for n in places if found[n].slot.frames >= read] or places
    for number, line in enumerate(unsaid):
        at = long_enough[number % len(long_enough)]
        found[at] = replace(found[at], shown=(*found[at].shown, line))
    return found


def _readable(line: Line) -> Line | None:
    """As much of a line as is read in passing: its first clauses; None, if those are too long."""
    if len(line.about.split()) <= _MOST_READ:
        return line
    kept = ""
    for part in clauses(line.about):
        more = f"{kept} {part}".strip()
        if len(more.split()) > _MOST_READ:
            break
        kept = more
    return replace(line, about=kept.rstrip(",;: ")) if kept else None


def _turned(tellings: list[Telling]) -> list[Telling]:
    """The feeling of the film turns in the beat at its middle, or where the core is said."""
    total = tellings[-1].slot.end
    inner = tellings[1:-1] or tellings[:1]
    turn = min(inner, key=lambda t: abs((t.slot.start + t.slot.end) / 2 - total / 2))
    return [replace(t, turns=t is turn) for t in tellings]

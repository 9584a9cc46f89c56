"""What is told where: each beat has its task and its share of the brief before a word is said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from callsheet_studio.base import speech

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.base.time import Rate
    from callsheet_studio.script.smith.lines import Dice
    from callsheet_studio.script.smith.material import Material
    from callsheet_studio.script.smith.phrases import Phrase
    from callsheet_studio.script.structure import Slot

Task = Literal[
    "hook",
    "problem",
    "reveal",
    "message",
    "bridge",
    "doubt",
    "feel",
    "people",
    "echo",
    "recap",
    "memory",
    "recall",
    "scene",
    "silent",
    "close",
    "cta",
]

_PROBLEM = frozenset({"inciting_event", "setup", "pain_point"})
_REVEAL = frozenset({"first_plot_point", "product_reveal", "solution", "confrontation"})
_CLOSE = frozenset({"resolution", "climax", "offer", "call_to_action"})
_AD = frozenset({"pain_point", "product_reveal", "selling_point", "demo", "trust", "offer"})
_READ = 3
"""Seconds that a text must be on screen."""
LONGEST_TEXT = 18
"""Words on screen: two lines of nine."""
_BLOCK = 3
"""Beats of a message that has a way in and a way out."""
_LAST = 4
"""Beats before the end in which the core may come again."""
_LONG = 12
"""Beats of a film that can afford it."""
_AIR = 0.95
"""The share of a beat that may be filled with speech."""


@dataclass(slots=True)
class Telling:
    """The task of one beat, and what it has to tell."""

    slot: Slot
    most: int
    """Spoken words that fit."""
    reads: bool
    """Whether it is long enough for a text."""
    task: Task = "silent"
    messages: list[Phrase] = field(default_factory=list)
    """To be said."""
    shown: list[Phrase] = field(default_factory=list)
    """To be read, because there is no time to say them."""
    pain: Phrase | None = None
    second: Phrase | None = None
    """Another pain."""
    core: bool = False
    after: Phrase | None = None
    """The message that it dwells on."""
    again: tuple[Phrase, ...] = ()
    """Messages that are called to mind."""
    turns: bool = False
    """Whether the feeling of the film turns in it."""
    number: int = 0
    """Which of the messages its first one is."""

    @property
    def about(self) -> str:
        """Which beat of which part it is: the same in a brief that says something else."""
        return f"{self.slot.part}/{self.slot.number}"

    def room(self, language: str) -> int:
        """Words that it could still say."""
        return self.most - sum(spoken(said, language, goes_on=True) for said in self.messages)


def spoken(said: Phrase, language: str, *, goes_on: bool = False) -> int:
    """How many spoken words it weighs."""
    return speech.load(said.text, language, goes_on=goes_on)


def plan(
    given: Material, slots: tuple[Slot, ...], rate: Rate, dice: Dice, *, speaker: bool
) -> list[Telling]:
    """A telling for each slot."""
    tellings = [
        Telling(
            slot=slot,
            most=speech.words_that_fit(int(slot.frames * _air(slot, rate)), rate, given.wpm),
            reads=rate.seconds(slot.frames) >= _READ,
        )
        for slot in slots
    ]
    tellings[0].task = "hook"
    tellings[-1].task = "cta"
    reveal = _reveal(tellings, given)
    if reveal is not None:
        reveal.task, reveal.core = "reveal", True
        _name(tellings, given, reveal)
    _give_messages(tellings, given)
    _give_pains(tellings, given)
    _fill(tellings, given, dice, speaker=speaker)
    return tellings


def _air(slot: Slot, rate: Rate) -> float:
    """Short beats are filled; longer ones breathe."""
    return 1.0 if rate.seconds(slot.frames) < _READ + 2 else _AIR


def _reveal(tellings: list[Telling], given: Material) -> Telling | None:
    """Where the core is said: in the first beat for it that has the time."""
    inner = tellings[1:-1]
    needed = spoken(given.core, given.language)
    starts = [n for n, t in enumerate(inner) if set(t.slot.parts) & _REVEAL]
    start = starts[0] if starts else 0
    act = [t for t in inner[start:] if t.slot.part == "confrontation"]
    if given.emphasis == "problem" and given.pains and len(act) > len(given.messages) + 1:
        start += 1
    fitting = [t for t in inner[start:] if t.most >= needed]
    return fitting[0] if fitting else None


def _name(tellings: list[Telling], given: Material, reveal: Telling) -> None:
    """A reveal too short for the core only names the product, if messages have room elsewhere."""
    named = next((t for t in tellings[1:-1] if "product_reveal" in t.slot.parts), reveal)
    rest = [t for t in tellings[1:-1] if t.slot.start > reveal.slot.start]
    if named is not reveal and given.brand and len(rest) >= len(given.messages) // 2:
        named.task = "reveal"


# Messages


def _give_messages(tellings: list[Telling], given: Material) -> None:
    at = next((n for n, t in enumerate(tellings) if t.task == "reveal"), 0)
    middle = [t for t in tellings[at + 1 : -1] if t.task == "silent"]
    if len(middle) > len(given.messages) and set(middle[-1].slot.parts) & _CLOSE:
        middle = middle[:-1]
    if len(middle) < len(given.messages):
        left = _packed([*(t for t in tellings if t.core), *middle], given)
    else:
        left = _spread(middle, given)
    spare = [*middle, *(t for t in tellings if t.task == "reveal"), tellings[-1]]
    for message in left:
        if not _squeezed(message, spare, given):
            _show(message, [*middle, *reversed(tellings[1:-1]), tellings[-1]])
    order = {said.text: number for number, said in enumerate(given.messages)}
    for telling in tellings:
        telling.messages.sort(key=lambda said: order[said.text])
        if telling.messages:
            telling.number = order[telling.messages[0].text]
        if telling.messages and telling.task == "silent":
            telling.task = "message"


def _packed(beats: list[Telling], given: Material) -> list[Phrase]:
    """Several messages a beat, in their order; returns those that nobody has time for."""
    left = []
    at = 0
    for message in given.messages:
        found = next(
            (n for n in range(at, len(beats)) if _squeezed(message, [beats[n]], given)), None
        )
        if found is None:
            left.append(message)
        else:
            at = found
    return left


def _spread(middle: list[Telling], given: Material) -> list[Phrase]:
    """One message a beat, evenly; returns those for which there is none."""
    left = []
    place = 0
    for number, message in enumerate(given.messages):
        block = len(middle) // max(len(given.messages), 1)
        wished = number * len(middle) // max(len(given.messages), 1) + (block >= _BLOCK)
        last = len(middle) - (len(given.messages) - number)
        options = range(max(place, wished), len(middle))
        needed = spoken(message, given.language)
        found = next((n for n in options if middle[n].most >= needed), None)
        if found is None or found > last + 1:
            left.append(message)
        else:
            middle[found].messages.append(message)
            place = found + 1
    return left


def _squeezed(message: Phrase, beats: Iterable[Telling], given: Material) -> bool:
    """Says it in the first beat that has room beside what it says already."""
    needed = spoken(message, given.language, goes_on=True)
    for telling in beats:
        held = 0
        if telling.core:
            held = spoken(given.core, given.language)
        if telling.task == "cta":
            held = speech.load(given.cta, given.language)
        if telling.room(given.language) - held >= needed:
            telling.messages.append(message)
            return True
    return False


def _show(message: Phrase, beats: Iterable[Telling]) -> None:
    """Shows it where nothing else is to be read; two short ones share a screen if they must."""
    listed = list(dict.fromkeys(id(t) for t in beats if t.reads))
    found = {id(t): t for t in beats}
    size = len(message.text.split())
    for most in (0, 1):
        for key in listed:
            telling = found[key]
            held = sum(len(said.text.split()) for said in telling.shown)
            if len(telling.shown) <= most and held + size <= LONGEST_TEXT:
                telling.shown.append(message)
                return
    if listed:
        found[listed[0]].shown.append(message)


# Pains


def _give_pains(tellings: list[Telling], given: Material) -> None:
    """The first to the hook, the others to where problems are told."""
    pains = list(given.pains)
    hook = tellings[0]
    if pains and hook.task == "hook" and not hook.messages:
        fitting = [p for p in pains if spoken(p, given.language) <= hook.most]
        if fitting:
            hook.pain = fitting[0]
            pains.remove(fitting[0])
    problems = _problem_beats(tellings, given)
    for telling in problems:
        telling.task = "problem"
        if pains and spoken(pains[0], given.language) <= telling.most:
            telling.pain = pains.pop(0)
    if hook.pain and pains and not problems:
        hook.second = pains[0]


def _problem_beats(tellings: list[Telling], given: Material) -> list[Telling]:
    before = []
    for telling in tellings[1:-1]:
        if telling.core:
            break
        if telling.task == "silent" and set(telling.slot.parts) & (_PROBLEM | {"confrontation"}):
            before.append(telling)
    return before[: max(len(given.pains), 1) + 1]


# The rest


def _fill(tellings: list[Telling], given: Material, dice: Dice, *, speaker: bool) -> None:
    """Beats without a message: feel, sum up, lead on, dwell, doubt, or are silent."""
    free = [n for n, t in enumerate(tellings) if t.task == "silent"]
    turn = _turn(tellings, free)
    tellings[turn].turns = True
    if turn in free and not set(tellings[turn].slot.parts) & _AD:
        tellings[turn].task = "feel"
    if len(tellings) - 2 in free:
        tellings[-2].task = "close" if given.pains or len(tellings) < _LAST else "recall"
    before = [n for n in free if n >= len(tellings) - _LAST and tellings[n].task == "silent"]
    if before and len(tellings) > _LONG:
        tellings[before[-1]].task = "recall"
    if not speaker:
        _recap(tellings, free, given)
    for gap in _gaps(tellings):
        _movement(tellings, gap, given, dice)


def _recap(tellings: list[Telling], free: list[int], given: Material) -> None:
    """At the end of a long film its messages come once more, two and two."""
    last = max((n for n, t in enumerate(tellings) if t.messages), default=0)
    quiet = [n for n in free if n > last + 1 and tellings[n].task == "silent"]
    pairs = [given.messages[n : n + 2] for n in range(0, len(given.messages), 2)]
    if len(quiet) > len(pairs) > 1:
        for number, pair in zip(quiet[1:], pairs, strict=False):
            tellings[number].task, tellings[number].again = "recap", pair


def _gaps(tellings: list[Telling]) -> list[list[int]]:
    """Silent beats that stand together."""
    found: list[list[int]] = []
    for number, telling in enumerate(tellings):
        if telling.task != "silent":
            continue
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def _movement(tellings: list[Telling], gap: list[int], given: Material, dice: Dice) -> None:
    """What a message means, a doubt or a picture, and what leads to the next one."""
    told = [said for t in tellings[: gap[0]] for said in t.messages]
    follows = tellings[gap[-1] + 1] if gap[-1] + 1 < len(tellings) else None
    leads = bool(told and follows and follows.messages)
    core = any(telling.core for telling in tellings[: gap[0]])
    inner = _inner(tellings, gap, given, dice) if core else []
    first: list[Task] = ["echo"] if told else []
    if given.emphasis in {"people", "problem"} and inner and inner[0] != "scene" and len(gap) == 1:
        first = [inner.pop(0)]
    last: list[Task] = ["bridge"] if leads and len(gap) > len(first) else []
    middle: list[Task] = []
    while len(first) + len(middle) + len(last) < len(gap):
        quiet = len(middle) % _BLOCK == _BLOCK - 1
        middle.append("silent" if quiet else inner.pop(0) if inner else "scene")
    for number, task in zip(gap, [*first, *middle, *last], strict=True):
        tellings[number].task = task
        tellings[number].after = told[-1] if told else None
        if task == "recap":
            tellings[number].again = tuple(told[-2:])


def _inner(tellings: list[Telling], gap: list[int], given: Material, dice: Dice) -> list[Task]:
    """What can stand between two messages: a doubt, the people, a look back, both once more."""
    told = [said for t in tellings[: gap[0]] for said in t.messages]
    count = {t: sum(x.task == t for x in tellings) for t in ("doubt", "people", "memory", "recap")}
    most = {"doubt": 1, "people": 1, "memory": 2, "recap": len(given.messages) - 1}
    most |= {"problem": {"doubt": 4}, "people": {"people": 4}}.get(given.emphasis, {})
    late = gap[0] > len(tellings) // 2
    options: list[Task] = []
    steps = bool(told) and told[-1].shape == "order"
    crowd = (given.who and not steps) or given.emphasis == "people"
    if crowd and count["people"] < most["people"] and told:
        options.append("people")
    if given.pains and count["doubt"] < most["doubt"]:
        options.append("doubt")
    if given.pains and late and count["memory"] < most["memory"]:
        options.append("memory")
    if len(options) > 1 and dice.number(f"inner/{tellings[gap[0]].about}", 2):
        options.reverse()
    wished = {"problem": "doubt", "people": "people"}.get(given.emphasis, "")
    options.sort(key=lambda task: task != wished)
    if len(gap) >= _BLOCK and len(told) > 1 and count["recap"] < most["recap"]:
        options.insert(1, "recap")
    if len(options) > 1:
        options.insert(1, "scene")
    return options


def _turn(tellings: list[Telling], free: list[int]) -> int:
    """Where the feeling of the film turns: in the midpoint, or next to the middle."""
    inner = range(min(1, len(tellings) - 1), max(len(tellings) - 1, 1))
    named = [n for n in inner if "midpoint" in tellings[n].slot.parts]
    quiet = [n for n in named or inner[1:-1] if n in free]
    middle = len(tellings) // 2
    return min(quiet or named or inner, key=lambda n: (abs(n - middle), -n))

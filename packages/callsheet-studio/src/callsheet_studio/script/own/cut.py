"""A draft in moments, each to become a beat: cut at ideas, then sentences, then clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.base.speech import load, words_that_fit
from callsheet_studio.script.own.draft import Say, even
from callsheet_studio.script.own.narration import clauses, joined, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.script.own.draft import Draft, Passage

MOST = 10
"""Seconds of a moment."""
_SEEN = 3
"""Sentences of an action that are seen in one."""


class Pace(msgspec.Struct, frozen=True):
    """How fast is spoken, in which language, on which clock."""

    rate: Rate
    wpm: int
    language: str

    def words(self, text: str) -> int:
        """How many spoken words it weighs."""
        return load(text, self.language)

    @property
    def most(self) -> int:
        """Spoken words that a beat has time for."""
        return max(words_that_fit(int(MOST * self.rate.fps), self.rate, self.wpm), 1)


class Moment(msgspec.Struct, frozen=True):
    """What is seen, said and read in one beat, and in which setting."""

    setting: int
    says: tuple[Say, ...] = ()
    action: str = ""
    text: str = ""
    effects: tuple[str, ...] = ()
    music: str = ""
    notes: tuple[str, ...] = ()
    seen: str = ""
    """What was seen last in its passage, and goes on if it has no action."""
    closes: bool = False
    """Whether its passage ends with it."""
    added: str = ""
    """Why it is there, if its author has not written it."""
    text_added: str = ""
    """Why it has a text, if its author has not written that."""

    @property
    def said(self) -> str:
        """The words that are spoken, and nothing else."""
        return joined(say.text for say in self.says)

    @property
    def voiceover(self) -> str:
        """As it stands in a beat."""
        return joined(say.text for say in self.says if not say.speaker)

    @property
    def dialogue(self) -> str:
        """As it stands in a beat: who says it, how, and what."""
        return "\n".join(
            f"{say.speaker}: " + (f"({say.manner}) " if say.manner else "") + say.text
            for say in self.says
            if say.speaker
        )

    @property
    def speech(self) -> str:
        """Everything that takes time to say, as the rules see it."""
        return "\n".join(filter(None, (self.voiceover, self.dialogue)))

    @property
    def voiced(self) -> bool | None:
        """Whether it is said over the picture; None if nothing is said."""
        return not self.says[0].speaker if self.says else None


def cut(draft: Draft, pace: Pace) -> list[Moment]:
    """The moments of a draft. All words are there, in their order."""
    return [
        moment
        for number, setting in enumerate(draft.settings)
        for passage in setting.passages
        for moment in _moments(passage, number, pace)
    ]


def _moments(passage: Passage, setting: int, pace: Pace) -> list[Moment]:
    groups = _groups([part for say in passage.says for part in _breaths(say, pace)], pace)
    parts = sentences(passage.action)
    seen = parts[-1] if parts else ""
    spoken = [Moment(setting, _rejoined(group)) for group in groups]
    if not spoken:
        spoken = [Moment(setting)] * max(-(-len(parts) // _SEEN), 1)
    elif not passage.parallel:
        parts = [passage.action]
    made = [
        replace(moment, action=action, seen=seen)
        for moment, action in zip(spoken, _spread(parts, len(spoken)), strict=True)
    ]
    made[0] = replace(
        made[0],
        text=passage.text,
        effects=passage.effects,
        music=passage.music,
        notes=passage.notes,
    )
    made[-1] = replace(made[-1], closes=True)
    return made


def _spread(parts: Sequence[str], count: int) -> list[str]:
    """Sentences of an action over the moments it goes on for."""
    if not parts:
        return [""] * count
    if count >= len(parts):
        return [*parts, *[""] * (count - len(parts))]
    ends = [len(parts) * (number + 1) // count for number in range(count)]
    starts = [0, *ends]
    return [" ".join(parts[a:b]) for a, b in zip(starts, ends, strict=False)]


def _breaths(say: Say, pace: Pace) -> list[Say]:
    """Pieces that can each be said within a beat: the larger the better."""
    found: list[str] = []
    for sentence in sentences(say.text):
        if pace.words(sentence) <= pace.most:
            found.append(sentence)
        else:
            found += _shortened(sentence, pace)
    return [
        Say(text, say.speaker, "" if number else say.manner) for number, text in enumerate(found)
    ]


def _shortened(sentence: str, pace: Pace) -> list[str]:
    """A sentence that is too long: at clauses, then at words, at last inside of one."""
    parts = clauses(sentence)
    if any(pace.words(part) > pace.most for part in parts):
        parts = [word for part in parts for word in _in_words(part, pace)]
    made: list[str] = []
    for part in parts:
        together = joined((*made[-1:], part))
        if made and pace.words(together) <= pace.most:
            made[-1] = together
        else:
            made.append(part)
    return made


def _in_words(part: str, pace: Pace) -> list[str]:
    if pace.words(part) <= pace.most:
        return [part]
    found: list[str] = []
    for word in part.split():
        found += [word] if pace.words(word) <= pace.most else _halves(word, pace)
    return found


def _halves(word: str, pace: Pace) -> list[str]:
    """Of writing without spaces, or of what is no word at all."""
    if len(word) == 1 or pace.words(word) <= pace.most:
        return [word]
    middle = len(word) // 2
    return [*_halves(word[:middle], pace), *_halves(word[middle:], pace)]


def _groups(breaths: list[Say], pace: Pace) -> list[list[Say]]:
    """Breaths that make a beat together: about equally long, voice and dialogue apart."""
    groups: list[list[Say]] = []
    for run in _runs(breaths):
        total = sum(pace.words(say.text) for say in run)
        count = max(-(-total // pace.most), 1)
        fair = max(-(-total // count), 1)
        groups.append([])
        filled = 0
        for say in run:
            words = pace.words(say.text)
            full = filled + words > pace.most or filled + words // 2 >= fair
            if groups[-1] and full:
                groups.append([])
                filled = 0
            groups[-1].append(say)
            filled += words
    return groups


def _runs(breaths: list[Say]) -> list[list[Say]]:
    runs: list[list[Say]] = []
    for say in breaths:
        if not runs or bool(runs[-1][0].speaker) != bool(say.speaker):
            runs.append([])
        runs[-1].append(say)
    return runs


def _rejoined(says: Sequence[Say]) -> tuple[Say, ...]:
    """One line for what somebody says in one go."""
    lines: list[list[Say]] = []
    for say in says:
        if lines and lines[-1][0].speaker == say.speaker and not say.manner:
            lines[-1].append(say)
        else:
            lines.append([say])
    return tuple(replace(each[0], text=joined(say.text for say in each)) for each in lines)


def merged(first: Moment, second: Moment, pace: Pace) -> Moment | None:
    """Two moments as one; None if they do not go together."""
    apart = first.setting != second.setting or (first.text and second.text)
    mixed = None not in {first.voiced, second.voiced} and first.voiced != second.voiced
    says = (*first.says, *second.says)
    speech = joined(say.text for say in says)
    if apart or mixed or pace.words(speech) > pace.most:
        return None
    return Moment(
        first.setting,
        _rejoined(says),
        even(f"{first.action} {second.action}"),
        first.text or second.text,
        (*first.effects, *second.effects),
        first.music or second.music,
        (*first.notes, *second.notes),
        second.seen,
        second.closes,
    )

"""What a brief cannot all want at once. Each check says the numbers and what to write."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, cast

from callsheet_studio.base.clauses import aloud
from callsheet_studio.base.speech import LIMIT, SLACK, spoken_words, words_that_fit
from callsheet_studio.base.time import Rate
from callsheet_studio.brief.choices import has_words
from callsheet_studio.brief.infer import matches
from callsheet_studio.brief.ownshots import LONGEST as LONGEST_SHOT
from callsheet_studio.brief.ownshots import SHORTEST as SHORTEST_SHOT
from callsheet_studio.brief.problems import show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.brief.infer import Values
    from callsheet_studio.brief.problems import Problems
    from callsheet_studio.model.brief import OwnShot

WRITTEN = (15, 300)
"""Seconds of a film that is written for the brief: the structures begin and end there."""
OWN = (3, 600)
"""Seconds of a film from an own script or own shots."""
_LAST_WORDS = 0.2
"""Share of the film that its call to action may take."""
_LEAST_LAST = 3
_READABLE = 1.25
"""How many more words messages may have than can be said: the last of them are read instead."""
_CARD_WORDS = 18
"""Words of on-screen text, as they are written: two lines of nine."""
_SIDES = (240, 4320)
_LANGUAGES = ("en", "de")


def check_conflicts(values: Values, problems: Problems) -> None:
    """Note everything that contradicts something else."""
    conflicts = _Conflicts(values, problems)
    for check in (
        conflicts.duration,
        conflicts.messages,
        conflicts.call,
        conflicts.words,
        conflicts.language,
        conflicts.picture,
        conflicts.shots,
        conflicts.script_and_shots,
    ):
        check()


class _Conflicts:
    def __init__(self, values: Values, problems: Problems) -> None:
        self._values = values
        self._problems = problems
        self._sound = {key for key in values if not problems.has(key)}
        """Keys of which nothing is wrong yet: only those are compared."""
        # What is wrong in them is said; they are the brief's own all the same.
        own = ("content.script", "content.script_file", "content.shots")
        self._own = any(key in values or problems.has(key) for key in own)

    def _text(self, key: str) -> str:
        return str(self._values.get(key, ""))

    def _list(self, key: str) -> list[str]:
        return cast("list[str]", self._values.get(key, []))

    @property
    def _seconds(self) -> float:
        return cast("float", self._values["content.duration"])

    @property
    def _shots(self) -> tuple[OwnShot, ...]:
        return cast("tuple[OwnShot, ...]", self._values.get("content.shots", ()))

    def _spoken(self, text: str) -> int:
        return spoken_words(text, self._text("content.language"))

    def _fit(self, seconds: float) -> int:
        rate = Rate.of(self._text("delivery.fps") if "delivery.fps" in self._sound else 24)
        return words_that_fit(rate.frames(seconds), rate, LIMIT)

    # Length

    def duration(self) -> None:
        least, most = OWN if self._own else WRITTEN
        if "content.duration" not in self._sound or least <= self._seconds <= most:
            return
        what = f"a film of {self._seconds:g} s is not possible: {least} s to {most // 60} min are"
        fix = "Write a longer one." if self._seconds < least else "Make it shorter, or several."
        if not self._own and OWN[0] <= self._seconds <= OWN[1]:
            fix = f"With your own script or shots it may be {OWN[0]} s to {OWN[1] // 60} min."
        self._problems.add("content.duration", what, fix)
        self._sound.discard("content.duration")

    def messages(self) -> None:
        supporting = self._list("message.supporting")
        keys = {"message.core", "message.supporting", "message.cta", "content.duration"}
        if self._own or any(map(self._problems.has, keys)):
            return
        always = [self._text("message.core"), aloud(self._text("message.cta"))]
        said = " ".join([*always, *supporting])
        always += [word for word in self._list("message.must_include") if not has_words(said, word)]
        ends = sum(map(self._spoken, always))
        each = [self._spoken(message) for message in supporting]
        room = self._fit(self._seconds)
        if ends + sum(each) <= room * _READABLE:
            return  # what there is no time to say is read: the writer sees to it
        place = "message.supporting" if supporting else "message.core"
        fitting = sum(1 for count in range(1, len(each) + 1) if ends + sum(each[:count]) <= room)
        what = (
            f"the messages are {ends + sum(each)} words, and in {self._seconds:g} s "
            f"at most {room} can be said ({LIMIT} a minute)"
        )
        longer = (ends + sum(each)) * 60 * float(SLACK) / LIMIT
        first = f"The first {fitting} fit; or make" if fitting else "Say less, or make"
        self._problems.add(place, what, f"{first} the film {longer:.0f} s long.")

    def call(self) -> None:
        if not {"message.cta", "content.duration"} <= self._sound:
            return
        words = self._spoken(aloud(self._text("message.cta")))
        last = max(_LAST_WORDS * self._seconds, _LEAST_LAST)
        room = self._fit(last)
        written = len(self._text("message.cta").split())
        if words <= room and written > _CARD_WORDS:
            words, room = written, _CARD_WORDS
        if words > room:
            takes = words * 60 * float(SLACK) / LIMIT
            what = (
                f"the call to action is {words} words, which take {takes:.1f} s to say; "
                f"the end of a film of {self._seconds:g} s has room for {room}"
            )
            self._problems.add("message.cta", what, f"Say it in {room} words or fewer.")

    # Words

    def words(self) -> None:
        avoided = self._list("message.must_avoid")
        if "message.must_avoid" not in self._sound:
            return
        for word in avoided:
            for key, text in self._said():
                if key in self._sound and has_words(text, word):
                    what = f"it contains {show(word)}, which must be avoided"
                    fix = "Say it otherwise, or remove the word from message.must_avoid."
                    self._problems.add(key, what, fix)

    def _said(self) -> Iterable[tuple[str, str]]:
        single = ("message.core", "message.cta", "message.brand", "content.script")
        lists = ("message.supporting", "message.must_include")
        spoken = (
            " ".join(filter(None, (shot.voiceover, shot.dialogue, shot.on_screen_text)))
            for shot in self._shots
        )
        return chain(
            ((key, self._text(key)) for key in single),
            ((key, each) for key in lists for each in self._list(key)),
            (("content.shots", each) for each in spoken),
        )

    def language(self) -> None:
        language = self._text("content.language")
        if self._own or language in _LANGUAGES or "content.language" not in self._sound:
            return
        what = f"no script can be written in {show(language)} here: only in en and de"
        fix = "Give your own script, or messages in English or German with language: en or de."
        self._problems.add("content.language", what, fix)

    # Picture

    def picture(self) -> None:
        if not {"delivery.resolution", "delivery.aspect"} <= self._sound:
            return
        size, aspect = self._text("delivery.resolution"), self._text("delivery.aspect")
        width, height = map(int, size.split("x"))
        if not all(_SIDES[0] <= side <= _SIDES[1] * 2 for side in (width, height)):
            what = f"{size} is not a size that films have"
            fix = f"Each side must have {_SIDES[0]} to {_SIDES[1] * 2} pixels."
            self._problems.add("delivery.resolution", what, fix)
        elif width % 2 or height % 2:
            fix = "Write even numbers of pixels."
            self._problems.add("delivery.resolution", f"{size} has an odd side", fix)
        elif not matches(aspect, width, height):
            what = f"{size} is not {aspect}"
            fix = "Change one of delivery.resolution and delivery.aspect, or leave one out."
            self._problems.add("delivery.resolution", what, fix)

    # Own shots

    def shots(self) -> None:
        if not self._shots or not {"content.shots", "content.duration"} <= self._sound:
            return
        least = sum(shot.seconds or SHORTEST_SHOT for shot in self._shots)
        most = sum(shot.seconds or LONGEST_SHOT for shot in self._shots)
        if least - 1e-6 <= self._seconds <= most + 1e-6:
            return
        takes = f"{least:g} s" if least == most else f"{least:g} to {most:g} s"
        what = f"the shots take {takes}, and the film is {self._seconds:g} s long"
        fix = "Change the shots' durations or content.duration, or leave one of them out."
        self._problems.add("content.shots", what, fix)

    def script_and_shots(self) -> None:
        script = self._text("content.script")
        if not script or "content.shots" not in self._sound:
            return
        bare = _bare(script)
        for number, shot in enumerate(self._shots):
            for words in filter(None, (shot.voiceover, shot.dialogue)):
                if _bare(words) not in bare:
                    what = f"{show(words)} is not in the script of the brief"
                    fix = "Take the words from content.script, or leave the script out."
                    self._problems.add(f"content.shots[{number}]", what, fix)


def _bare(text: str) -> str:
    """Its words alone, a space between them."""
    signs = (sign if sign.isalnum() else " " for sign in text.casefold())
    return f" {' '.join(''.join(signs).split())} "

"""What a brief leaves open, taken from what it says, and listed with the reason.

Nothing is invented: a name, a message, a length comes from the brief's own words or from its type.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from callsheet_studio.base.speech import MEDIUM, SLACK, spoken_words
from callsheet_studio.brief.choices import has_words, types_in
from callsheet_studio.brief.names import brand_in, clauses, first_sentence, headline
from callsheet_studio.brief.places import drawn_as
from callsheet_studio.brief.tongue import tongue_of
from callsheet_studio.brief.wording import (
    CALLS,
    EMOTION,
    EMPHASIS,
    FEEDS,
    MEDIA,
    MOODS,
    RATIOS,
    SECONDS,
    SHORT_SIDE,
    TALL,
    TONES,
)
from callsheet_studio.model.base import Inferred

if TYPE_CHECKING:
    from callsheet_studio.brief.tongue import Tongue
    from callsheet_studio.model.brief import OwnShot

Values = dict[str, object]
"""By key, as `content.duration`: what the model holds."""

_STEP = 5
"""Seconds to which the length of an own script is rounded up."""
_USUAL_SHOT = 4
_MOST_PAINS = 3
_MOST_PARTS = 8
_TWO_PIXELS = 2
_ACTS, _EIGHT = 45, 90
"""Seconds from which a film has three acts, and eight parts."""


def complete(given: Values, language: str | None) -> tuple[Values, tuple[Inferred, ...]]:
    """All values, and which of them nobody has given.

    Args:
        given: what the brief says.
        language: what it was inferred to be before; it does not change with an answer.
    """
    filling = _Filling(given, language)
    for fill in (
        filling.language,
        filling.type,
        filling.core,
        filling.names,
        filling.duration,
        filling.structure,
        filling.style,
        filling.delivery,
        filling.cta,
        filling.supporting,
        filling.rest,
        filling.places,
    ):
        fill()
    return filling.values, tuple(filling.inferred)


class _Filling:
    def __init__(self, given: Values, language: str | None) -> None:
        self.values = dict(given)
        self._language = language
        self.inferred: list[Inferred] = []

    def _fill(self, key: str, value: object, why: str) -> None:
        if key not in self.values:
            self.values[key] = value
            self.inferred.append(Inferred(key=key, value=value, why=why))

    def _lacks(self, key: str) -> bool:
        return key not in self.values

    def _text(self, key: str) -> str:
        return str(self.values.get(key, ""))

    def _list(self, key: str) -> list[str]:
        return cast("list[str]", self.values.get(key, []))

    @property
    def _shots(self) -> tuple[OwnShot, ...]:
        return cast("tuple[OwnShot, ...]", self.values.get("content.shots", ()))

    @property
    def _type(self) -> str:
        return self._text("content.type")

    @property
    def _tongue(self) -> Tongue:
        return "de" if self._text("content.language") == "de" else "en"

    # What it is

    def language(self) -> None:
        keys = ("message.core", "message.cta", "project.title", "project.context", "audience.who")
        said = [self._text(key) for key in (*keys, "purpose.objective", "content.script")]
        lists = ("message.supporting", "audience.pain_points", "purpose.challenges")
        said += [each for key in lists for each in self._list(key)]
        said += [shot.voiceover or shot.action for shot in self._shots]
        language = self._language or tongue_of(" ".join(said))
        self._fill("content.language", language, "the brief is written in it")

    def type(self) -> None:
        keys = ("project.title", "project.context", "purpose.objective")
        named = types_in(" ".join(self._text(key) for key in keys))
        if len(named) == 1:
            self._fill("content.type", named[0], "the brief calls it so")
        self._fill("content.type", "general", "the brief names no type")

    def core(self) -> None:
        script = self._text("content.script")
        if script and self._lacks("message.core"):
            sentence = first_sentence(script) or self._text("project.title") or "Our film"
            self._fill("message.core", sentence, "the first sentence of your script")
        spoken = [shot.voiceover or shot.action for shot in self._shots]
        if spoken:
            self._fill("message.core", first_sentence(spoken[0]) or spoken[0], "your first shot")

    def names(self) -> None:
        core = self._text("message.core")
        brand, why = brand_in(
            core,
            title=self._text("project.title"),
            others=self._list("message.supporting"),
            wanted=self._list("message.must_include"),
            is_german=self._tongue == "de",
        )
        if brand:
            self._fill("message.brand", brand, why)
        if self._text("message.brand") and "message.brand" not in {
            each.key for each in self.inferred
        }:
            self._fill("project.title", self._text("message.brand"), "the brand's name")
        self._fill("project.title", headline(core), "the first words of the core message")

    def duration(self) -> None:
        if not self._lacks("content.duration"):
            return
        if shots := self._shots:
            total = sum(shot.seconds or _USUAL_SHOT for shot in shots)
            self._fill("content.duration", float(total), "your shots take as long")
        elif script := self._text("content.script"):
            words = spoken_words(script, self._text("content.language"))
            seconds = math.ceil(words * 60 * SLACK / MEDIUM / _STEP) * _STEP
            why = f"your script has about {words} words"
            self._fill("content.duration", float(max(seconds, 3 * _STEP)), why)
        seconds = SECONDS[self._type]
        self._fill("content.duration", float(seconds), f"usual for the type {self._type}")

    def structure(self) -> None:
        seconds = cast("float", self.values["content.duration"])
        if self._type == "social_ad":
            self._fill("content.structure", "ad", "it is an ad")
            return
        structure = "three_part" if seconds < _ACTS else "three_act"
        structure = "eight_part" if seconds >= _EIGHT else structure
        self._fill("content.structure", structure, f"usual for {seconds:g} s")

    # How it is

    def style(self) -> None:
        why = f"usual for the type {self._type}"
        self._fill("style.tone", TONES[self._tongue][self._type], why)
        self._fill("style.mood", MOODS[self._tongue][self._type], why)
        self._fill("style.medium", MEDIA[self._type], why)

    def delivery(self) -> None:
        platforms = self._list("audience.platforms")
        if platforms:
            self._fill("delivery.platform", platforms[0], "the first of the audience's platforms")
        if self._lacks("delivery.aspect"):
            self._fill("delivery.aspect", *self._aspect())
        aspect, size = self._text("delivery.aspect"), self._text("delivery.resolution")
        if size.endswith("p"):
            # Not inferred: it says the same in other words.
            self.values["delivery.resolution"] = _pixels(aspect, int(size.removesuffix("p")))
        why = f"720 pixels on the short side, for {aspect}"
        self._fill("delivery.resolution", _pixels(aspect, SHORT_SIDE), why)
        self._fill("delivery.fps", "24", "the rate of most films")

    def _aspect(self) -> tuple[str, str]:
        size, platform = self._text("delivery.resolution"), self._text("delivery.platform")
        if "x" in size:
            width, height = map(int, size.split("x"))
            for aspect in RATIOS:
                if matches(aspect, width, height):
                    return aspect, f"the shape of {size}"
        if any(has_words(platform, word) for word in TALL):
            return "9:16", f"phones are held upright, and the platform is {platform}"
        if any(has_words(platform, word) for word in FEEDS):
            return "4:5", f"the platform is {platform}, and 4:5 fills most of a feed"
        return "16:9", "the shape of most screens"

    # What it says

    def cta(self) -> None:
        brand = self._text("message.brand")
        named, bare = CALLS[self._tongue][self._type]
        call = named.format(brand=brand) if brand else bare
        self._fill("message.cta", call, f"usual for the type {self._type}")

    def supporting(self) -> None:
        if "content.script" in self.values or self._shots:
            return  # it says what it says
        if pains := self._list("audience.pain_points"):
            self._fill("message.supporting", pains[:_MOST_PAINS], "what troubles the audience")
        parts = clauses(self._text("message.core"))
        if parts:
            most = parts[:_MOST_PARTS]
            self._fill("message.supporting", most, "the parts of the core message")

    def rest(self) -> None:
        why = f"usual for the type {self._type}"
        self._fill("direction.midpoint_emotion", EMOTION[self._type], why)
        self._fill("direction.act2_emphasis", EMPHASIS[self._type], why)
        self._fill("constraints.quality", "balanced", "between cost and looks")

    def places(self) -> None:
        self.inferred += drawn_as(self._shots, self._text("content.script"))


def matches(aspect: str, width: int, height: int) -> bool:
    """Whether a picture has this shape, but for the rounding to whole pixels."""
    wide, high = RATIOS[aspect]
    return abs(width * high - height * wide) <= _TWO_PIXELS * max(wide, high)


def _pixels(aspect: str, short: int) -> str:
    wide, high = RATIOS[aspect]
    scale = short / min(wide, high)
    return "x".join(str(round(side * scale / 2) * 2) for side in (wide, high))

"""ScriptSmith, the offline way: writes a script of ALT beats from a brief, the same one each time.

First what is said (`lines`), then when (`structure`, `plan`), where (`places`) and by whom
(`people`), then what is seen with it (`pictures`), and around them what a crew has to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.base.clauses import aloud
from callsheet_studio.library.asking import film_of
from callsheet_studio.model.base import Inferred
from callsheet_studio.model.script import Alternative, Beat, Script, Words
from callsheet_studio.script import words
from callsheet_studio.script.line import Clock
from callsheet_studio.script.people import Roles, introduction, speaker_of
from callsheet_studio.script.pictures import Pictures
from callsheet_studio.script.smith.beat import BeatMaker, Said
from callsheet_studio.script.smith.dice import Dice, fill
from callsheet_studio.script.smith.lines import lines_of, question, sentence
from callsheet_studio.script.smith.material import Material, material
from callsheet_studio.script.smith.places import scenes_of
from callsheet_studio.script.smith.plan import plan
from callsheet_studio.script.structure import lay_out
from callsheet_studio.script.wording import holds_phrase, joined, told

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.script.people import Person
    from callsheet_studio.script.smith.plan import Telling

_READ = 3
"""Seconds that a text must be on screen."""
_LINE = 9
"""Words of a line on screen."""
_QUIET = 0.2
"""The share of a film without a voice from which it is told."""


class OfflineWriter:
    """Writes without a model: fast, for nothing, and always the same."""

    def write(self, brief: Brief) -> Script:
        """The script of a brief."""
        given, rate = material(brief), brief.rate
        ad = brief.content.structure == "ad"
        clock = Clock(rate, given.wpm, given.language)
        slots = lay_out(brief.content.structure, brief.frames, rate)
        speaker = speaker_of(brief) if brief.content.type == "testimonial" else None
        lines = lines_of(brief, given)
        tellings = plan(given, lines, slots, clock, ad=ad, speaker=speaker is not None)
        roles = Roles(brief, speaker)
        message = brief.message
        about = tuple(
            text.replace(message.brand, " ") if message.brand else text
            for text in (brief.project.title, message.core, brief.project.context)
        )
        film = film_of(about, given.language, given.brand)
        pictures = Pictures(film, roles, clock, speaker)
        pictures.name = given.product
        places = scenes_of(brief, tellings)
        maker = BeatMaker(brief, given, Dice(brief.identity))
        texts = _Texts(brief, given, speaker)
        beats: list[Beat] = []
        for number, (telling, scene) in enumerate(zip(tellings, places, strict=True)):
            seen = pictures.of(telling, scene, telling.slot.frames, ad=ad, first=number == 0)
            said = _spoken(telling, speaker, texts.of(telling, first=number == 0))
            names = tuple(dict.fromkeys(name for each in seen for name in each.people))
            beats.append(maker.beat(telling, scene, said, seen, roles.references(names)))
        beats = _apart(beats)
        beats = _with_metaphor(beats, given)
        beats = _Second(given, maker).thought(beats, tellings)
        return Script(
            title=brief.project.title,
            type=brief.content.type,
            language=brief.content.language,
            structure=brief.content.structure,
            fps=rate.to_json(),
            frames=brief.frames,
            words_per_minute=given.wpm,
            beats=tuple(_with_all(beats, brief)),
            inferred=_silence(tellings, clock),
        )


def _spoken(telling: Telling, speaker: Person | None, text: str | None) -> Said:
    """By the narrator, or by the one whose story it is; nobody else is made to speak."""
    own = [line.said for line in telling.lines if line.own] if speaker else []
    rest = [line.said for line in telling.lines if not speaker or not line.own]
    dialogue = f"{speaker.name.upper()}: {' '.join(own)}" if speaker and own else None
    return Said(" ".join(rest) or None, dialogue, text)


class _Texts:
    """What is written in the picture: who it is from, who speaks, what to do."""

    def __init__(self, brief: Brief, given: Material, speaker: Person | None) -> None:
        self._brief = brief
        self._given = given
        self._speaker = speaker
        self._named = False

    def of(self, telling: Telling, *, first: bool) -> str | None:
        """The text of a beat, if there is time to read it."""
        if telling.task == "cta":
            return lines_on(self._given.cta)
        if self._brief.rate.seconds(telling.slot.frames) < _READ:
            return None
        if telling.shown:
            return lines_on(telling.shown[0].about)
        if self._speaker and not self._named and any(line.own for line in telling.lines):
            self._named = True
            role = self._speaker.role
            return f"{self._speaker.full}\n{role}" if role else self._speaker.full
        sells = self._brief.content.structure == "ad"
        return self._given.product if first and sells and self._given.product else None


def lines_on(text: str) -> str:
    """A text for the screen: on two lines if it is too long for one."""
    found = text.strip().rstrip(".").split()
    if len(found) <= _LINE // 2 + 1:
        return " ".join(found)
    middle = (len(found) + 1) // 2
    return f"{' '.join(found[:middle])}\n{' '.join(found[middle:])}"


def _silence(tellings: list[Telling], clock: Clock) -> tuple[Inferred, ...]:
    """How much of the film nobody speaks in, where that is much: the brief has no more to say."""
    total = tellings[-1].slot.end
    said = sum(min(clock.frames(t.said), t.slot.frames) for t in tellings)
    quiet = 1 - said / total
    if quiet <= _QUIET:
        return ()
    seconds = round(clock.rate.seconds(total - said))
    why = "the brief has no more to say, and nothing is made up: add messages, or make it shorter"
    return (Inferred(key="beats.silence", value=f"{seconds} s without a voice", why=why),)


def _apart(beats: list[Beat]) -> list[Beat]:
    """No two beats the same: what comes again is counted."""
    seen: dict[str, int] = {}
    found = []
    for beat in beats:
        key = beat.script.model_dump_json()
        seen[key] = seen.get(key, 0) + 1
        action = beat.script.action
        if seen[key] > 1:
            action = f"{action} ({seen[key]})"
        script = beat.script.model_copy(update={"action": action})
        found.append(beat.model_copy(update={"script": script}))
    return found


def _with_metaphor(beats: list[Beat], given: Material) -> list[Beat]:
    """An image that the brief asks for, in the beat in which the feeling turns."""
    if not given.metaphor:
        return beats
    at = len(beats) // 2
    beat = beats[at]
    image = given.metaphor[:1].upper() + given.metaphor[1:]
    script = beat.script.model_copy(update={"action": f"{beat.script.action} {image}."})
    keywords = (*beat.visual.keywords, given.metaphor)
    visual = beat.visual.model_copy(update={"keywords": keywords})
    beats[at] = beat.model_copy(update={"script": script, "visual": visual})
    return beats


class _Second(msgspec.Struct, frozen=True):
    """Second thoughts: the opening and the end again, from another angle."""

    given: Material
    maker: BeatMaker

    def thought(self, beats: list[Beat], tellings: list[Telling]) -> list[Beat]:
        """The same beats, the first and the last with an alternative."""
        result = list(beats)
        for at, kind in dict.fromkeys(((0, "c_hook"), (len(beats) - 1, "c_cta"))):
            beat = result[at]
            script = self._opening(beat) if kind == "c_hook" else self._call(beat)
            slots = {
                "product": self.given.product,
                "who": self.given.who.small if self.given.who else "",
            }
            options = [
                line
                for line in words.lines(self.given.language, kind)
                if all(slots.get(name) for name in ("product", "who") if f"{{{name}}}" in line)
            ]
            made = Alternative(
                id=f"{beat.id}{'abc'[len(beat.alternatives)]}",
                condition=fill(options[0], slots),
                script=script,
                emotion=self.maker.emotion(tellings[at]),
            )
            kept = (*beat.alternatives, made)
            result[at] = beat.model_copy(update={"alternatives": kept})
        return result

    def _opening(self, beat: Beat) -> Words:
        """With another pain, the core, or without a voice."""
        options = [question(pain) for pain in self.given.pains] + [
            sentence(self.given.core, self.given)
        ]
        said = beat.script.voiceover or ""
        for option in options:
            fits = len(option.split()) <= max(len(said.split()), 1)
            if option.rstrip("?.") not in said and fits:
                return self._with(beat, option)
        return self._with(beat, None)

    def _with(self, beat: Beat, said: str | None) -> Words:
        action = beat.visual.pictures[0].action if beat.visual.pictures else beat.script.action
        action = f"{action} {self.given.product}." if self.given.product else f"{action} …"
        update = {"voiceover": said, "dialogue": None, "action": action}
        return beat.script.model_copy(update=update)

    def _call(self, beat: Beat) -> Words:
        """The name, then the call; or the call alone, to be read."""
        said = sentence(aloud(self.given.cta))
        action = f"{self.given.product}. {beat.script.action}"
        plain = said if beat.script.voiceover != said else None
        text = lines_on(self.given.cta)
        return Words(action=action, voiceover=plain, on_screen_text=text)


def _with_all(beats: list[Beat], brief: Brief) -> list[Beat]:
    """What must be included and has not come up is shown where nothing else is to be read."""
    for phrase in brief.message.must_include:
        whole = joined(joined((beat.script.action, told(beat.script))) for beat in beats)
        if holds_phrase(whole, phrase) or introduction(phrase):
            continue
        least = brief.rate.frames(_READ)
        free = [
            number
            for number, beat in enumerate(beats)
            if not beat.script.on_screen_text and beat.frames >= least
        ]
        at = free[len(free) // 2] if free else len(beats) // 2
        shown = {"on_screen_text": lines_on(phrase)} if free else {}
        seen = f"{beats[at].script.action} {phrase}."
        script = beats[at].script.model_copy(update=shown or {"action": seen})
        beats[at] = beats[at].model_copy(update={"script": script})
    return beats

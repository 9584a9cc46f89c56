"""Whether the picture shows what is said: what the illustrator drew against what the words name.

`says` is read from line, text, action and slug line; `depicts` from the illustrator's own record.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.draw.style import style_of
from callsheet_studio.film.check.agreeing import Story, opinion, story_of
from callsheet_studio.film.check.exchanged import dressed_otherwise, exchanged
from callsheet_studio.film.check.words import heard, lexicon
from callsheet_studio.library import acting, presets
from callsheet_studio.library.things import called
from callsheet_studio.model.seen import Judged, Seen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.draw.depicting import Record
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.seen import Verdict
    from callsheet_studio.model.shots import Figure, Shot, ShotList

_SHORT = 72
"""Pixels of the short side: enough for painters to paint everything, and fast."""


def judge_pictures(shots: ShotList, brief: Brief) -> tuple[Judged, ...]:
    """Every shot: what it says, what was drawn, and whether that is the same."""
    style, story = style_of(brief), story_of(brief)
    told = described(shots, story.language)
    wide, high = map(int, brief.delivery.aspect.split(":"))
    size = (_SHORT * wide // min(wide, high), _SHORT * high // min(wide, high))
    found = []
    heard = ""
    for each in shots.shots:
        # A picture without words goes with those that were just heard.
        silent = each.chosen and not spoken(each) and each.figures
        shot = each.model_copy(update={"voiceover": heard}) if silent else each
        heard = spoken(each) or heard
        if shot.picture is not None:
            says = says_of(shot, story)
            found.append(Judged(shot=shot.id, verdict="shown", says=says, depicts=Seen()))
            continue
        drawn = draw_frame(shot, shots.figures, style, size).depicts
        assert drawn is not None
        found.append(judge(shot, drawn, shots.figures, story, told))
    return _once(found)


def described(shots: ShotList, language: str) -> dict[str, str]:
    """What the script says of somebody's look, by their name."""
    found: dict[str, str] = {}
    for shot in shots.shots:
        if not shot.chosen:
            for person in acting(shot.action, language):
                if person.look:
                    found.setdefault(person.name.casefold(), person.look)
    return found


def _once(found: list[Judged]) -> tuple[Judged, ...]:
    """A place without words shows where we are once; after that it would fit any film."""
    seen: set[str] = set()
    result = []
    for each in found:
        depicts = each.depicts
        update: dict[str, str] = {}
        empty = not (depicts.things or depicts.people or each.says.written or depicts.written)
        if each.verdict == "shown" and empty and depicts.place:
            if depicts.place in seen:
                told = f"{each.shot} would fit any film: {depicts.place} again, without a word."
                fix = "Say something over it, show something else, or make the film shorter."
                update = {"verdict": "generic", "message": told, "fix": fix}
            seen.add(depicts.place)
        result.append(each.model_copy(update=update))
    return tuple(result)


def spoken(shot: Shot) -> str:
    """What is heard and read in a shot."""
    lines = (re.sub(r"(?m)^[^:\n]{1,40}:\s*", "", shot.dialogue or ""), shot.voiceover or "")
    text = (shot.on_screen_text or "").replace("\n", " ")
    return " ".join(part.strip() for part in (*lines, text) if part.strip())


def said_in(shot: Shot) -> str:
    """The words that a picture goes with: what is heard and read, or written as its action."""
    return spoken(shot) if shot.chosen else f"{shot.action} {spoken(shot)}".strip()


def says_of(shot: Shot, story: Story) -> Seen:
    """What the words of a shot name, as the check reads them."""
    words = said_in(shot)
    told = heard(words, story.language)
    order = sorted(told.said("things"))
    return Seen(
        things=tuple(order),
        people=() if shot.chosen else tuple(shot.figures),
        place=next(iter(sorted(told.said("places"))), ""),
        light=next(iter(sorted(told.hours)), ""),
        state=next(iter(sorted(told.states)), ""),
        number=", ".join(f"{each:g}" for each in sorted(told.numbers)),
        screen=not lexicon(story.language).grammar["screen"].isdisjoint(told.words),
        written=words,
    )


def depicted(record: Record) -> Seen:
    """What was drawn, in the same terms."""
    times = presets()[record.light].times if record.light in presets() else ()
    return Seen(
        things=tuple(record.things),
        people=tuple(record.people),
        act=record.act,
        place=record.place,
        light=", ".join(times),
        weather=record.weather,
        state="empty" if record.bare else "",
        number=record.number,
        steps=record.steps,
        screen=record.screen,
        written=record.written,
    )


def judge(
    shot: Shot,
    record: Record,
    figures: Sequence[Figure],
    story: Story,
    told: Mapping[str, str] | None = None,
) -> Judged:
    """One shot. `told`: what the script says of the looks of its people."""
    says, depicts = says_of(shot, story), depicted(record)
    found = opinion(shot, record, said_in(shot), story)
    wrong = tuple(dict.fromkeys((*exchanged(shot, record, figures), *found.wrong)))
    if "person" not in wrong and dressed_otherwise(record, told or {}):
        wrong = (*wrong, "person")
    verdict: Verdict = "contradicts" if wrong else found.verdict
    message, fix = _told(shot, verdict, wrong, says, depicts, story)
    return Judged(
        shot=shot.id,
        verdict=verdict,
        says=says,
        depicts=depicts,
        wrong=wrong,
        message=message,
        fix=fix,
    )


# What to do about it


_WRONG = {
    "place": "it is {seen}, not {said}",
    "thing": "another thing is seen: {seen}, not {said}",
    "person": "somebody else is seen: {seen}, not {said}",
    "state": "the state is wrong: {seen}, not {said}",
    "light": "the light is wrong: {seen}, not {said}",
}


def _told(
    shot: Shot, verdict: Verdict, wrong: Sequence[str], says: Seen, depicts: Seen, story: Story
) -> tuple[str, str]:
    if verdict == "shown":
        return "", ""
    words = spoken(shot) or shot.action
    if verdict == "contradicts":
        parts = [_WRONG[each].format(**_both(each, shot, says, depicts)) for each in wrong]
        fix = "Say it otherwise in the brief or the shot, or bring your own picture for it."
        return f"{shot.id}: {'; '.join(parts)}.", fix
    if verdict == "card":
        named_ = ", ".join(called(each, story.language) for each in says.things)
        has = f" {named_} has a drawing: let the line name it first." if named_ else ""
        fix = f"Name a thing, a number or a place that can be seen, or bring your own picture.{has}"
        return f"{shot.id} is a card: “{words}” names nothing that has a drawing.", fix
    if verdict == "not_drawable":
        fix = "Bring your own picture for it, or say it with a thing of the catalogue."
        return f"{shot.id} is a card: “{shot.action}” has no drawing.", fix
    seen = _list(depicts)
    fix = "Let the line name what is seen, bring your own picture, or leave the shot out."
    return f"{shot.id} would fit any film: “{words}” is said over {seen}.", fix


def _both(kind: str, shot: Shot, says: Seen, depicts: Seen) -> dict[str, str]:
    if kind == "place":
        return {"seen": depicts.place or "a card", "said": says.place or shot.set.place}
    if kind == "light":
        return {"seen": depicts.light, "said": says.light or shot.lighting.time_of_day}
    if kind == "person":
        seen = ", ".join(each.partition(" — ")[0] for each in depicts.people) or "nobody"
        return {"seen": seen, "said": ", ".join(shot.figures) or "nobody"}
    said = ", ".join(shot.things) or shot.subject
    if shot.graphic is not None:
        said = f"{shot.graphic.value} {shot.graphic.unit}".strip()
    return {"seen": ", ".join(depicts.things) or depicts.number or "nothing", "said": said}


def _list(depicts: Seen) -> str:
    parts = [*depicts.people, *depicts.things, depicts.place, depicts.number]
    return ", ".join(part.partition(" — ")[0] for part in parts if part) or "a card"


def share(judged: Sequence[Judged]) -> dict[str, int]:
    """How many shots have which verdict."""
    kinds = ("shown", "generic", "contradicts", "card", "not_drawable")
    return {kind: sum(each.verdict == kind for each in judged) for kind in kinds}


__all__ = ["judge", "judge_pictures", "says_of", "share", "spoken", "story_of"]

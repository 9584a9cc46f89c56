"""Who is seen in shots that the brief prescribes: by name, by what they are, or by a pronoun."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.library import (
    Person,
    acting,
    acts,
    find_set,
    form_of,
    people,
)
from callsheet_studio.shots.wording import without_lead_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.brief import OwnShot

_CALLED = {"en": {"woman": "woman", "man": "man"}, "de": {"woman": "Frau", "man": "Mann"}}
_LONGEST_NAME = 2
_HUMAN = frozenset(("liest", "schaut", "blickt", "spricht", "telefoniert"))


class OwnCast(msgspec.Struct, frozen=True):
    """The people of prescribed shots."""

    looks: tuple[tuple[str, str], ...] = ()
    """Everybody, with what is said of them, or nothing."""
    shots: tuple[tuple[str, ...], ...] = ()
    """Who is in each shot."""


def own_cast(shots: Sequence[OwnShot], language: str) -> OwnCast:
    """Read the people of all shots, one after the other: a name is the same person in all."""
    known = _Known(language)
    seen = tuple(known.seen(shot) for shot in shots)
    return OwnCast(tuple(known.looks.items()), seen)


@dataclass(slots=True)
class _Known:
    """Remembers whom the film has seen, and how they were described."""

    language: str
    looks: dict[str, str] = field(default_factory=dict)
    last: tuple[str, ...] = ()

    def seen(self, shot: OwnShot) -> tuple[str, ...]:
        action = without_lead_in(shot.action)
        told = [*acting(shot.subject or "", self.language), *acting(action, self.language)]
        if not told and self._bare(shot):
            told = [Person(str(shot.subject))]
        found = tuple(dict.fromkeys(self._known(person) for person in told))
        found = found or self._meant(action, shot.subject)
        self.last = found or self.last
        return found

    def _bare(self, shot: OwnShot) -> bool:
        """Whether a subject is a name that no list has: a capital, and it does what people do.

        In German everything has a capital, and a ferry goes and carries as well.
        """
        words = (shot.subject or "").split()
        named = 0 < len(words) <= _LONGEST_NAME and all(word[0].isupper() for word in words)
        if not named or find_set(str(shot.subject), ""):
            return False
        return self._does(shot.action) or bool(self._form(shot.action))

    def _does(self, action: str) -> bool:
        first = action.split(maxsplit=1)
        if self.language[:2].lower() != "de":
            return acts(action, self.language)
        return bool(first) and first[0].lower() in people("de").surely | _HUMAN

    def _known(self, person: Person) -> str:
        """The name of somebody; whoever was seen before is the same, unless they look different."""
        name = self._called(person.name)
        before = self.looks.get(name)
        if before and person.look and before != person.look and person.another:
            name = self._second(name, person.look)
        self.looks[name] = self.looks.get(name) or person.look
        return name

    def _called(self, name: str) -> str:
        """As the film knows them: `the master` is the harbour master, and Mara Mara Whitfield."""
        plain = name.casefold()
        for known in self.looks:
            same = known.casefold()
            if same == plain or same.endswith(f" {plain}") or same.startswith(f"{plain} "):
                return known
        return name

    def _second(self, name: str, look: str) -> str:
        number = 2
        while self.looks.get(f"{name} {number}", look) != look:
            number += 1
        return f"{name} {number}"

    def _form(self, action: str) -> str:
        """Whom a pronoun in front stands for: a woman or a man; nothing if there is none."""
        words, first = people(self.language), action.split(maxsplit=1)
        plain = first[0].lower() if first else ""
        return form_of(plain) if plain in words.pronouns and plain in words.she | words.he else ""

    def _meant(self, action: str, subject: str | None) -> tuple[str, ...]:
        """Those of a shot that names nobody: whom a pronoun stands for, or who goes on acting."""
        first = action.split(maxsplit=1)
        if first and first[0].lower() in ("they", "both", "beide"):
            return self.last
        form = self._form(action)
        if form:
            usual = _CALLED.get(self.language[:2].lower(), _CALLED["en"])[form]
            alone = [*self.last, *reversed(self.looks)]
            alone = [name for name in alone if name.lower() not in people(self.language).many]
            fitting = [name for name in alone if form_of(name) == form]
            unsaid = [name for name in self.last if name in alone and not form_of(name)]
            name = (fitting or unsaid or [usual])[0]
            self.looks.setdefault(name, "")
            return (name,)
        return self.last if not subject and acts(action, self.language) else ()

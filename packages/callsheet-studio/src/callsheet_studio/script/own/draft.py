"""What a user's own script says, before it has times: scenes, and in them passages."""

from __future__ import annotations

import re

import msgspec

from callsheet_studio.script.own.introduced import Person

_NARRATORS = frozenset(
    {
        "narrator",
        "narration",
        "voiceover",
        "voice over",
        "voice-over",
        "vo",
        "v.o.",
        "v.o",
        "speaker",
        "announcer",
        "sprecher",
        "sprecherin",
        "erzähler",
        "erzählerin",
        "off",
        "off-stimme",
        "off-text",
        "kommentar",
    }
)
_EFFECTS = frozenset({"sfx", "sound", "fx", "atmo", "geräusch", "geräusche", "ton", "effekt"})
_MUSIC = frozenset({"music", "musik", "song"})
_TEXTS = frozenset(
    {
        "super",
        "superimpose",
        "title",
        "title card",
        "titles",
        "text",
        "on-screen text",
        "on screen text",
        "text on screen",
        "caption",
        "end card",
        "card",
        "chyron",
        "einblendung",
        "texttafel",
        "bauchbinde",
        "schrift",
        "titel",
        "insert",
    }
)
_LABEL = re.compile(r"\s*([^:|\n]{1,40}?)\s*(\([^)\n]*\))?\s*:\s+(?=\S)|\s*([^:|\n]{1,40}):\Z")
_OFF = re.compile(r"(?:v\.?o\.?|o\.?s\.?|o\.?c\.?|off)\Z", re.IGNORECASE)
_QUOTES = "\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"


class Say(msgspec.Struct, frozen=True):
    """Something that is said. Without a speaker it is a voice over the picture."""

    text: str
    speaker: str = ""
    """In capitals, with `(V.O.)` behind it where there is one."""
    manner: str = ""
    """How it is said, as it stands in brackets."""


class Passage(msgspec.Struct, frozen=True):
    """One idea: what is seen, said and read."""

    action: str = ""
    says: tuple[Say, ...] = ()
    text: str = ""
    effects: tuple[str, ...] = ()
    music: str = ""
    notes: tuple[str, ...] = ()
    parallel: bool = False
    """Whether the action goes on while it is said; else it comes first."""

    @property
    def empty(self) -> bool:
        """Whether nothing is seen, said or read in it."""
        return not (self.action or self.says or self.text)


class Setting(msgspec.Struct, frozen=True):
    """Passages in one place."""

    heading: str
    """As it stands there, or empty."""
    passages: tuple[Passage, ...]


class Draft(msgspec.Struct, frozen=True):
    """A whole script as its author has written it."""

    title: str
    settings: tuple[Setting, ...]
    people: tuple[Person, ...] = ()
    """Who is in it, as far as it says so."""

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All of them, in order."""
        return tuple(passage for setting in self.settings for passage in setting.passages)


def even(text: str) -> str:
    """Its words with one blank between them."""
    return " ".join(text.split())


def bare(cue: str) -> str:
    """A name without what stands in brackets behind it."""
    return cue.partition(" (")[0]


def labelled(line: str) -> tuple[str, str, str]:
    """`MARA (softly): Come in.` in three: a label, the brackets behind it, and the rest."""
    told = even(line)
    found = _LABEL.match(told)
    if found is None:
        return "", "", told
    return even(found[1] or found[3]), found[2] or "", told[found.end() :]


def is_narrator(label: str) -> bool:
    """Whether a label stands for the voice over the picture."""
    return label.casefold().strip(" .") in _NARRATORS or label.casefold() in _NARRATORS


def is_text(label: str) -> bool:
    """Whether a label says that something is to be read on the screen."""
    return label.casefold() in _TEXTS


def is_effect(label: str) -> bool:
    """Whether a label stands before a sound."""
    return label.casefold() in _EFFECTS


def is_music(label: str) -> bool:
    """Whether a label stands before what the music does."""
    return label.casefold() in _MUSIC


def unquoted(text: str) -> str:
    """Without the quotation marks around all of it."""
    bare = text.strip()
    if len(bare) > 1 and bare[0] in _QUOTES and bare[-1] in _QUOTES:
        return bare[1:-1].strip()
    return bare


def spoken_by(label: str, aside: str, words: str) -> Say:
    """What somebody says. What stands in brackets is where they are, or how they say it."""
    manner = aside.strip("() ")
    if is_narrator(label):
        return Say(words, manner="" if _OFF.match(manner) else manner)
    if _OFF.match(manner):
        return Say(words, f"{label} (V.O.)")
    return Say(words, label, manner)

"""Intent first: what free text is about, before anything is started.

Rules for English and German, over words that are data (`intents.toml`): a sentence is looked at as
a whole, and each rule says why it holds. What none of them knows, and every other language, is
`unknown`: then somebody is asked. An order that is understood without a model is an `edit` (it has
something done), what is asked about runs a `question`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

import msgspec

from callsheet.agents.language.command import Command, read
from callsheet.agents.language.phrases import own_phrases
from callsheet.agents.language.sentence import Sentence, clauses, series

Kind: TypeAlias = Literal["greeting", "smalltalk", "question", "edit", "production", "unknown"]

ENOUGH: Final = 0.6
"""Below this confidence, somebody is asked."""
MOST: Final = 4_000
"""Characters that are looked at: what a text is about is said in the beginning."""
PARTING: Final = "it thanks or says goodbye, and nothing else"
_ANSWERS: Final = frozenset(
    ("", "runs.list", "runs.show", "runs.why", "runs.cost", "runs.questions")
)
"""Tools that only answer, and what is answered without one."""


class Intent(msgspec.Struct, frozen=True):
    """What a text is about, how sure that is, and why."""

    intent: Kind
    confidence: float
    why: str

    @property
    def is_clear(self) -> bool:
        """Whether nobody has to be asked."""
        return self.intent != "unknown" and self.confidence >= ENOUGH


@cache
def _lists() -> dict[str, str]:
    """Alternatives of a pattern, by the name of their list."""
    table = tomllib.loads(files("callsheet.agents").joinpath("intents.toml").read_text("utf-8"))
    return {
        name: "|".join(
            sorted((each.replace("_", r"\s+") for each in words.split()), key=len, reverse=True)
        )
        for name, words in table.items()
    }


@cache
def _begins(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{_lists()[name]})(?![\w'])")


@cache
def _has(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'])(?:{_lists()[name]})(?![\w'])")


@cache
def _greeting() -> re.Pattern[str]:
    first, after = _lists()["greetings"], _lists()["after_a_greeting"]
    return re.compile(rf"(?:(?:{first})(?![\w'])[\s,!.?]*)+(?:(?:{after})(?![\w'])[\s,!.?]*)*\Z")


@cache
def _polite() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{_lists()['asked_of_you']})(?![\w'])[\s,]*)+")


_NEW = re.compile(
    r"\b(?:a|an|another|one|ein|eine|einen|einem|our|new|neuer|neues)\b.*|^\W*(?:new|neu)"
)
_A_NEW = re.compile(r"\b(?:a|an|another|new|ein|eine|einen|neue[nrs]?)\b[^,.]*\Z")
_LONG = re.compile(r"\d+\s*-?\s*(?:s|sec|seconds?|sekunden?|min|minutes?|minuten?)\b")
_FOREIGN = re.compile(r"[¿¡]|[^\W\d_a-zäöüßéèêàáóâçñ]", re.IGNORECASE)
_SOMETHING_FOR = re.compile(r"\b(?:something|etwas|was)\s+(?:for|für)\b")
_MANY_WORDS: Final = 8
_MANY_TO_TELL: Final = 20
_MANY_PARTS: Final = 6
"""Of a text, looked at for an order; what has more is no order."""


def classify(text: str) -> Intent:
    """What a text is about. Starts nothing, and asks no model."""
    said = " ".join(text[:MOST].lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    if said and not said.strip("? "):
        return Intent("question", 0.7, "it asks, and does not say what")
    if not re.search(r"[^\W\d_]{2}", said):
        return Intent("unknown", 0.0, "there is no word in it")
    if is_foreign(said):
        return Intent("unknown", 0.3, "it is neither English nor German")
    if _greeting().fullmatch(said):
        return Intent("greeting", 0.95, "it greets, and says nothing else")
    wish = _polite().sub("", said, count=1) if _polite().match(said) else said
    return (
        _talked(said)
        or _ordered(text)
        or _asked(said, wish)
        or _made(said, wish)
        or _changed(said, wish)
        or _chatted(said)
        or _questioned(said)
    )


def is_foreign(text: str) -> bool:
    """Whether a text is neither English nor German, as far as words and letters say so."""
    said = text[:MOST].lower()
    return bool(_has("other_tongues").search(said) or _FOREIGN.search(said))


def _talked(said: str) -> Intent | None:
    """About whoever talks or is talked to, and nothing that can be done."""
    is_short = len(said.split()) <= _MANY_WORDS
    if is_short and _begins("parting").match(said) and not _order_in(said):
        return Intent("greeting", 0.85, PARTING)
    if (is_short and _begins("smalltalk").match(said)) and (
        _begins("asking").match(said) or not _order_in(said)
    ):
        return Intent("smalltalk", 0.85, "it is about nothing that can be done")
    you = _begins("you").match(said)
    if you and (_has("of_you").search(said, you.end()) or said[you.end() :].strip(" ?!.") in _IDLE):
        return Intent("smalltalk", 0.8, "it is about whoever is talked to")
    tells = _begins("about_oneself").match(said)
    if tells and len(said.split()) <= _MANY_TO_TELL and not _wishes(said):
        return Intent("smalltalk", 0.7, "it tells something, and wants nothing")
    return None


_IDLE: Final = frozenset(("", "so", "today", "heute", "gerade", "right now", "so den ganzen tag"))


def _wishes(said: str) -> bool:
    """Whether something that is told also says what is wanted."""
    return any(
        _begins("changing").match(each) or _ASKED.search(each) or _order_in(each)
        for each in clauses(said)[1:]
    )


_ASKED = re.compile(r"\b(?:please|bitte|can you|could you|kannst du|i need|i want|ich brauche)\b")


def _ordered(text: str) -> Intent | None:
    """Something that is understood without a model, and without an app."""
    command = _order_in(text)
    if command is None:
        return None
    if command.tool in _ANSWERS:
        return Intent("question", 0.9, f"it asks, as in: {command.example}")
    return Intent("edit", 0.9, f"it has something done, as in: {command.example}")


def _order_in(text: str) -> Command | None:
    parts = [text, *(each for part in series(text) for each in clauses(part))]
    for part in parts[:_MANY_PARTS]:
        sentence = Sentence(part)
        for each in own_phrases():
            # Help is asked for by a whole sentence: `help me, …` goes on with what is wanted.
            if isinstance(each, Command) and (each.tool or part is text) and read(each, sentence):
                return each
    return None


def _asked(said: str, wish: str) -> Intent | None:
    """A question that is meant as one, whatever it is about."""
    if _begins("indirectly").match(said):
        return Intent("question", 0.85, "it wants to know something")
    bare = re.sub(r"\A(?:(?:hey|ok|okay|so|well|and|und|also|na)[\s,]+)+", "", said)
    if wish not in (said, bare) or not _begins("asking").match(bare):
        return None
    if bare.startswith(("do the", "do a ", "do an ")) and _has("films").search(bare):
        return None  # an order
    return Intent("question", 0.9, "it begins as a question does")


def _made(said: str, wish: str) -> Intent | None:
    """Something that is to be made, and is not there yet."""
    film = _film_in(wish)
    if film is None:
        return None
    if _has("parts").search(wish[: film.start()]) and (
        _begins("changing").match(wish) or not _A_NEW.search(wish[: film.end()])
    ):
        return None  # a part of one that is there
    request = clauses(wish)[0] if clauses(wish) else wish
    if _is_wanted(said, wish):
        return Intent("production", 0.9, f"it wants a {film[0]} made")
    if _has("finite").search(request):
        return None  # it tells of one
    if _has("about").search(wish) or _LONG.search(wish) or _NEW.search(wish):
        return Intent("production", 0.75, f"it names a {film[0]}, and what it is about")
    return None


def _is_wanted(said: str, wish: str) -> bool:
    """Whether somebody wants something made, and does not only tell of its making."""
    making = _has("making").search(wish)
    if making is None:
        return False
    begins = _begins("making").match(wish) or wish != said
    return bool(begins or _WE.search(wish[: making.end()]) or _MADE_AT_LAST.search(wish))


_WE = re.compile(r"\b(?:i|we|we'd|i'd|we're|wir|ich|uns|mir|us|me|let's|team|boss|client|kunde)\b")
_MADE_AT_LAST = re.compile(r"\b(?:machen|erstellen|drehen|produzieren|schreiben)\W*\Z")


def _film_in(wish: str) -> re.Match[str] | None:
    found = _has("films").search(wish)
    if found is None and _NEW.search(wish):
        found = _has("scripts").search(wish)
    if found is None and _SOMETHING_FOR.search(wish):
        found = _has("places").search(wish)
    return found


def _changed(said: str, wish: str) -> Intent | None:
    """Something that is there, and is to be different."""
    if _begins("changing").match(wish):
        return Intent("edit", 0.9, "it begins with what is to be changed")
    part, degree = _has("parts").search(said), _has("degrees").search(wish)
    if part and (degree or _has("required").search(said)):
        return Intent("edit", 0.8, "it says how a part of the film should be")
    if degree and _has("required").search(said):
        return Intent("edit", 0.7, "it says how something should be")
    return None


def _chatted(said: str) -> Intent | None:
    if len(said.split()) > _MANY_WORDS:
        return None
    if _has("thanks").search(said):
        return Intent("greeting", 0.8, PARTING)
    if _begins("smalltalk").match(said) or _has("jokes").search(said):
        return Intent("smalltalk", 0.85, "it is about nothing that can be done")
    return None


def _questioned(said: str) -> Intent:
    if said.endswith("?"):
        return Intent("question", 0.7, "it ends as a question does")
    return Intent("unknown", 0.2, "nothing in it says what is wanted")

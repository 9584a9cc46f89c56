"""How long words take to say: counted as they are spoken, not as they are written.

`$9.99` is two words, `harbor.app/try` five, a long German compound two or three. Everything that
asks whether a line fits its picture asks here, so that script, shots and captions agree.
"""

from __future__ import annotations

import math
import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from callsheet_studio.base.voices import measured, sounds_of, written_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.base.time import Rate
    from callsheet_studio.base.voices import Sounds

SOFT = 120
MEDIUM = 150
HARD = 170
LIMIT = 180
"""Words per minute; nobody follows a faster speaker."""
SLACK = Fraction(11, 10)
"""Breath and pauses: a tenth more than the words alone take."""
NEAR = Fraction(21, 20)
"""How far a measured voice may be from its time: it is held to that."""

_SOFT_TONES = (
    "calm",
    "caring",
    "emotional",
    "gentle",
    "intimate",
    "quiet",
    "reassuring",
    "reflective",
    "relaxed",
    "serious",
    "slow",
    "soft",
    "soothing",
    "tender",
    "thoughtful",
    "warm",
    "achtsam",
    "behutsam",
    "einfühlsam",
    "entspannt",
    "ernst",
    "fürsorglich",
    "gefühlvoll",
    "gelassen",
    "herzlich",
    "langsam",
    "leise",
    "nachdenklich",
    "ruhig",
    "sanft",
    "warmherzig",
)
_HARD_TONES = (
    "aggressive",
    "bold",
    "dynamic",
    "energetic",
    "excited",
    "exciting",
    "fast",
    "hard sell",
    "high-energy",
    "hype",
    "loud",
    "punchy",
    "rousing",
    "snappy",
    "upbeat",
    "urgent",
    "aufgeregt",
    "dringend",
    "dringlich",
    "dynamisch",
    "energiegeladen",
    "energisch",
    "flott",
    "knallig",
    "laut",
    "marktschreierisch",
    "mitreißend",
    "rasant",
    "schnell",
    "temporeich",
)
_ENDINGS = r"(?:ly|er|est|e|en|es|em)?"

# Every repetition has a bound: these run over whatever somebody has pasted.
_NUMBER = r"(?<!\d)\d{1,40}(?:[.,'\u2019]\d{1,40}){0,6}"
_FIGURE = re.compile(r"\d+(?:[.,'\u2019]\d+)*")
_MONEY = r"(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|US\$|[$€£¥])"
_CUE = re.compile(r"^([^:\n]{1,40}):(?=\s)(?: {0,3}\([^)\n]{0,60}\))?", re.MULTILINE)
"""`MARA:` or `MARA (V.O.): (softly)`, if the name is in capitals."""
PRICE = re.compile(rf"{_MONEY} ?{_NUMBER}|{_NUMBER}\s?{_MONEY}(?!\w)")
_DATE = re.compile(r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})\b")
MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
LINK = re.compile(r"(?:https?://)?(?:[\w-]{1,63}\.){1,5}[^\W\d_]{2,24}\b(?:/[^\s,;!?)]{0,200})?")
PHONE = re.compile(r"(?:\+|\(?0|\b)\d[\d() /.-]{4,24}\d\b")
_GROUPED = re.compile(r"\d{1,3}(?:[ .,'\u2019]\d{3})+\Z")
_FEWEST_DIGITS = 7
_FEWEST_GROUPS = 3

_ORDINALS = frozenset({"", "st", "nd", "rd", "th", "s", "er", "te", "ten", "ter", "tes", "x"})
_SHORT_FORMS = dict.fromkeys(("approx", "vs", "mr", "mrs", "ms", "dr", "st", "km", "kg"), 1)
_SHORT_FORMS |= dict.fromkeys(("ca", "mio", "mrd", "nr", "inkl", "vgl", "std", "min"), 1)
_SHORT_FORMS |= {"etc": 2, "tv": 2, "bzw": 2, "evtl": 2, "ggf": 2, "kwh": 2, "usw": 3}
_SPOKEN_SIGNS = frozenset("%&+=@#§°€$£¥")
_LETTERS_A_WORD = {"de": 12, "nl": 12, "sv": 12, "da": 12, "nb": 12, "no": 12, "fi": 12}
_LONG_WORD = 16
"""Letters up to which a word takes the time of one, in languages without long compounds."""
_SIGNS_A_WORD = 2
"""Of writing without spaces: Chinese, Japanese."""
_TWENTY = 20
_YEARS = range(1100, 2100)
_ACRONYM = 5
_SHORT_ACRONYM = 3
_MOST_DIGITS = 15


def pace(tone: str, language: str = "") -> int:
    """The words per minute that a tone asks for, as near as the language's voice comes to it."""
    soft, hard = _names(tone, _SOFT_TONES), _names(tone, _HARD_TONES)
    wanted = MEDIUM if soft == hard else SOFT if soft else HARD
    voice = measured(language)
    return min(voice.nearest(wanted), LIMIT) if voice else wanted


def has_pace(tone: str) -> bool:
    """Whether a tone says how fast it is spoken."""
    return _names(tone, (*_SOFT_TONES, *_HARD_TONES))


def _names(tone: str, words: tuple[str, ...]) -> bool:
    return any(re.search(rf"\b{re.escape(word)}{_ENDINGS}\b", tone.lower()) for word in words)


@lru_cache(maxsize=4096)
def speech_frames(text: str, rate: Rate, wpm: int, language: str) -> int:
    """How many frames it needs, breath included: for the listener, and for the voice."""
    voice = measured(language)
    words = Fraction(spoken_words(text, language))
    if voice is None or not words:
        return _frames_of(words, rate, wpm)
    # What is measured needs no slack: a voice is a little hurried before it is ever cut.
    said = math.ceil(Fraction(speech_seconds(text, wpm, language)) * rate.fps)
    return max(_frames_of(words, rate, wpm), said)


def speech_seconds(text: str, wpm: int, language: str) -> float:
    """How long the voice of the language speaks; by the count of words if none was measured."""
    words = spoken_words(text, language)
    voice = measured(language)
    if voice is None or not words:
        return words * 60 / wpm
    return voice.takes(sounds_in(text, language)) / voice.tempo(wpm) / 1000


@lru_cache(maxsize=4096)
def load(text: str, language: str, *, goes_on: bool = False) -> int:
    """The spoken words that it weighs: as many as it has, or more if they are long to say.

    Args:
        text: what is said.
        language: as `en` or `de-AT`.
        goes_on: whether another sentence follows, after a pause.
    """
    words = spoken_words(text, language)
    voice = measured(language)
    if voice is None or not words:
        return words
    taken = voice.takes(sounds_in(text, language)) + (voice.joint if goes_on else 0)
    return max(words, math.ceil(taken * voice.words_per_minute / SLACK / 60_000))


@lru_cache(maxsize=4096)
def sounds_in(text: str, language: str) -> Sounds:
    """What there is to say in it, and takes time."""
    text = _CUE.sub(_without_name, text)
    written = sum(_word(word, language) for word in written_words(text))
    return sounds_of(text, language, max(spoken_words(text, language) - written, 0))


def fits(text: str, frames: int, rate: Rate, wpm: int, language: str) -> bool:
    """Whether it can be said in so many frames."""
    return speech_frames(text, rate, wpm, language) <= frames


@lru_cache(maxsize=4096)
def words_that_fit(frames: int, rate: Rate, wpm: int) -> int:
    """How many spoken words there is time for."""
    return max(int(frames * wpm / (60 * rate.fps * SLACK)), 0)


def _frames_of(words: Fraction, rate: Rate, wpm: int) -> int:
    exact = words * 60 * rate.fps * SLACK / wpm
    return math.ceil(exact)


@lru_cache(maxsize=4096)
def spoken_words(text: str, language: str) -> int:
    """How many words it is spoken as. In `NAME: words` the name is not."""
    counted = 0

    def take(pattern: re.Pattern[str], count: Callable[[str], int], rest: str) -> str:
        nonlocal counted
        kept, place = [], 0
        for found in pattern.finditer(rest):
            words = count(found[0])
            if words:
                counted += words
                kept += [rest[place : found.start()], " "]
                place = found.end()
        return "".join([*kept, rest[place:]])

    rest = _CUE.sub(_without_name, text)
    rest = take(MAIL, lambda mail: _pieces(mail, language), rest)
    rest = take(LINK, lambda link: _pieces(link, language), rest)
    rest = take(PRICE, lambda _: 2, rest)
    rest = take(_DATE, lambda _: 5, rest)
    rest = take(PHONE, phone_digits, rest)
    shouts = text.upper() == text
    return counted + sum(_token(token, language, shouts=shouts) for token in rest.split())


def _without_name(cue: re.Match[str]) -> str:
    name = re.sub(r"\([^)]*\)", "", cue[1])
    return " " if name.isupper() else cue[0]


def _pieces(address: str, language: str) -> int:
    """Of an address: its words and the signs between them, `www` letter by letter."""
    bare = re.sub(r"\Ahttps?://", "", address).rstrip("./")
    words = re.findall(r"\w+", bare)
    signs = len(re.findall(r"[./@_+?=&#-]", bare))
    return signs + sum(3 if word == "www" else _word(word, language) for word in words)


def phone_digits(found: str) -> int:
    """Of a phone number: digit by digit. 0 if it is an ordinary number."""
    groups = re.findall(r"\d+", found)
    digits = sum(map(len, groups))
    marked = found.startswith(("+", "0", "(")) or len(groups) >= _FEWEST_GROUPS
    if digits < _FEWEST_DIGITS or not marked or _GROUPED.match(found):
        return 0
    return digits + found.startswith("+")


def _token(token: str, language: str, *, shouts: bool) -> int:
    if not any(map(_sounds, token)):
        return sum(sign in _SPOKEN_SIGNS for sign in token)
    if re.fullmatch(r"(?:[^\W\d_]\.){2,}", token.strip("()[]\"'„“”,;:!?")):
        return token.count(".")  # `z.B.`, `a.m.`: letter by letter, or a word each
    between = len(re.findall(r"\d[-\u2013\u2014]\d", token))
    signs = sum(sign in _SPOKEN_SIGNS for sign in token) + token.startswith("/")
    numbers = _FIGURE.findall(token)
    if numbers:
        around = _FIGURE.sub(" ", token)
        said = sum(_number(number, language) for number in numbers)
        return between + said + sum(_suffix(part, language) for part in around.split())
    pieces = re.split(r"[^\w'\u2019]+|_", token)
    return signs + sum(_piece(piece, language, shouts=shouts) for piece in pieces if piece)


def _sounds(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LN"


def _suffix(part: str, language: str) -> int:
    """What stands at a number: `4K`, `20%`, `2nd`, `24/7`, `3-step`."""
    bare = part.strip(".,;:!?()-'\u2013\u2014\u2019").lower()
    return 0 if bare in _ORDINALS else _token(part, language, shouts=False)


def _piece(piece: str, language: str, *, shouts: bool) -> int:
    known = _SHORT_FORMS.get(piece.lower())
    if known is not None:
        return known
    if piece.isupper() and not shouts and 1 < len(piece) <= _ACRONYM:
        if not re.search(r"[AEIOUYÄÖÜ]", piece):
            return len(piece)
        if len(piece) <= _SHORT_ACRONYM:
            return 2
    return _word(piece, language)


def _word(word: str, language: str) -> int:
    if not any(map(_sounds, word)):
        return 0
    if word.isdecimal():
        return _number(word, language)
    signs = sum(map(_written_without_spaces, word))
    letters = sum(map(_sounds, word)) - signs
    longest = _LETTERS_A_WORD.get(language[:2].lower(), _LONG_WORD)
    return -(-signs // _SIGNS_A_WORD) + -(-letters // longest)


def _written_without_spaces(sign: str) -> bool:
    return "\u3040" <= sign <= "\u30ff" or "\u3400" <= sign <= "\u9fff"


def _number(text: str, language: str) -> int:
    """About as many words as it is read out with."""
    comma = "." if language[:2].lower() == "en" else ","
    whole, _, decimals = text.rpartition(comma) if comma in text else (text, "", "")
    whole = re.sub(r"\D", "", whole)
    if len(whole) > _MOST_DIGITS or not whole:
        return len(re.sub(r"\D", "", text))
    value = int(whole)
    if text.isdecimal() and value in _YEARS:
        return _below_hundred(value // 100) + max(_below_hundred(value % 100), 1)
    words = 0
    for place in range(0, len(whole), 3):
        group = value // 1000 ** (place // 3) % 1000
        words += _below_thousand(group) + (1 if place and group else 0)
    return max(words, 1) + (1 + len(decimals) if decimals else 0)


def _below_thousand(value: int) -> int:
    hundreds, rest = divmod(value, 100)
    return (2 if hundreds else 0) + _below_hundred(rest)


def _below_hundred(value: int) -> int:
    if value == 0:
        return 0
    return 1 if value <= _TWENTY or value % 10 == 0 else 2

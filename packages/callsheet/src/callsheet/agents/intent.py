"""Intent first: what free text is about, before anything is started.

Rules for English and German, as data: a sentence is looked at as a whole, and each rule says why
it holds. What none of them knows, and every other language, is `unknown`: then somebody is asked.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["greeting", "smalltalk", "question", "edit", "production", "unknown"]

ENOUGH: Final = 0.6
"""Below this confidence, somebody is asked."""


class Intent(msgspec.Struct, frozen=True):
    """What a text is about, how sure that is, and why."""

    intent: Kind
    confidence: float
    why: str

    @property
    def is_clear(self) -> bool:
        """Whether nobody has to be asked."""
        return self.intent != "unknown" and self.confidence >= ENOUGH


def _words(*texts: str) -> str:
    """Alternatives of a pattern, from words with blanks between; `_` stands for a blank."""
    found = [word.replace("_", r"\s+") for text in texts for word in text.split()]
    return "|".join(sorted(found, key=len, reverse=True))


_GREETINGS = _words(
    "hello hi hey yo hiya howdy",
    "greetings good_morning good_evening good_afternoon good_day morning",
    "evening afternoon welcome_back schönen_guten_tag schönen_guten_morgen",
    "guten_tach tach mahlzeit gruezi hej ahoi",
    "hallo hallöchen moin moin_moin servus grüß_gott grüezi guten_morgen guten_abend guten_tag tag",
    "grüß_dich na",
)
_AFTER_A_GREETING = _words(
    "there everybody everyone all callsheet again nice_to_meet_you friend folks team you it's_me",
    "it_is_me i'm_back i_am_back me_again good_to_see_you to_you",
    "too my dear from_berlin it me back",
    "da_bin_ich_wieder ich_bin_wieder_da ich_bin's ich_bins wieder da_bin_ich bin_wieder_da",
    "zusammen auch na leute alle miteinander du ihr schön_dich_kennenzulernen",
)
_SMALLTALK = _words(
    "how_are_you how're_you how's_it_going how_is_it_going how_do_you_do what's_up thanks",
    "thank_you thx cheers bye goodbye good_night see_you ok okay cool nice great lol haha",
    "well_done funny",
    "you're_funny you_are_funny who_are_you are_you_a are_you_an what's_your_name tell_me_a_joke",
    "i'm_tired i_am_tired i'm_bored i_love_you sorry never_mind welcome_back nice_weather perfect",
    "wie_geht vielen_dank danke dankeschön tschüss tschüs ciao bis_morgen bis_bald bis_später",
    "gute_nacht alles_klar super_gemacht gut_gemacht wer_bist_du bist_du_ein erzähl_mir_einen_witz",
    "how's_your how_is_your how_was_your know_any_good_jokes do_you_know_a_joke you're_brilliant",
    "you're_great you_are_great you_are_brilliant you're_the_best well_well much_appreciated",
    "vielen_lieben_dank besten_dank lieben_dank",
    "herzlichen_dank tausend_dank na,_alles_klar na_alles_klar",
    "erzähl_mir_doch_mal erzähl_doch_mal erzähl_mir_was",
    "na_wie_läuft_es was_geht du_bist mach's_gut",
    "schönes_wochenende schönen_tag schönen_abend have_a_nice have_a_good take_care talk_later",
    "schönes_wetter wie_heißt_du entschuldigung mir_ist_langweilig ich_bin_müde schon_gut prima",
)
_ASKED_OF_YOU = _words(
    "can_you could_you would_you will_you please can_we could_we i'd_like_you_to i_want_you_to",
    "kannst_du könntest_du würdest_du bitte kannst_du_mir könntest_du_mir könnt_ihr lass_uns let's",
)
_QUESTION_WORDS = _words(
    "what what's which who whose whom why when where how is are was were does do did has have had",
    "can could should would will may am show list explain describe tell_me_about any find",
    "was welche welcher welches welchen wer wessen wem wen warum wieso weshalb wann wo wohin wie",
    "ist sind war waren hat haben hatte kann können könnte darf dürfen soll sollte muss wird gibt",
    "zeig zeige zeigt liste erklär erkläre nenne woher womit wozu wofür",
)
_FILMS = _words(
    "film films movie video videos ad ads advert advertisement commercial spot clip explainer",
    "testimonial trailer teaser storyboard animatic brief reel promo documentary screenplay",
    "werbefilm imagefilm recruiting-film recruitingfilm erklärvideo erklärfilm werbespot filmchen",
    "werbeclip drehbuch briefing produktfilm spots clips kurzfilm produktvideo imagevideo werbung",
)
_MADE_OF_A_SCRIPT = _words("script skript")
_MAKING = _words(
    "make create produce shoot generate need needs want wants write turn build do draft prepare",
    "new like render develop",
    "mach mache machen macht erstelle erstellen erstell produziere produzieren brauchen brauche",
    "möchte möchten will wollen dreh drehe drehen schreib schreibe schreiben entwirf generiere",
    "neuer neues neue hätte hätten bau baue benötigen benötige plane",
)
_CHANGING = _words(
    "make change replace remove delete swap cut add move shorten lengthen rename speed slow turn",
    "use put set edit adjust lower raise trim crop mute drop keep switch increase reduce brighten",
    "darken rewrite recolour recolor insert redo update convert extend split merge flip rotate",
    "mach mache ersetze ersetz entferne entfern lösch lösche tausche tausch ändere änder kürze",
    "kürz füge verlängere benutze benutz verwende nimm lass setz setze stell stelle dreh schneide",
    "nenn nenne bring schneid streich streiche",
    "verschieb verschiebe korrigiere erhöhe senke mute ergänze",
)
_PARTS = _words(
    "shot shots scene scenes beat beats title titles logo music voice caption captions ending end",
    "beginning opening intro outro colour color volume font subtitle subtitles transition frame",
    "frames line lines take takes narrator speaker sound background product everything it all",
    "einstellung einstellungen szene szenen musik titel stimme untertitel ende anfang farbe",
    "schluss lautstärke schrift sprecher sprecherin ton hintergrund alles bild bilder",
    "übergang text",
)
_DEGREES = _words(
    "shorter longer bigger smaller brighter darker faster slower louder quieter calmer larger",
    "warmer colder softer higher lower closer wider earlier later sharper simpler funnier happier",
    "kürzer länger größer kleiner heller dunkler schneller langsamer lauter leiser ruhiger wärmer",
    "kälter weicher höher tiefer näher früher später einfacher fröhlicher",
)
_REQUIRED = _words(
    "should must needs_to ought_to has_to would_be_better",
    "instead too bring_it i'd_like make_it turn_it",
    "soll sollte sollen muss müssen bitte",
    "lieber zu wäre_besser statt stattdessen gefällt_mir_nicht",
)
_OTHER_TONGUES = re.compile(
    r"[¿¡]|\b(?:" + _words(
        "bonjour je vous voudrais puis_je merci est-ce avec pour une les hola puedes hacer",
        "gracias quiero por_favor ciao_come vorrei grazie fare hoi_ik wil een maken obrigado",
    ) + r")\b"
)  # fmt: skip


def _at_the_beginning(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})(?![\w'])")


def _anywhere(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'])(?:{words})(?![\w'])")


_GREETING = re.compile(
    rf"(?:(?:{_GREETINGS})(?![\w'])[\s,!.?]*)+(?:(?:{_AFTER_A_GREETING})(?![\w'])[\s,!.?]*)*\Z"
)
_STARTS_AS_SMALLTALK = _at_the_beginning(_SMALLTALK)
_POLITE = re.compile(rf"(?:(?:{_ASKED_OF_YOU})(?![\w'])[\s,]*)+")
_ASKS = _at_the_beginning(_QUESTION_WORDS)
_A_FILM = _anywhere(_FILMS)
_A_SCRIPT = _anywhere(_MADE_OF_A_SCRIPT)
_MAKES = _anywhere(_MAKING)
_CHANGES = _at_the_beginning(_CHANGING)
_A_PART = _anywhere(_PARTS)
_A_DEGREE = _anywhere(_DEGREES)
_MUST = _anywhere(_REQUIRED)
_NEW = re.compile(
    r"\b(?:a|an|another|one|ein|eine|einen|einem|our|new|neuer|neues)\b.*|^\W*(?:new|neu)"
)
_A_NEW = re.compile(r"\b(?:a|an|another|new|ein|eine|einen|neue[nrs]?)\b[^,.]*\Z")
_ABOUT = _anywhere(_words("for about über für zum zur from of aus zu"))
_LONG = re.compile(r"\d+\s*-?\s*(?:s|sec|seconds?|sekunden?|min|minutes?|minuten?)\b")
_THANKS = _anywhere(
    _words("thanks thank_you danke dank dankeschön feierabend bis_morgen see_you jokes joke witz")
)
_MANY_WORDS = 8


def classify(text: str) -> Intent:
    """What a text is about. Starts nothing, and asks no model."""
    said = " ".join(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    if not re.search(r"[^\W\d_]{2}", said):
        return Intent("unknown", 0.0, "there is no word in it")
    if _OTHER_TONGUES.search(said):
        return Intent("unknown", 0.3, "it is neither English nor German")
    if _GREETING.fullmatch(said):
        return Intent("greeting", 0.95, "it greets, and says nothing else")
    wish = _POLITE.sub("", said, count=1) if _POLITE.match(said) else said
    return (
        _asked(said, wish)
        or _made(wish)
        or _changed(said, wish)
        or _chatted(said)
        or _questioned(said)
    )


def _asked(said: str, wish: str) -> Intent | None:
    """A question that is meant as one, whatever it is about."""
    if wish != said or not _ASKS.match(said):
        return None
    if _STARTS_AS_SMALLTALK.match(said):
        return Intent("smalltalk", 0.8, "it is about nothing that can be done")
    return Intent("question", 0.9, "it begins as a question does")


def _made(wish: str) -> Intent | None:
    """Something that is to be made, and is not there yet."""
    film = _A_FILM.search(wish) or (_A_SCRIPT.search(wish) if _NEW.search(wish) else None)
    if film is None:
        return None
    if _A_PART.search(wish[: film.start()]) and (
        _CHANGES.match(wish) or not _A_NEW.search(wish[: film.end()])
    ):
        return None  # a part of one that is there
    if _MAKES.search(wish):
        return Intent("production", 0.9, f"it wants a {film[0]} made")
    if _ABOUT.search(wish) or _LONG.search(wish) or _NEW.search(wish):
        return Intent("production", 0.75, f"it names a {film[0]}, and what it is about")
    return None


def _changed(said: str, wish: str) -> Intent | None:
    """Something that is there, and is to be different."""
    if _CHANGES.match(wish):
        return Intent("edit", 0.9, "it begins with what is to be changed")
    if _A_PART.search(said) and (_A_DEGREE.search(wish) or _MUST.search(said)):
        return Intent("edit", 0.8, "it says how a part of the film should be")
    if _MUST.search(said) and _A_DEGREE.search(wish):
        return Intent("edit", 0.7, "it says how something should be")
    return None


def _chatted(said: str) -> Intent | None:
    is_chat = _STARTS_AS_SMALLTALK.match(said) or _THANKS.search(said)
    if is_chat and len(said.split()) <= _MANY_WORDS:
        return Intent("smalltalk", 0.85, "it is about nothing that can be done")
    return None


def _questioned(said: str) -> Intent:
    if said.endswith("?"):
        return Intent("question", 0.7, "it ends as a question does")
    return Intent("unknown", 0.2, "nothing in it says what is wanted")

"""What words say of two things that people do: they are on the phone, or hand something over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Found: TypeAlias = "tuple[int, str]"
"""Where words for a pose begin, and which pose they are for."""

CALLS = frozenset(("calling", "sitting_calling", "walking_calling"))
HANDING = "handing"

_PRONOUN = r"(?i)\W*(?:he|she|they|both|er|sie|beide|ihre?|his|her|their|seine?)\b"


def own_deed(told: str, figures: Sequence[str]) -> str:
    """The sentences in which those who are seen act: a photograph on the wall is nobody's deed."""
    parts = re.split(r"(?<=[.!?])\s+", told)
    words = [word for name in figures for word in name.lower().split()]
    own = [
        part
        for part in parts
        if any(re.search(rf"(?i)\b{re.escape(word)}", part) for word in words)
        or re.match(_PRONOUN, part)
    ]
    return " ".join(own) or told


# On the phone

_MEANWHILE = {"sitting": "sitting_calling", "walking": "walking_calling"}
"""What somebody on the phone may do meanwhile."""
_AT_EASE = frozenset((
    "talking", "looking", "arms_crossed", "thinking", "weary", "pockets", "peering", "showing",
    "holding", "holding_phone",
))  # fmt: skip
"""Poses that end where a call begins: whoever does more goes on with that."""
_OF_CALLS = (
    "phone",
    "mobile",
    "call",
    "hangs up",
    "telef",
    "handy",
    "ruf",
    "h\u00f6rer",
    "apparat",
    "legt auf",
)
# As text: they are compiled when they are looked for, and few shots have a word of them.
_ELSEWHERE = (
    r"(?i)\bvideo|\b(?:desk|office|land(?:line)?) ?phones?\b|\btischtelefon|"
    r"\b(?:skype|zoom|webcam)\b"
)
"""A call that has no phone at an ear."""
_PHONE = r"(?:phone|telephone|smartphone|mobile(?: phone)?|cell(?: ?phone)?|receiver|handset)"
_OWN = r"(?:the|her|his|their|a|my)"
_HOERER = r"(?:telefon|handy|smartphone|mobiltelefon|h\u00f6rer|apparat)"
_ABSENT = (
    r"(?:mother|father|m[uo]m|dad|parents|sister|brother|son|daughter|wife|husband|grand\w+|friends?|"
    r"boss|doctor|clinic|hospital|office|landlord|bank|support|helpline|hotline|police|plumber|"
    r"supplier|clients?|customers?|colleagues?|neighbou?rs?|partner|home)"
)
"""Who is called on a phone, even where none is named."""
_SPEAKS = r"(?:(?:talk|speak|whisper|argue|say)\w*(?: \w+){0,5}|(?:listen|laugh|shout)s)"
_SPRICHT = r"(?:spricht|sprechen|redet|reden|fl\u00fcstert|plaudert|diskutiert|streitet)"
_READS = r".* (?:scroll|tap|read|swip|look|typ|check)\w*"
_SUCH = r"(?:phone|quick|long|short|first|next|late|urgent|business)"
_END = r"(?= (?:and|und|um)\b|[.,;!?]|$)"
"""Of what is done, before more is said."""
_CALL = (
    rf"{_SPEAKS} (?:on|over|into|by|through) {_OWN} (?:\w+ )?{_PHONE}",
    rf"calls?(?: \w+){{1,5}} (?:on|by|over|from|with) (?:{_OWN} )?(?:\w+ )?{_PHONE}",
    rf"calls? (?:(?:her|his|their|an?|the|up) )?(?:\w+ )?{_ABSENT}(?! (?:over|in|into|to|out)\b)",
    rf"(?:answers?|answering|picks? up|lifts?) {_OWN} (?:ringing )?(?:{_PHONE}|call)(?!{_READS})",
    r"(?:is|are|stands?|sits?|waits?|walks?|paces?|still|busy|hangs?) on (?:the phone|a call)",
    rf"(?:makes?|takes?|gets?|ends?|finishes|on) (?:an?|the|her|his|another) (?:{_SUCH} )?calls?",
    r"(?:tele)?phones (?:an?|the|her|his|their|him|them|for|home)",
    rf"{_PHONE} (?:\w+ ){{0,2}}(?:to|at|against|on|by) (?:\w+ )?ear",
    rf"hangs up(?: the phone)?{_END}",
    r"on the phone with",
    r"telefonier\w*",
    rf"{_SPRICHT}(?: \w+){{0,5}} (?:am|ins|in ihr|in sein) {_HOERER}",
    r"(?:ist|h\u00e4ngt|sitzt|steht|wartet)(?: \w+){0,3} am (?:telefon|apparat)",
    rf"geh(?:t|en) (?:ans|an das|an ihr|an sein) {_HOERER}",
    r"nimmt(?: \w+){0,3} (?:anruf|telefonat|h\u00f6rer|telefon)(?: \w+)? (?:an|ab|entgegen|auf)",
    rf"ruf(?:t|en)(?: \w+){{0,5}} an{_END}",
    rf"{_HOERER} (?:\w+ ){{0,2}}(?:am|ans|an das|an ihr|an sein|zum) ohr",
    rf"legt auf{_END}",
)
_ENDS = ("hangs up", "legt auf", "ends", "finishes")


def on_the_phone(told: str, found: Sequence[Found]) -> str:
    """The pose of somebody with a phone at the ear; nothing where words say nothing of one.

    Args:
        told: what somebody does.
        found: the poses that its words are for.
    """
    low = told.lower()
    if not any(each in low for each in _OF_CALLS) or re.search(_ELSEWHERE, told):
        return ""
    call = re.search(rf"(?i)\b(?:{'|'.join(_CALL)})(?!\w)", told)
    if call is None:
        return ""
    said = call[0].lower()
    # Who goes to the phone stays there; who sits on it sits.
    meant = frozenset(("sitting",)) if said.startswith("geh") else _MEANWHILE.keys()
    others = sorted(
        (start, pose)
        for start, pose in found
        if pose in meant or not call.start() <= start < call.end()
    )
    for _, pose in others:
        if pose in _MEANWHILE:
            return _MEANWHILE[pose]
    before = {pose for start, pose in others if start < call.start()}
    # Who hangs up after something else was on the phone before it.
    idle = frozenset() if said.startswith(_ENDS) else _AT_EASE
    return "" if before - idle else "calling"


# Handing over

_OF_GIVING = ("hand", "give", "pass", "offer", "reich", "gib", "geben", "dr\u00fcckt")
_GIVES = (
    r"(?:hands?|gives?|pass(?:es)?|offers?|reich(?:t|en)|gibt|geben|\u00fcbergibt|\u00fcberreicht)"
)
_TO = r"(?:her|him|them|me|us|ihr|ihm|ihnen|(?-i:[A-Z\u00c4\u00d6\u00dc]\w+))(?!\w)"
"""Who is given something: somebody who is named, or meant."""
_GIVEN = rf"(?i)\b(?:{_GIVES} {_TO}|dr\u00fcckt (?:\w+ ){{1,4}}in die hand)"
_GIVING = rf"(?i)\b(?:{_GIVES}|dr\u00fcckt)(?!\w)"
_NOTHING = (
    rf"(?i)\b{_GIVES} (?:\w+ ){{0,2}}?(?:an?|the|her|his|eine[nm]?|die|den|das|ein) "
    r"(?:(?:big|short|quick|first|little|gro\u00dfen?|kurzen?) )?"
    r"(?:talk|speech|lecture|hug|kiss|smile|nod|wave|wink|sign|look|glance|tour|demo\w*|hand|ride|"
    r"lift|call|chance|moment|answer|try|start|thumbs|push|shout|laugh|sigh|kuss|l\u00e4cheln|"
    r"zeichen|blick|rede|vortrag|antwort)\b|"
    rf"\b{_GIVES} (?:up|in|way|by|through|out|auf|nach|acht)\b"
)
"""What is given without hands."""


def handed(
    told: str, names: Sequence[str], found: Sequence[Found], thing: Callable[[], bool]
) -> tuple[Found, ...]:
    """The poses of a text: with that of who hands something over, if one does, or without it.

    Args:
        told: what somebody does.
        names: who is seen.
        found: the poses that its words are for.
        thing: whether something is named that can be in a hand.
    """
    low = told.lower()
    if not any(each in low for each in _OF_GIVING):
        return tuple(found)
    given = re.search(_GIVEN, told)
    others = tuple(each for each in found if each[1] != HANDING)
    # Nobody hands nothing to nobody.
    if re.search(_NOTHING, told) or not ((given and len(names) > 1) or thing()):
        return others
    return (*others, (given.start(), HANDING)) if given else tuple(found)


def between(told: str, names: Sequence[str]) -> tuple[int, int]:
    """Who hands something over, and to whom: as they are named before and behind the words for it.

    Where only one is named, or none, the first of a group does so; to the other, or the one whom
    they look at.
    """
    given = re.search(_GIVING, told)
    if given is None or len(names) < 2:  # noqa: PLR2004
        return 0, 1
    before = [(told.rfind(name, 0, given.start()), -at) for at, name in enumerate(names)]
    lead = -max(before)[1]
    after = [(told.find(name, given.end()), at) for at, name in enumerate(names) if at != lead]
    said = [at for where, at in sorted(after) if where >= 0]
    return lead, said[0] if said else after[-1][1]

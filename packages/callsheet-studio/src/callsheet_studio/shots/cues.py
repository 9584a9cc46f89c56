"""Words in an action that say how it wants to be seen, in English and German."""

from __future__ import annotations

import re

SCREEN = re.compile(
    r"\b(?:screens?|apps?|phone|smartphone|laptop|tablet|dashboard|display|monitor|notification|"
    r"cursor|bildschirm\w*|handy\w*|anzeige|mauszeiger|benachrichtigung)\b",
    re.IGNORECASE,
)
"""A screen, seen as a thing."""
DEVICE = re.compile(r"\b(?:phone|smartphone|laptop|tablet|handy)\b", re.IGNORECASE)
"""What a screen belongs to."""
HANDS = re.compile(
    r"\A(?:\W*(?:a|the|her|his|their|two|ein|eine|der|die|das|ihre?|seine?|zwei)\s+)?"
    r"(?:[\w-]+\s+)?(?:hands?|fingers?|thumbs?|eyes|hände|daumen|augen|close on|detail)\b",
    re.IGNORECASE,
)
"""An action that begins with a hand or an eye: a detail."""
UNDRAWN = re.compile(
    r"\b(?:sleeps?|asleep|dozes?|lies (?:on|in|down|still|awake)|lying|swims?|dives?|climbs?|"
    r"falls?|faints?|dances?|hugs?|embraces?|kiss(?:es)?|jumps?|leaps?|crawls?|skis?|skates?|schl\u00e4ft|"
    r"schlummert|liegt|schwimmt|taucht|klettert|steigt (?:hinauf|hinab|die)|f\u00e4llt|tanzt|"
    r"umarmt|umarmen|k\u00fcsst|springt|kriecht)\b",
    re.IGNORECASE,
)
"""What somebody does that no figure is drawn in."""
CARD = re.compile(
    r"\b(?:end card|title card|logo|lettering|wordmark|schlusskarte|titelkarte|schriftzug)\b",
    re.IGNORECASE,
)
"""Words and a logo on a ground of their own."""
FACE = re.compile(
    r"\b(?:smil(?:es?|ing)|stares?|frowns?|nods?|sighs?|breath(?:e|es)?|blinks?|laughs?|grins?|"
    r"cries|looks?|gazes?|watches|temple|forehead|brow|head|lächelt|blickt?|schaut|starrt|nickt|"
    r"atmet|seufzt|lacht|staunt|kopf|stirn|schläfe)\b",
    re.IGNORECASE,
)
"""What happens in a face."""
CLOSE_UP = re.compile(
    r"\b(?:details?|close(?: on)?|hands?|fingers?|thumb|in focus|drawn large|nahaufnahme|ganz nah|"
    r"aus der nähe|händen?|groß gezeichnet)\b",
    re.IGNORECASE,
)
"""What asks to be seen from near."""
WORKS_AT = re.compile(
    r"\b(?:reads?|scrolls?|types?|taps?|checks|studies|unfolds|liest|scrollt|tippt|prüft|studiert|"
    r"screen|tablet|laptop|bildschirm)\b",
    re.IGNORECASE,
)
"""Somebody and what they have before them: seen over their shoulder."""

"""The gist of a sentence about runs that no phrase knows: one verb, one run, and no "not".

Only where both are said outright: a run by its id, or as the last one. Two verbs, a negation or a
question about whether to do something mean nothing here: then it is not understood.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet.core.value import Json

LONGEST = 24
"""Words; what is longer is about more than one thing."""
_NOT = re.compile(
    r"\b(?:not|never|don't|doesn't|didn't|won't|without|instead|unless|nicht|kein\w*|nie|ohne|statt)\b"
)
_WHETHER = re.compile(
    r"(?:should|may|could|can|must|do|does|did|would|will|what|which|when|how|if|is|are|soll|darf|"
    r"kann|muss|was|welche\w*|wann|wie|ob|ist|sind)\b"
)
_ID = re.compile(r"\b(r[0-9a-z]{8,})\b")
_LAST = re.compile(
    r"\b(?:last|latest|previous|most recent|letzte[nrms]?|vorige[nrms]?)\s+(?:run|one|lauf)\b"
)
_CHANGES = {
    "runs.undo": r"undo|revert|roll (?:it )?back|take (?:it |that )?back|rückgängig|zurücknehmen",
    "runs.resume": r"resume|pick\b.*\bup|carry on|continue|fortsetzen|setze\b.*\bfort|weitermachen",
    "runs.retry": r"retry|try\b.*\bagain|run\b.*\bagain|wiederhol\w*|noch ?mal\w*|noch einmal",
    "runs.cancel": r"cancel|abort|stop|kill|abbrechen|brich\b.*\bab|stopp\w*|beende\w*",
}
_LOOKS = {
    "runs.why": r"why|what went wrong|reason|warum|wieso|weshalb|schief\w*",
    "runs.cost": r"costs?|spent|spend|price|gekostet|kosten|kostet|ausgegeben",
    "runs.show": r"details?|status|state|progress|show|how\b.*\b(?:going|doing|go)|zeig\w*|stand",
}


def gist(said: str) -> tuple[str, dict[str, Json]] | None:
    """A tool about runs and its arguments; None: it is not clear enough."""
    text = said.lower()
    run = _run_in(text)
    if run is None or _NOT.search(text) or len(text.split()) > LONGEST:
        return None
    changes = _found(_CHANGES, text)
    if changes:
        is_order = len(changes) == 1 and not _WHETHER.match(text)
        return (changes[0], {"run": run}) if is_order else None
    looks = _found(_LOOKS, text)
    # Why comes first: whoever asks for the reason of a state wants the reason.
    return (looks[0], {"run": run}) if looks else None


def _run_in(text: str) -> str | None:
    named: set[str] = set(_ID.findall(text))
    if len(named) == 1:
        return named.pop()
    return "last" if not named and _LAST.search(text) else None


def _found(families: dict[str, str], text: str) -> list[str]:
    return [tool for tool, words in families.items() if re.search(rf"\b(?:{words})\b", text)]

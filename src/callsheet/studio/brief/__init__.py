"""Briefs: read in any form, complete, and asked about."""

from __future__ import annotations

from callsheet.studio.brief.answers import load_answers
from callsheet.studio.brief.ask import answered, questions
from callsheet.studio.brief.problems import BriefError
from callsheet.studio.brief.reading import from_data, load, parse
from callsheet.studio.brief.revise import revised
from callsheet.studio.brief.tones import hints

__all__ = [
    "BriefError",
    "answered",
    "from_data",
    "hints",
    "load",
    "load_answers",
    "parse",
    "questions",
    "revised",
]

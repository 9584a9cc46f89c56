"""Briefs: read in any form, complete, and asked about."""

from __future__ import annotations

from callsheet_studio.brief.answers import load_answers
from callsheet_studio.brief.ask import answered, questions
from callsheet_studio.brief.handed import read_handed
from callsheet_studio.brief.problems import BriefError
from callsheet_studio.brief.reading import from_data, load, parse
from callsheet_studio.brief.revise import revised
from callsheet_studio.brief.tones import hints

__all__ = [
    "BriefError",
    "answered",
    "from_data",
    "hints",
    "load",
    "load_answers",
    "parse",
    "questions",
    "read_handed",
    "revised",
]

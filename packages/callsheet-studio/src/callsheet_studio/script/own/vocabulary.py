"""The words of screenplays that are about the page: a data file, read when it is first needed."""

from __future__ import annotations

from functools import cache
from importlib import resources

import rtoml


@cache
def page_words() -> dict[str, frozenset[str]]:
    """The lists of `page.toml`, by their names."""
    text = resources.files("callsheet_studio.script.own").joinpath("page.toml").read_text("utf-8")
    return {name: frozenset(words) for name, words in rtoml.loads(text).items()}

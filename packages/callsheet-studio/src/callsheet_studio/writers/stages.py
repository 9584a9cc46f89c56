"""The model way as tools: what is asked, how an answer is judged, what is made of it. All pure."""

from __future__ import annotations

from typing import Any

from callsheet import tool
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.script import Script
from callsheet_studio.model.shots import ShotList
from callsheet_studio.writers import script as scriptsmith
from callsheet_studio.writers import shots as shotmaster
from callsheet_studio.writers.asking import Ask, Draft

_VERSION = edition("writers")
Outcome = dict[str, Any]
"""What became of the step that asked: `${outcomes.…}`."""


@tool("studio.script_ask", version=_VERSION, effect="read")
def ask_script(brief: Brief) -> Ask:
    """What a model is asked to write the script of a brief."""
    return or_invalid(scriptsmith.script_ask, brief)


@tool("studio.script_draft", version=_VERSION, effect="read")
def read_script(brief: Brief, asked: str, step: str, outcome: Outcome, last: bool) -> Draft:
    """Judge what a model has written: every rule that it breaks, with its beat."""
    return or_invalid(scriptsmith.read_draft, brief, asked, step, outcome, last=last)


@tool("studio.script_mend", version=_VERSION, effect="read")
def mend_script(brief: Brief, drafts: list[Draft | None]) -> Script:
    """The script of the best draft, with our own beats where it breaks a rule."""
    return or_invalid(scriptsmith.mended, brief, drafts)


@tool("studio.shots_ask", version=_VERSION, effect="read")
def ask_shots(script: Script, brief: Brief) -> Ask:
    """What a model is asked to direct the shots of a script."""
    return or_invalid(shotmaster.shots_ask, script, brief)


@tool("studio.shots_draft", version=_VERSION, effect="read")
def read_shots(
    script: Script, brief: Brief, asked: str, step: str, outcome: Outcome, last: bool
) -> Draft:
    """Judge how a model has directed: every rule of continuity that it breaks, with its shot."""
    return or_invalid(shotmaster.read_draft, script, brief, asked, step, outcome, last=last)


@tool("studio.shots_mend", version=_VERSION, effect="read")
def mend_shots(script: Script, brief: Brief, drafts: list[Draft | None]) -> ShotList:
    """The shots of the best draft, with our own camera where it breaks a rule."""
    return or_invalid(shotmaster.mended, script, brief, drafts)

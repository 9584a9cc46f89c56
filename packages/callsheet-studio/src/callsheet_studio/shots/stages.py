"""The stage that breaks a script into shots, as a tool."""

from __future__ import annotations

from callsheet import tool
from callsheet_studio import shots as shotmaster
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.script import Script
from callsheet_studio.model.shots import ShotList

_VERSION = edition("shots")


@tool("studio.shots", version=_VERSION, effect="read")
def plan_shots(script: Script, brief: Brief) -> ShotList:
    """Break a script into shots, with continuity."""
    return or_invalid(shotmaster.plan_shots, script, brief)

"""The stage that writes the script, as a tool."""

from __future__ import annotations

from callsheet import tool
from callsheet_studio import script as scriptsmith
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.script import Script

_VERSION = edition("script")


@tool("studio.script", version=_VERSION, effect="read")
def write_script(brief: Brief) -> Script:
    """Write the script of a brief: beats that tile the film, checked."""
    return or_invalid(scriptsmith.write_script, brief)

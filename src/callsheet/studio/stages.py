"""All stages of a production as tools: whoever goes on with one finds every tool here."""

from callsheet import load_tools

PARTS = (
    "callsheet.studio.planning",
    "callsheet.studio.film.sounds",
    "callsheet.studio.film.stages",
)

globals().update({tool.function.__name__: tool for part in PARTS for tool in load_tools(part)})

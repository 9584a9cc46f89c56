"""All stages of a production as tools: whoever goes on with one finds every tool here."""

from callsheet import load_tools

PLANNING = "callsheet.studio.planning"
FILMING = "callsheet.studio.film.stages"

globals().update({tool.function.__name__: tool for tool in load_tools(PLANNING)})
globals().update({tool.function.__name__: tool for tool in load_tools(FILMING)})

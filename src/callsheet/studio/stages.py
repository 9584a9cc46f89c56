"""All stages of a production as tools: whoever goes on with one finds every tool here."""

from importlib import import_module

from callsheet import load_tools

PARTS = (
    "callsheet.studio.planning",
    "callsheet.studio.film.speaking",
    "callsheet.studio.film.sounds",
    "callsheet.studio.film.filming",
    "callsheet.studio.film.stages",
)
_USED = ("lines", "score", "mix", "encode", "voice", "check")

globals().update({tool.function.__name__: tool for part in PARTS for tool in load_tools(part)})

# What they import when they are called, they import in threads, at once; and of two modules that
# need each other, one may then be found half. A worker process calls one tool at a time.
for _name in _USED:
    import_module(f"callsheet.studio.sound.{_name}")
for _name in ("assemble", "heard"):
    import_module(f"callsheet.studio.film.{_name}")

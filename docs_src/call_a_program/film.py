import sys

from callsheet import program_tool

render = program_tool(
    "film.render",
    [sys.executable, "render.py", "--size=${args.size}", "${args.scene}"],
    args={"size": {"type": ["integer", "null"], "default": None}},
    effect="write",
    exits={75: "transient", 2: "invalid"},
    env=["RENDER_LICENCE"],
    progress=r"frame (?P<done>\d+) of (?P<total>\d+)",
    output="lines",
    description="Render a scene.",
)

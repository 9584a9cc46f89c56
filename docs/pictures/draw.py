"""Draws `demo.svg`: what `make demo` prints, from a real run of it.

.venv/bin/python docs/pictures/draw.py
"""

from __future__ import annotations

import io
import re
import runpy
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
DEMO = HERE.parents[1] / "examples" / "demo.py"
COLUMNS = 92
# A picture loads nothing from elsewhere: any font of fixed width will do.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)


def main() -> None:
    """Run the demo with a console that keeps what it is told."""
    demo = runpy.run_path(str(DEMO))
    console = _console()
    demo["main"].__globals__["console"] = console
    demo["main"]()
    # Where everything is kept differs from machine to machine.
    told = console.export_text(styles=True).partition("\x1b[1mDone in")[0]
    picture = _console()
    picture.print(Text.from_ansi(told.strip()))
    svg = picture.export_svg(title="make demo", code_format=FORMAT, unique_id="demo")
    (HERE / "demo.svg").write_text(svg, "utf-8")


def _console() -> Console:
    return Console(record=True, highlight=False, width=COLUMNS, file=io.StringIO())


if __name__ == "__main__":
    main()

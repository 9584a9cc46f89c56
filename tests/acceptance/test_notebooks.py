"""The notebooks of the documents: every cell runs, in order, as Jupyter runs it."""

from __future__ import annotations

import ast
import json
import linecache
from inspect import isawaitable
from pathlib import Path
from types import FunctionType

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"


@pytest.mark.parametrize("name", sorted(path.name for path in NOTEBOOKS.glob("*.ipynb")))
@pytest.mark.requirement("door:sync")
async def test_every_cell_runs_where_a_loop_is_running(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = json.loads((NOTEBOOKS / name).read_text("utf-8"))["cells"]
    space: dict[str, object] = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        source, file = "".join(cell["source"]), f"<cell {number}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        code = compile(source, file, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        done = FunctionType(code, space)()
        if isawaitable(done):
            await done
    printed = capsys.readouterr().out
    assert "ZeroDivisionError" in printed
    assert "return 1 / number" in printed
    assert "[14, 28]" in printed

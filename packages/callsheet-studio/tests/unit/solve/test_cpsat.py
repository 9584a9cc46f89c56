"""CP-SAT is imported without what only its tables need."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PLANNED = """
import sys
from callsheet_studio.solve.cpsat import cp_model
cp = cp_model()
model, solver = cp.CpModel(), cp.CpSolver()
seven = model.new_int_var(0, 7, "x")
model.maximize(seven)
solver.solve(model)
assert solver.value(seven) == 7
assert "pandas" not in sys.modules
from ortools.sat.python import cp_model as theirs
assert theirs is cp
"""
_A_TABLE = """
import pandas
table = model.new_int_var_series("v", pandas.Index(["a", "b"]), 0, 3)
assert list(table.index) == ["a", "b"]
"""


@pytest.mark.requirement("P13")
@pytest.mark.parametrize("more", ["", _A_TABLE], ids=["plain", "tables"])
def test_cp_sat_solves_without_pandas_and_still_serves_who_uses_it(more: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PLANNED + more], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr

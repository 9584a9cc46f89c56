"""`python -m callsheet.cli`."""

from __future__ import annotations

from callsheet.cli import main

main()

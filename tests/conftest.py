"""How hard Hypothesis tries: 100 examples for each change, ten times that in `make test-long`."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("dev", max_examples=100, deadline=None, print_blob=True)
settings.register_profile("long", parent=settings.get_profile("dev"), max_examples=1000)
settings.load_profile("long" if os.environ.get("CALLSHEET_LONG") else "dev")

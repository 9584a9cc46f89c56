"""Files of tool stacks for the tests: the shipped one to change, and the smallest that is one."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib.resources import files
from typing import Any, cast

STARTING = (files("callsheet_studio.stack") / "starting.json").read_text("utf-8")
_READ = json.loads(STARTING)


def starting() -> dict[str, Any]:
    """The shipped file, to be changed."""
    return cast("dict[str, Any]", deepcopy(_READ))


def offer(**changes: object) -> dict[str, Any]:
    """An offer as it stands in a file."""
    plain = {
        "provider": "Acme API",
        "unit": "second",
        "usd": 0.1,
        "conditions": {},
        "source": "page",
        "as_of": "2026-11-01",
    }
    return {**plain, **changes}


def tool(**changes: object) -> dict[str, Any]:
    """A stack tool as it stands in a file."""
    plain = {
        "id": "acme-1",
        "name": "Acme 1",
        "vendor": "Acme",
        "category": "video",
        "status": "active",
        "modes": ["t2v", "i2v"],
        "durations_s": [5, 10],
        "max_clip_s": 10,
        "offers": [offer()],
        "source": ["page"],
        "as_of": "2026-11-01",
    }
    return {**plain, **changes}


def file(*tools: dict[str, Any], written: str = "2026-11-15", **changes: object) -> str:
    """A file with these tools."""
    whole = {
        "meta": {"written": written},
        "sources": {"page": {"title": "A page", "url": "https://acme.test", "as_of": "2026-11-01"}},
        "tools": list(tools or [tool()]),
        "latency_prior": {
            "median_s": 150,
            "range_s": [33, 540],
            "source": "page",
            "as_of": "2026-11-01",
        },
    }
    return json.dumps({**whole, **changes})

"""An example of every body and every answer, for the OpenAPI document. Long lists are cut."""

from __future__ import annotations

from typing import Any

_RUN = "r00t3v8bfg9qbvt0emeprjcd"
_VRD = {
    "message": {"core": "Harbor keeps every berth in view.", "cta": "Try Harbor"},
    "content": {"duration": "15s"},
}
SCRIPT_BODY: dict[str, Any] = {"vrd": _VRD, "clarifications": {"tone": "warm"}}
SHOTS_BODY: dict[str, Any] = {"script_id": _RUN}
PLAN_BODY: dict[str, Any] = {
    "shot_list_id": _RUN,
    "constraints": {"max_cost_usd": 20.0, "quality_priority": "balanced"},
}
FILM_BODY: dict[str, Any] = {
    "vrd": "Hello,\n\nour bakery bakes all night. Please end with: Come in at five.\n\nAnn"
}
SCRIPT: dict[str, Any] = {
    "script_id": _RUN,
    "beats": [{"id": "1.1", "scene": 1, "order": 1, "start": 0, "end": 96}],
    "metadata": {"title": "Harbor", "language": "en", "fps": 24, "frames": 360},
    "questions": [{"key": "tone", "text": "How should it sound?", "default": "clear"}],
}
SHOTS: dict[str, Any] = {
    "shot_list_id": _RUN,
    "shots": [{"id": "1A", "scene": 1, "beat": "1.1", "start": 0, "end": 48, "size": "WS"}],
    "asset_summary": {"shots": 6, "places": ["harbour"], "things": [], "setups": 4},
}
PLAN: dict[str, Any] = {
    "production_plan_id": _RUN,
    "shot_plans": [{"shot": "1A", "recipe": "image_to_video", "steps": []}],
    "cost_breakdown": {"expected": 3.2, "worst": 4.1, "by_tool": {}, "by_provider": {}},
    "timeline_estimate": {"sequential": 420.0, "makespan": 180.0, "lanes": [], "post": 20.0},
}
_FILM = {
    "$artifact": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
    "media_type": "video/mp4",
    "size": 1_204_113,
    "name": "film.mp4",
}
MADE: dict[str, Any] = {
    "run": _RUN,
    "state": "succeeded",
    "summary": {"title": "Harbor", "seconds": 15.0, "shots": 6},
    "script": None,
    "shots": None,
    "plan": None,
    "report": None,
    "files": {"film.mp4": {**_FILM, "href": f"/api/artifacts/{_FILM['$artifact']}"}},
}
STACK: dict[str, Any] = {
    "as_of": "2026-11-15",
    "origin": "starting",
    "tools": [{"id": "runway-gen4.5", "name": "Gen-4.5", "vendor": "Runway", "offers": []}],
}

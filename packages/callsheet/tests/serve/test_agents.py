"""The agents of a service: who may see them, and what is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.acceptance.agents.troupe import writer
from tests.serve.stage import LOCAL, serving

from callsheet.client import Client

if TYPE_CHECKING:
    from pathlib import Path

# It starts a server.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S2")]


async def test_a_service_tells_who_there_is_and_never_their_prompts(tmp_path: Path) -> None:
    agents = [writer(name, models=("offline",), prompt="Keep this.") for name in ("ann", "ben")]
    async with serving(tmp_path / "home", agents=agents) as served:
        owner = await served.owner()
        first = (await owner.get("/api/agents", params={"limit": 1})).json()
        assert [each["name"] for each in first["items"]] == ["ann"]
        rest = await owner.get("/api/agents", params={"cursor": first["next"]})
        assert [each["name"] for each in rest.json()["items"]] == ["ben"]
        assert "Keep this." not in rest.text
        async with Client(served.url, LOCAL) as client:
            told = await client.agents.list()
        assert [(each["name"], each["usable"]) for each in told] == [("ann", True), ("ben", True)]

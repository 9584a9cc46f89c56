"""A service on a disk of 1 MB that is filled, asked, and emptied again, in the home it is given.

In a process of its own: what it does to its disk must not be done to the tests. Prints what it was
answered as one line of JSON; exits with 77 where no disk may be mounted.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.crash.faults import mount_small_disk
from tests.serve.stage import ASKS, HELLO, serving, started, until

if TYPE_CHECKING:
    import httpx

MOST = 300
"""Requests after which a full disk must have been noticed."""
CANNOT = 77


def fill(ballast: Path) -> None:
    """Leave no room."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return


async def live(home: Path) -> dict[str, Any]:
    """What is answered before, while and after there is no room."""
    async with serving(home) as served:
        owner = await served.owner()
        waiting = await started(owner, ASKS)
        done = await started(owner)
        await until(owner, done, "succeeded")
        fill(home / "ballast")
        statuses, taken = await until_refused(owner)
        told: dict[str, Any] = {"statuses": sorted(set(statuses))}
        for name, asked in {
            "context": owner.put("/api/context/s/x", json={"value": "y" * 50_000}),
            "upload": owner.post("/api/artifacts?name=x", content=b"z" * 200_000),
            "plan": owner.post("/api/plans", json={"plan": {**HELLO, "description": "d" * 9999}}),
            "read": owner.get(f"/api/runs/{done}"),
            "list": owner.get("/api/runs?limit=500"),
        }.items():
            answer = await asked
            told[name] = [answer.status_code, answer.json().get("code")]
        (home / "ballast").unlink()
        again = await owner.post("/api/runs?wait=30", **asked_for(len(statuses) - 1))
        told["again"] = [again.status_code, again.json().get("state")]
        yes = {"question": "ok#1", "answer": "yes"}
        await owner.post(f"/api/runs/{waiting}/answer", json=yes)
        told["waited"] = (await until(owner, waiting, "succeeded"))["state"]
        runs = (await owner.get("/api/runs?limit=500")).json()["items"]
        # Two before, those that were taken, and the one that was asked for again.
        told["lost"] = 2 + taken + 1 - len(runs)
        for run in runs:
            await until(owner, run["run"], "succeeded")
        same = [(await owner.post(f"/api/runs/{run['run']}/replay")).json()["same"] for run in runs]
        told["same"] = all(same)
        return told


async def until_refused(owner: httpx.AsyncClient) -> tuple[list[int], int]:
    statuses: list[int] = []
    while len(statuses) < MOST:
        answer = await owner.post("/api/runs", **asked_for(len(statuses)))
        statuses.append(answer.status_code)
        if answer.status_code != 201:
            assert answer.json()["code"] == "store_full", answer.text
            assert str(answer.request.url.path) not in answer.json()["detail"]
            break
    return statuses, statuses.count(201)


def asked_for(number: int) -> dict[str, Any]:
    body = {"plan": {**HELLO, "description": f"{number}" + "x" * 4000}}
    return {"json": body, "headers": {"Idempotency-Key": f"n{number}"}}


def main(place: str) -> int:
    """Live once."""
    home = Path(place)
    home.mkdir()
    try:
        mount_small_disk(home)
    except PermissionError:
        return CANNOT
    sys.stdout.write(json.dumps(asyncio.run(live(home))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

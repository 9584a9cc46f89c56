import asyncio
from datetime import date

from callsheet_studio import execute_full_pipeline

VRD = {
    "message": {
        "core": "Harbor keeps every berth in view.",
        "supporting": ["one live map for all berths", "payments before arrival"],
        "cta": "Try Harbor free for 30 days",
    },
    "content": {"type": "product_demo", "duration": "30s"},
}


async def main() -> None:
    made = await execute_full_pipeline(VRD, today=date(2026, 11, 15))
    assert made.shots is not None
    assert made.plan is not None
    print(made.script.frames, "frames,", made.shots.shots[-1].end, "of them in shots")
    print(made.plan.proof.status)


if __name__ == "__main__":
    asyncio.run(main())

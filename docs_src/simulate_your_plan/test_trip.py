from callsheet import Budget, Plan, Step, Undo, tool
from callsheet.testing import Faults, simulate


@tool("rooms.book", effect="write")
async def book(hotel: str) -> dict[str, str]:
    raise NotImplementedError("the real one calls a hotel")


@tool("rooms.release", effect="write", idempotent=True)
async def release(room: str) -> None:
    raise NotImplementedError("the real one calls a hotel")


@tool("cards.charge", effect="write", idempotent=True, ceiling=0.30)
async def charge(room: str) -> dict[str, str]:
    raise NotImplementedError("the real one calls a bank")


TRIP = Plan(
    name="trip",
    budget=Budget(usd=1.0),
    steps=(
        Step(
            id="room",
            tool="rooms.book",
            args={"hotel": "Grand"},
            undo=Undo(tool="rooms.release", args={"room": "${output.id}"}),
        ),
        Step(id="pay", tool="cards.charge", args={"room": "${steps.room.id}"}),
    ),
)
TOOLS = (book, release, charge)
RETURNS = {"rooms.book": {"id": "r7"}}


def test_whatever_happens_the_laws_hold() -> None:
    for seed in range(100):
        simulate(TRIP, TOOLS, seed=seed, returns=RETURNS).check()


def test_a_run_that_nobody_disturbs_does_not_get_stuck() -> None:
    machines_only = Faults(cancels=0, pauses=0, undos=0, stubborn=0, crashes=1.0)
    stories = [
        simulate(TRIP, TOOLS, seed=seed, returns=RETURNS, faults=machines_only)
        for seed in range(100)
    ]
    ends = {str(story.result.state) for story in stories if story.result}
    assert ends <= {"succeeded", "undone", "failed"}, ends

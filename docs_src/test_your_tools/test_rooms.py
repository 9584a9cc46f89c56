from callsheet import Engine, Plan, RunState, Step
from callsheet.errors import NotDoneError, TransientError
from callsheet.testing import SimulatedClock, World, hangs, raises, returns, simulated, waits

TRIP = Plan(
    name="trip",
    steps=(
        Step(id="room", tool="rooms.book", args={"hotel": "Grand"}),
        Step(id="mail", tool="mail.send", args={"room": "${steps.room.id}"}),
    ),
)


@simulated
async def test_a_busy_hotel_is_asked_again() -> None:
    world = World()
    world.pair("rooms.book", "rooms.release", [raises(NotDoneError("busy")), world.stands], retry=2)
    world.tool("mail.send")
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        result = await (await engine.start(TRIP)).wait()
    assert result.state is RunState.SUCCEEDED
    assert result.steps["room"].attempts == 2
    assert len(world.standing) == 1


@simulated
async def test_a_room_is_given_back_when_the_mail_cannot_be_sent() -> None:
    world = World()
    world.pair("rooms.book", "rooms.release")
    world.tool("mail.send", raises(TransientError("no route")), retry=3)
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        result = await (await engine.start(TRIP)).wait()
    assert result.state is RunState.UNDONE
    assert world.count("mail.send") == 3
    assert not world.standing


@simulated
async def test_a_mail_that_takes_ten_minutes_is_given_up_in_no_time() -> None:
    world = World()
    world.tool("rooms.book", waits(300, returns({"id": 7})))
    world.tool("mail.send", hangs(), timeout="10m", retry=1)
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        result = await (await engine.start(TRIP)).wait()
    assert result.steps["mail"].error is not None
    assert result.steps["mail"].error.error_class == "timeout"
    assert result.seconds >= 900

import callsheet
from callsheet import Plan, Step, tool


@tool(effect="read")
async def double(number: int) -> int:
    return 2 * number


PLAN = Plan(
    steps=[
        Step(id="first", tool=double, args={"number": 7}),
        Step(id="second", tool=double, args={"number": "${steps.first}"}),
        Step(id="sum", tool="value", args={"value": ["${steps.first}", "${steps.second}"]}),
    ],
    output="${steps.sum}",
)

if __name__ == "__main__":
    with callsheet.sync.open_engine(tools=[double]) as engine:
        result = engine.run(PLAN).raise_for_state()
        print(result.state, sum(result.output_as(list[int])))

import time

import callsheet
from callsheet import Plan, Step, tool


@tool(effect="read")
def look(city: str) -> str:
    time.sleep(1)  # something slow, or paid
    return f"{city}: 7 °C"


CITIES = ("Oslo", "Rome", "Lima", "Pune")
PLAN = Plan(
    name="weather",
    steps=[Step(id=city.lower(), tool=look, args={"city": city}) for city in CITIES],
    concurrency=1,
)

if __name__ == "__main__":
    with callsheet.sync.open_engine(tools=[look]) as engine:
        result = engine.run(PLAN, key="this morning").raise_for_state()
        print(result.state, [step.output for step in result.steps.values()])

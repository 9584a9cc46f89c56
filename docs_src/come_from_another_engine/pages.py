import callsheet
from callsheet import Context, Plan, Step, tool


@tool(effect="read", retry=3)
async def fetch(url: str) -> str:
    return f"text of {url}"


@tool(effect="write", idempotent=True)
async def store(text: str, ctx: Context) -> str:
    return f"{len(text)} characters, under {ctx.key}"


PAGE = Plan(
    name="page",
    inputs={"url": {"type": "string"}},
    steps=[
        Step(id="fetch", tool=fetch, args={"url": "${inputs.url}"}),
        Step(id="store", tool=store, args={"text": "${steps.fetch}"}),
    ],
)

if __name__ == "__main__":
    with callsheet.sync.open_engine(tools=[fetch, store]) as engine:
        print(engine.run(PAGE, {"url": "https://example.org"}, key="example").state)

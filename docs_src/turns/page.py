import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

from callsheet import Engine, tool


@tool(effect="read")
async def weather(city: str) -> dict[str, int]:
    """The weather in a city."""
    return {"degrees": len(city)}


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with Engine.open("talk", [weather]) as engine:
        app.state.engine = engine
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/turns")
async def say(message: str, key: str, conversation: str | None = None) -> dict[str, str]:
    turn = await app.state.engine.turn(
        message, model="writer", tools=["weather"], conversation=conversation, key=key
    )
    return {"turn": turn.id, "conversation": turn.conversation}


@app.get("/turns/{turn}/flow")
async def flow(turn: str, request: Request) -> StreamingResponse:
    found = await app.state.engine.get_turn(turn)
    after = int(request.headers.get("last-event-id", 0))

    async def events() -> AsyncIterator[str]:
        async for update in found.flow(after):
            number = f"id: {update['seq']}\n" if "seq" in update else ""
            yield f"{number}data: {json.dumps(update)}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


@app.delete("/turns/{turn}")
async def stop(turn: str) -> None:
    await (await app.state.engine.get_turn(turn)).cancel()

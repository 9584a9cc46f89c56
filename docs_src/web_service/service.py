from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, HTTPException

from callsheet import Engine, Plan, Step, tool
from callsheet.errors import CallsheetError, InputError


@tool("parcels.label", effect="write", idempotent=True)
async def label(parcel: str) -> str:
    return f"label for {parcel}"


SHIP = Plan(
    name="ship",
    inputs={"parcel": {"type": "string"}},
    steps=[
        Step(id="ok", ask="Ship ${inputs.parcel}?", choices=["yes", "no"]),
        Step(
            id="label", tool=label, when="${steps.ok == 'yes'}", args={"parcel": "${inputs.parcel}"}
        ),
    ],
    output="${steps.label}",
)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with Engine.open("shop", [label]) as engine:
        app.state.engine = engine
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/parcels/{parcel}")
async def ship(parcel: str) -> dict[str, str]:
    run = await app.state.engine.start(SHIP, {"parcel": parcel}, key=parcel)
    return {"run": run.id}


@app.get("/runs/{run}")
async def show(run: str) -> Any:
    return (await (await found(run)).status()).to_json()


@app.post("/runs/{run}/answers/{step}")
async def answer(run: str, step: str, value: str, by: str) -> None:
    try:
        await (await found(run)).answer(step, value, by=by)
    except InputError as error:
        raise HTTPException(409, error.to_json()) from error


async def found(run: str) -> Any:
    try:
        return await app.state.engine.get(run)
    except CallsheetError as error:
        raise HTTPException(404, error.to_json()) from error

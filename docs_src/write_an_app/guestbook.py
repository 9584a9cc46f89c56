import asyncio
from typing import Annotated

import sqlalchemy as sa
import typer

from callsheet import Engine, Plan, Step, tool
from callsheet.apps import Branch
from callsheet.apps.command import (
    DEFAULT_HOME,
    AsJson,
    Home,
    Interrupts,
    Output,
    Parting,
    Place,
    Where,
    driving,
    looking,
    part,
    stay,
)
from callsheet.types import Tenant

# A tool, and a plan that calls it


@tool("guestbook.greet", effect="read")
async def greet(guest: str) -> str:
    """Greet a guest."""
    return f"Welcome, {guest}!"


VISIT = Plan(
    name="visit",
    inputs={"guest": {"type": "string"}},
    steps=(Step(id="greet", tool="guestbook.greet", args={"guest": "${inputs.guest}"}),),
    output="${steps.greet}",
)

# A table

TABLES = sa.MetaData()
VISITS = sa.Table(
    "guestbook_visit",
    TABLES,
    sa.Column("run", sa.String, nullable=False),
    sa.Column("tenant", sa.String, nullable=False),
    sa.Column("guest", sa.String, nullable=False),
    sa.PrimaryKeyConstraint("run", name="pk_guestbook_visit"),
)
BRANCH = Branch(
    name="guestbook",
    metadata=TABLES,
    revisions=("guestbook_0001",),
    migrations="guestbook_migrations",
)


async def note(engine: Engine | Tenant, run: str, guest: str) -> None:
    whose = engine.name if isinstance(engine, Tenant) else "default"
    known = sa.select(VISITS.c.run).where(VISITS.c.run == run)
    row = sa.insert(VISITS).values(run=run, tenant=whose, guest=guest)

    def write(connection: sa.Connection) -> None:
        if connection.scalar(known) is None:  # a start with the same key is the same run
            connection.execute(row)

    await engine.database(BRANCH).write(write)


async def guests(engine: Engine | Tenant) -> list[str]:
    whose = engine.name if isinstance(engine, Tenant) else "default"
    wanted = sa.select(VISITS.c.guest).where(VISITS.c.tenant == whose).order_by(VISITS.c.run)
    return await engine.database(BRANCH).read(lambda each: list(each.scalars(wanted)))


# Commands

app = typer.Typer(no_args_is_help=True, help="Keep a guest book.")


@app.command()
def sign(
    guest: Annotated[str, typer.Argument(help="Who comes.")],
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Greet a guest, and write the name down."""
    where = Where(home=home, plugins=True)
    with Output(as_json=as_json) as out:
        parting = out.run(_sign(out, where, guest))
        raise typer.Exit(say_goodbye(out, parting, where))


async def _sign(out: Output, where: Where, guest: str) -> Parting:
    with Interrupts() as interrupts:
        async with driving(where, create=True) as engine:
            run = await engine.start(VISIT, inputs={"guest": guest})
            await note(engine, run.id, guest)
            return await stay(out, engine, run, interrupts, where)


@app.command("list")
def list_guests(home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """List who was here."""
    with Output(as_json=as_json) as out:
        found = asyncio.run(_list(home))
        if as_json:
            out.data(found)
        else:
            out.show(*found)


async def _list(home: Place) -> list[str]:
    async with looking(home) as engine:
        return await guests(engine)


# The report at the end of a run, also after `callsheet resume`


def say_goodbye(out: Output, parting: Parting, where: Where) -> int:
    if not out.as_json and parting.code == 0:
        out.show(f"{parting.result.output} It is in the book.")
        return 0
    return part(out, parting, where)

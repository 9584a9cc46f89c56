"""The commands about plans and tools: `check`, `tools`, `plan save|list|show|delete|schema`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, cast

import typer

import callsheet
from callsheet.cli.arguments import (
    Order,
    find_plan,
    gather,
    load_all,
    text_of,
    with_its_tools,
)
from callsheet.cli.draft import draft
from callsheet.cli.home import Where, driving, looking, owner_of, preparing
from callsheet.cli.options import (
    DEFAULT_HOME,
    TENANT,
    AllowShell,
    AsJson,
    Config,
    Home,
    NoPlugins,
    PlanName,
    Tools,
)
from callsheet.cli.output import BAD_INPUT, Output
from callsheet.cli.place import Place
from callsheet.cli.placed import placed
from callsheet.errors import InputError, PlanError

if TYPE_CHECKING:
    from callsheet.types import Fixed, SavedPlan, ToolSpec

_NAME = Annotated[str, typer.Argument(metavar="NAME", help="The name of a saved plan.")]
Tenant: TypeAlias = Annotated[
    str, typer.Option("--tenant", metavar="NAME", help="Whose plan it is.")
]


@placed
def check(
    plan: PlanName,
    *,
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix what is certain, and list what was fixed.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where --fix writes; - is stdout. By default the file itself.",
        ),
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Ignore a code fence and prose around the plan.")
    ] = False,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Check a plan: list every problem, with its fix.

    Against the built-in tools, those of --tools and of plug-ins, and those of the configuration.
    Writes nothing but what --fix mends.
    """
    where = with_its_tools(where, plan)
    with Output(as_json=as_json) as out:
        if fix:
            _fix(plan, where, output, out)
            return
        if output is not None:
            raise InputError("--output says where --fix writes. Write --fix, too.")
        try:
            order = Order(plan=plan, where=where, lenient=lenient)
            given = asyncio.run(gather(order, with_inputs=False))
        except PlanError as error:
            if not as_json:
                raise
            said = error.to_json()
            out.data({"ok": False, "problems": said["problems"], "error": said})
            raise typer.Exit(BAD_INPUT) from error
        found = given.plan
        if as_json:
            facts = {"plan": found.name, "digest": found.digest, "steps": len(found.steps)}
            out.data({"ok": True, **facts, "problems": [each.to_json() for each in given.warnings]})
            return
        out.list_problems(given.warnings)
        warnings = f", {_counted(len(given.warnings), 'warning')}" if given.warnings else ""
        out.show(f"✓ {found.name} is a plan: {_counted(len(found.steps), 'step')}{warnings}.")


def _fix(plan: str, where: Where, output: Path | None, out: Output) -> None:
    source = text_of(plan)
    if source is None:
        raise InputError(f"There is no file {plan!r}. --fix mends files, and - is stdin.")
    fixed = preparing(where, load_all(where.tools)).fix(source)
    to = output if output is not None else None if isinstance(source, bytes) else Path(source)
    is_written = fixed.document is not None and (bool(fixed.done) or output is not None)
    if to is not None and str(to) != "-" and is_written:
        _write(to, fixed.text())
    if out.as_json:
        out.data(fixed.to_json())
    else:
        _tell_fixed(fixed, out)
        if (to is None or str(to) == "-") and fixed.document is not None:
            out.console.print(fixed.text(), markup=False, soft_wrap=True, end="")
    if not fixed.ok:
        raise typer.Exit(BAD_INPUT)


def _tell_fixed(fixed: Fixed, out: Output) -> None:
    for problem in fixed.done:
        out.remark(f"  fixed {problem.place}: {problem.what}. {problem.fix}", "green")
    out.list_problems(list(fixed.left))
    errors = sum(problem.severity == "error" for problem in fixed.left)
    left = f"{_counted(errors, 'problem')} left" if errors else "nothing is left"
    out.remark(f"{len(fixed.done)} fixed, {left}.")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"Cannot write {str(path)!r}: {error.strerror}.") from error


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


@placed
def tools(
    *,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """List the tools that plans may call.

    The built-in ones, those of --tools and of plug-ins, and those of the configuration.
    """
    with Output(as_json=as_json) as out:
        specs = _specs(where)
        if as_json:
            out.data(specs)
            return
        from callsheet.cli.show.lists import tools_table

        out.show(tools_table(specs))


def _specs(where: Where) -> list[dict[str, Any]]:
    if where.home.is_service:
        return [spec.to_json() for spec in asyncio.run(_specs_of_service(where.home))]
    room = preparing(where, load_all(where.tools))
    found = [room.tools.spec(name) for name in room.tools.names()]
    return [spec.to_json() for spec in found if spec]


async def _specs_of_service(home: Place) -> list[ToolSpec]:
    from callsheet.client import Client

    async with cast("Client", looking(home)) as service:
        return await service.tools.specs()


def shelf() -> typer.Typer:
    """The commands of `callsheet plan`."""
    app = typer.Typer(no_args_is_help=True, help="Save, list and show plans by name.")
    for command in (save, list_plans, show, delete, schema, draft):
        app.command(command.__name__.removesuffix("_plans"))(command)
    return app


def save(
    plan: PlanName, tenant: Tenant = TENANT, home: Home = DEFAULT_HOME, as_json: AsJson = False
) -> None:
    """Save a plan under its name, as a new version if it has changed."""
    with Output(as_json=as_json) as out:
        saved = asyncio.run(_save(home, tenant, plan))
        if as_json:
            out.data(saved.to_json())
        else:
            out.show(f"Saved {saved.name}, version {saved.version}.")


async def _save(home: Place, tenant: str, plan: str) -> SavedPlan:
    found = await find_plan(callsheet.Engine.toolroom(), plan, home, tenant)
    async with driving(Where(home=home), create=True) as engine:
        return await owner_of(engine, home, tenant).plans.save(found)


def list_plans(tenant: Tenant = TENANT, home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """List saved plans, the newest version of each."""
    with Output(as_json=as_json) as out:
        saved = [each.to_json() for each in asyncio.run(_list(home, tenant))]
        if as_json:
            out.data(saved)
        elif not saved:
            out.remark(f"There are no saved plans in {str(home)!r} yet.")
        else:
            from callsheet.cli.show.lists import plans_table

            out.show(plans_table(saved))


async def _list(home: Place, tenant: str) -> list[SavedPlan]:
    async with looking(home) as engine:
        return list(await owner_of(engine, home, tenant).plans.list())


def show(
    name: _NAME,
    version: Annotated[
        int | None, typer.Option(min=1, help="Which version; by default the newest.")
    ] = None,
    tenant: Tenant = TENANT,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Print a saved plan as YAML; with --json, as JSON and with what is known of it."""
    with Output(as_json=as_json) as out:
        saved, versions = asyncio.run(_get(home, tenant, name, version))
        if as_json:
            out.data({**saved.to_json(), "versions": versions, "plan": saved.plan.to_json()})
        else:
            out.console.print(saved.plan.to_yaml(), markup=False, soft_wrap=True, end="")


async def _get(
    home: Place, tenant: str, name: str, version: int | None
) -> tuple[SavedPlan, list[int]]:
    async with looking(home) as engine:
        plans = owner_of(engine, home, tenant).plans
        saved = await plans.get(name, version)
        return saved, [each.version for each in await plans.versions(name)]


def delete(
    name: _NAME, tenant: Tenant = TENANT, home: Home = DEFAULT_HOME, as_json: AsJson = False
) -> None:
    """Delete a saved plan with all its versions; refused while an open run is of one of them."""
    with Output(as_json=as_json) as out:
        asyncio.run(_delete(home, tenant, name))
        if as_json:
            out.data({"deleted": name})
        else:
            out.show(f"Deleted {name}.")


def schema(
    *,
    strict: Annotated[
        bool, typer.Option("--strict", help="As providers want it for structured output.")
    ] = False,
    tools: Tools = None,
    allow_shell: AllowShell = False,
    no_plugins: NoPlugins = False,
    config: Config = None,
    home: Home = DEFAULT_HOME,
) -> None:
    """Print the JSON Schema of plans, with the arguments of the tools that they may call.

    The built-in tools, those of --tools and of plug-ins, and those of the configuration.
    """
    with Output(as_json=True) as out:
        where = Where(
            home=home,
            tools=tools or (),
            allow_shell=allow_shell,
            plugins=not no_plugins,
            config=config,
        )
        room = preparing(where, load_all(where.tools))
        out.data(callsheet.Plan.json_schema(room.tools, strict=strict))


async def _delete(home: Place, tenant: str, name: str) -> None:
    async with looking(home) as engine:
        await owner_of(engine, home, tenant).plans.delete(name)

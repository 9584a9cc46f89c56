"""The commands about plans and tools: `check`, `tools`, `plan save|list|show|delete`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

import callsheet
from callsheet.cli.arguments import Order, find_plan, gather, load_all, with_its_tools
from callsheet.cli.home import Where, driving_if_free, looking, preparing
from callsheet.cli.options import (
    DEFAULT_HOME,
    AllowPrivate,
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
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from callsheet.types import SavedPlan

_NAME = Annotated[str, typer.Argument(metavar="NAME", help="The name of a saved plan.")]


def check(
    plan: PlanName,
    *,
    tools: Tools = None,
    allow_shell: AllowShell = False,
    allow_private: AllowPrivate = False,
    no_plugins: NoPlugins = False,
    config: Config = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Check a plan: every problem at once, with its place.

    Against the built-in tools, those of --tools and of plug-ins, and those of the configuration.
    Writes nothing.
    """
    where = Where(
        home=home,
        tools=with_its_tools(tools, plan),
        allow_shell=allow_shell,
        allow_private=allow_private,
        plugins=not no_plugins,
        config=config,
    )
    with Output(as_json=as_json) as out:
        try:
            given = asyncio.run(gather(Order(plan=plan, where=where), with_inputs=False))
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
        steps = f"{len(found.steps)} step{'s' if len(found.steps) != 1 else ''}"
        count = len(given.warnings)
        warnings = f", {count} warning{'s' if count != 1 else ''}" if count else ""
        out.show(f"✓ {found.name} is a plan: {steps}{warnings}.")


def tools(
    *,
    tools: Tools = None,
    allow_shell: AllowShell = False,
    allow_private: AllowPrivate = False,
    no_plugins: NoPlugins = False,
    config: Config = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """List the tools that plans may call.

    The built-in ones, those of --tools and of plug-ins, and those of the configuration.
    """
    where = Where(
        home=home,
        tools=tools or (),
        allow_shell=allow_shell,
        allow_private=allow_private,
        plugins=not no_plugins,
        config=config,
    )
    with Output(as_json=as_json) as out:
        specs = _specs(where)
        if as_json:
            out.data(specs)
            return
        from callsheet.cli.show.lists import tools_table

        out.show(tools_table(specs))


def _specs(where: Where) -> list[dict[str, Any]]:
    room = preparing(where, load_all(where.tools))
    found = [room.tools.spec(name) for name in room.tools.names()]
    return [spec.to_json() for spec in found if spec]


def shelf() -> typer.Typer:
    """The commands of `callsheet plan`."""
    app = typer.Typer(no_args_is_help=True, help="Keep plans by name; every version is kept.")
    for command in (save, list_plans, show, delete):
        app.command(command.__name__.removesuffix("_plans"))(command)
    return app


def save(plan: PlanName, home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """Save a plan under its name, as a new version if it has changed."""
    with Output(as_json=as_json) as out:
        saved = asyncio.run(_save(home, plan))
        if as_json:
            out.data(saved.to_json())
        else:
            out.show(f"Saved {saved.name}, version {saved.version}.")


async def _save(home: Place, plan: str) -> SavedPlan:
    found = await find_plan(callsheet.Engine.toolroom(), plan, home)
    async with driving_if_free(Where(home=home), create=True) as engine:
        return await engine.plans.save(found)


def list_plans(home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """List saved plans: the newest version of each."""
    with Output(as_json=as_json) as out:
        saved = [each.to_json() for each in asyncio.run(_list(home))]
        if as_json:
            out.data(saved)
        elif not saved:
            out.remark(f"There are no saved plans in {str(home)!r} yet.")
        else:
            from callsheet.cli.show.lists import plans_table

            out.show(plans_table(saved))


async def _list(home: Place) -> list[SavedPlan]:
    async with looking(home) as engine:
        return list(await engine.plans.list())


def show(
    name: _NAME,
    version: Annotated[
        int | None, typer.Option(min=1, help="Which version; the newest if not said.")
    ] = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Print a saved plan as YAML; with --json, as JSON and with what is known of it."""
    with Output(as_json=as_json) as out:
        saved, versions = asyncio.run(_get(home, name, version))
        if as_json:
            out.data({**saved.to_json(), "versions": versions, "plan": saved.plan.to_json()})
        else:
            out.console.print(saved.plan.to_yaml(), markup=False, soft_wrap=True, end="")


async def _get(home: Place, name: str, version: int | None) -> tuple[SavedPlan, list[int]]:
    async with looking(home) as engine:
        saved = await engine.plans.get(name, version)
        return saved, [each.version for each in await engine.plans.versions(name)]


def delete(name: _NAME, home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """Delete a saved plan with all its versions; refused while an open run is of one of them."""
    with Output(as_json=as_json) as out:
        asyncio.run(_delete(home, name))
        if as_json:
            out.data({"deleted": name})
        else:
            out.show(f"Deleted {name}.")


async def _delete(home: Place, name: str) -> None:
    async with looking(home) as engine:
        await engine.plans.delete(name)

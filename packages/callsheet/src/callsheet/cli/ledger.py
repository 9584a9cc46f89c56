"""The commands about tenants' accounts: `ledger grant|show|statement`."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from callsheet.cli.home import Where, driving, looking
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home, who
from callsheet.cli.output import Output
from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet.cli.place import Place
    from callsheet.types import Account, Posting, Statement

_Tenant: TypeAlias = Annotated[str, typer.Argument(metavar="TENANT", help="Whose account.")]


def accounts() -> typer.Typer:
    """The commands of `callsheet ledger`."""
    app = typer.Typer(no_args_is_help=True, help="Manage accounts: what tenants may spend.")
    for command in (grant, show, statement):
        app.command()(command)
    return app


def grant(
    tenant: _Tenant,
    *,
    usd: Annotated[float, typer.Option(min=0, help="US dollars.")] = 0.0,
    credits_: Annotated[float, typer.Option("--credits", min=0, help="Credits.")] = 0.0,
    tokens: Annotated[int, typer.Option(min=0, help="Tokens.")] = 0,
    note: Annotated[str, typer.Option(help="What for.")] = "",
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Add to a tenant's account; creates it if there is none.

    From then on every run of that tenant sets its budget aside when it starts.
    """
    with Output(as_json=as_json) as out:
        if not (usd or credits_ or tokens):
            # It would open an account with nothing in it, and no run of the tenant would start.
            raise InputError("How much? Give --usd, --credits or --tokens.")

        async def act() -> tuple[Posting, Account | None]:
            async with driving(Where(home=home), create=True) as engine:
                posting = await engine.ledger.grant(
                    tenant, usd=usd, credits=credits_, tokens=tokens, note=note, by=who()
                )
                return posting, await engine.ledger.account(tenant)

        posting, account = asyncio.run(act())
        if as_json:
            standing = account.to_json() if account else None
            out.data({"posting": posting.to_json(), "account": standing})
            return
        from callsheet.cli.show.money import amount

        left = amount(account.available) if account else ""
        out.show(f"Granted {amount(posting.amount)} to {tenant}; {left} is available.")


def show(
    tenant: Annotated[
        str | None, typer.Argument(metavar="[TENANT]", help="Whose account; by default all.")
    ] = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Show the balances of accounts."""
    with Output(as_json=as_json) as out:
        found = asyncio.run(_accounts(home, tenant))
        if as_json:
            out.data([account.to_json() for account in found])
        elif not found:
            out.remark("There are no accounts yet: no tenant has a limit.")
        else:
            from callsheet.cli.show.money import accounts_table

            out.show(accounts_table(found))


async def _accounts(home: Place, tenant: str | None) -> list[Account]:
    async with looking(home) as engine:
        if tenant is None:
            return list(await engine.ledger.accounts())
        account = await engine.ledger.account(tenant)
    if account is None:
        raise InputError(
            f"Tenant {tenant!r} has no account. `callsheet ledger show` lists those there are."
        )
    return [account]


def statement(
    tenant: _Tenant,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="From this date on, such as 2026-05-01.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Up to this date, such as 2026-06-01.")
    ] = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Show an account line by line, with its balances."""
    with Output(as_json=as_json) as out:
        first, last = _moment("--since", since), _moment("--until", until)
        found = asyncio.run(_statement(home, tenant, first, last))
        if as_json:
            out.data(found.to_json())
            return
        from callsheet.cli.show.money import statement_table

        out.show(statement_table(found))


async def _statement(
    home: Place, tenant: str, since: datetime | None, until: datetime | None
) -> Statement:
    async with looking(home) as engine:
        return await engine.ledger.statement(tenant, since, until)


def _moment(option: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        # Without a zone it is meant as the clock on the wall here says.
        return datetime.fromisoformat(text).astimezone()
    except ValueError as exc:
        raise InputError(
            f"{option} {text!r} is not a date. Write it as in 2026-05-01 or 2026-05-01T12:30."
        ) from exc

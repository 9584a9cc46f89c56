"""The account of a tenant: where it stands, and line by line."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from callsheet.serve.http.route import caller_of, needs, service_of
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import answers
from callsheet.serve.routes.models import AccountTold, GrantBody, PostingTold, StatementTold
from callsheet.serve.routes.shared import routes_of, tenant_of, told

routes = routes_of("ledger")
_NOTHING = {"usd": 0.0, "credits": 0.0, "tokens": 0}
_FIVE = {**_NOTHING, "usd": 5.0}
ACCOUNT = {
    "tenant": "acme",
    "granted": _FIVE,
    "available": _FIVE,
    "reserved": _NOTHING,
    "spent": _NOTHING,
}
POSTING = {
    "number": 1,
    "tenant": "acme",
    "at": "2026-11-18T05:05:15.369968Z",
    "kind": "grant",
    "amount": _FIVE,
    "run": None,
    "note": "",
    "by": "ada",
}
STATEMENT = {
    "tenant": "acme",
    "since": None,
    "until": None,
    "opening": {**ACCOUNT, "granted": _NOTHING, "available": _NOTHING},
    "postings": [POSTING],
    "closing": ACCOUNT,
}
COLUMNS = ("number", "at", "kind", "usd", "credits", "tokens", "run", "note", "by")
CSV = "text/csv"


@routes.get("/ledger", responses=answers(AccountTold, ACCOUNT))
@needs("ledger:read")
async def account(request: Request) -> Response:
    """Where the account stands; 404: there is none, and nothing is limited."""
    found = await tenant_of(request).ledger.account()
    if found is None:
        raise Refusal(404, "unknown_account", "There is no account: nothing is limited.")
    return told(found.to_json())


def _statement() -> dict[int | str, dict[str, Any]]:
    found = answers(StatementTold, STATEMENT)
    found[200]["content"][CSV] = {
        "schema": {"type": "string"},
        "example": f"{','.join(COLUMNS)}\n1,2026-11-18T05:05:15Z,grant,5.0,0.0,0,,,ada\n",
    }
    return found


@routes.get("/ledger/statement", responses=_statement())
@needs("ledger:read")
async def statement(
    request: Request,
    since: Annotated[datetime | None, Query(alias="from", description="From when on.")] = None,
    until: Annotated[datetime | None, Query(alias="to", description="Before when.")] = None,
    form: Annotated[Literal["json", "csv"] | None, Query(alias="format")] = None,
) -> Response:
    """The account line by line: where it stood, what was posted, where it stands."""
    for name, at in (("from", since), ("to", until)):
        if at is not None and at.tzinfo is None:
            raise Refusal(422, "request", f"query.{name}: say the zone, as in 2026-11-18T00:00Z.")
    ledger = tenant_of(request).ledger
    if await ledger.account() is None:
        raise Refusal(404, "unknown_account", "There is no account: nothing is limited.")
    found = (await ledger.statement(since, until)).to_json()
    is_csv = form == "csv" or (form is None and CSV in request.headers.get("accept", ""))
    return Response(_csv(found), media_type=CSV) if is_csv else told(found)


def _csv(statement: Any) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for line in statement["postings"]:
        plain = {**line, **line["amount"]}
        writer.writerow([_cell(plain[column]) for column in COLUMNS])
    return text.getvalue()


def _cell(found: object) -> object:
    """What a spreadsheet shows, and does not run."""
    if isinstance(found, str) and found.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{found}"
    return found


@routes.post(
    "/ledger/grants",
    status_code=201,
    responses=answers(PostingTold, POSTING, 409, 415, 507, status=201, what="It is granted"),
)
@needs("admin")
async def grant(request: Request, body: GrantBody) -> Response:
    """Add to a tenant's account; creates it if there is none.

    Only who has the key of the home may: a tenant's own administrator spends, and grants nothing.
    """
    if not caller_of(request).machine:
        raise Refusal(403, "tenant", "The key of the home grants, and no tenant's own key.")
    if not (body.usd or body.credits or body.tokens):
        raise Refusal(422, "request", "body: say how much is granted: usd, credits or tokens.")
    posting = await service_of(request).engine.ledger.grant(
        body.tenant,
        usd=body.usd,
        credits=body.credits,
        tokens=body.tokens,
        note=body.note,
        by=caller_of(request).name,
        key=request.headers.get("idempotency-key"),
    )
    return told(posting.to_json(), 201)

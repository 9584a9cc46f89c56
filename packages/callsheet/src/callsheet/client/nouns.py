"""What a tenant has at a service, besides runs: plans, context, artifacts, an account, tools."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from callsheet.client.connection import Connection, named
from callsheet.core.index.context import ContextItem
from callsheet.core.index.ledger import Account, Posting
from callsheet.core.plan.artifact import Artifact, is_digest
from callsheet.core.plan.read import read_plan
from callsheet.core.plan.saved import SavedPlan
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.engine.artifacts import ListedArtifact
from callsheet.engine.ledger import Statement
from callsheet.errors import InputError, UnknownArtifactError
from callsheet.insight.lineage import LineageGraph
from callsheet.runtime.context import media_type_of, name_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from callsheet.core.plan.plan import Plan
    from callsheet.core.value import Json
    from callsheet.insight.lineage import Direction

PAGE = 500


class Noun:
    """Something that is asked of a service."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def _listed(
        self, *path: str, most: int | None = None, **asked: object
    ) -> list[dict[str, Any]]:
        """All of a list, or at least `most` of it."""
        found: list[dict[str, Any]] = []
        cursor = None
        while True:
            page = await self._connection.get(named(*path), **asked, limit=PAGE, cursor=cursor)
            found += page["items"]
            cursor = page["next"]
            if cursor is None or (most is not None and len(found) >= most):
                return found


class ClientPlans(Noun):
    """Saved plans."""

    async def save(self, plan: Plan, *, key: str | None = None) -> SavedPlan:
        """Save a plan under its name, as a new version if its content is new."""
        headers = {} if key is None else {"Idempotency-Key": key}
        answer = await self._connection.ask(
            "POST", "/api/plans", body={"plan": plan.to_json()}, headers=headers
        )
        return _saved(answer.json(), plan)

    async def get(self, name: str, version: int | None = None) -> SavedPlan:
        """A version, or the newest."""
        told = await self._connection.get(named("plans", f"{name}@{version}" if version else name))
        return _saved(told, read_plan({"callsheet": 1, **told["plan"]}))

    async def list(self) -> Sequence[SavedPlan]:
        """The newest version of each."""
        return [await self.get(each["name"]) for each in await self._listed("plans")]

    async def versions(self, name: str) -> Sequence[SavedPlan]:
        """All versions of one, oldest first."""
        listed = await self._listed("plans", name, "versions")
        return [await self.get(name, each["version"]) for each in listed]

    async def delete(self, name: str) -> None:
        """Remove a plan with all its versions."""
        await self._connection.ask("DELETE", named("plans", name))


def _saved(told: dict[str, Any], plan: Plan) -> SavedPlan:
    fields = {name: told[name] for name in ("name", "version", "saved_at")}
    return SavedPlan(
        name=fields["name"],
        version=fields["version"],
        plan=plan,
        saved_at=_moment(fields["saved_at"]),
    )


def _moment(text: str) -> datetime:
    return msgspec.convert(text, datetime)


class ClientContext(Noun):
    """Shared data."""

    async def set(
        self,
        scope: str,
        name: str,
        value: Json,
        *,
        ttl: float | timedelta | None = None,
        after: int | None = None,
    ) -> ContextItem:
        """Store a value as the next version of an item."""
        seconds = ttl.total_seconds() if isinstance(ttl, timedelta) else ttl
        headers = {} if after is None else {"If-Match": f'"{after}"'}
        body = {"value": value} if seconds is None else {"value": value, "ttl": seconds}
        answer = await self._connection.ask(
            "PUT", named("context", scope, name), body=body, headers=headers
        )
        return msgspec.convert(answer.json(), ContextItem)

    async def get(self, scope: str, name: str, version: int | None = None) -> ContextItem | None:
        """A version of an item, or the newest; None: it is not there."""
        try:
            told = await self._connection.get(named("context", scope, name), version=version)
        except InputError:
            return None
        return msgspec.convert(told, ContextItem)

    async def delete(self, scope: str, name: str) -> None:
        """Remove an item with all its versions."""
        await self._connection.ask("DELETE", named("context", scope, name))


class ClientArtifacts(Noun):
    """Bytes by their digest."""

    async def put(
        self, data: bytes | str | Path, *, media_type: str = "", name: str = ""
    ) -> Artifact:
        """Keep bytes, text or a file."""
        name = name_of(data, name)
        kind = media_type or media_type_of(name, is_text=isinstance(data, str))
        content = await asyncio.to_thread(_bytes_of, data)
        answer = await self._connection.ask(
            "POST",
            "/api/artifacts",
            asked={"name": name},
            body=content,
            headers={"Content-Type": kind},
        )
        told = answer.json()
        return Artifact(digest=told["$artifact"], media_type=kind, size=told["size"], name=name)

    async def get(self, artifact: Artifact | str) -> bytes:
        """The bytes, all at once."""
        digest = artifact.digest if isinstance(artifact, Artifact) else artifact
        return (await self._connection.ask("GET", named("artifacts", digest))).content

    async def read(self, artifact: Artifact | str) -> AsyncIterator[bytes]:
        """The bytes, piece by piece."""
        yield await self.get(artifact)

    async def save(self, artifact: Artifact | str, target: str | Path) -> None:
        """Write the bytes to a new file."""
        content = await self.get(artifact)
        await asyncio.to_thread(_write_new, Path(target), content)

    async def find(self, name: str) -> str:
        """The digest that begins like this."""
        if is_digest(name):
            return name
        found = [str(each["digest"]) for each in await self._listed("artifacts")]
        fitting = [digest for digest in found if digest.startswith(name)]
        if len(fitting) != 1:
            what = "Several artifacts begin" if fitting else "No artifact begins"
            raise UnknownArtifactError(f"{what} with {name!r}. `callsheet artifacts` lists them.")
        return fitting[0]

    async def list(self, *, run: str | None = None, limit: int = 50) -> list[ListedArtifact]:
        """What is kept, newest first; or what occurs in a run, in order."""
        found = await self._listed("artifacts", most=limit, run=run)
        return [_listed(each) for each in found[:limit]]

    async def lineage(self, name: str, *, direction: Direction = "both") -> LineageGraph:
        """What an artifact, or all of a run, was made from, and what was made of it."""
        told = await self._connection.get(named("lineage", name), direction=direction)
        return msgspec.convert(told, LineageGraph)


def _listed(told: dict[str, Any]) -> ListedArtifact:
    artifact = Artifact(
        digest=told["digest"],
        media_type=told["media_type"],
        size=told["size"],
        name=told.get("name") or "",
    )
    return ListedArtifact(
        artifact=artifact,
        run=told["run"] or "",
        step=told["step"] or "",
        tool=told["tool"] or "",
        made=bool(told["tool"]),
        used_by=told["used_by"],
        written_at=None if told["written_at"] is None else _moment(told["written_at"]),
    )


def _bytes_of(data: bytes | str | Path) -> bytes:
    if isinstance(data, Path):
        try:
            return data.read_bytes()
        except OSError as exc:
            raise InputError(f"Cannot read {str(data)!r}: {exc.strerror}.") from exc
    return data.encode() if isinstance(data, str) else data


def _write_new(path: Path, content: bytes) -> None:
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError as exc:
        raise InputError(f"{str(path)!r} exists and is not overwritten. Name another.") from exc
    except OSError as exc:
        raise InputError(f"Cannot write {str(path)!r}: {exc.strerror}.") from exc


class ClientLedger(Noun):
    """The account of the tenant."""

    async def account(self, tenant: str | None = None) -> Account | None:
        """Where it stands; None: there is none, or it is another's."""
        try:
            told = await self._connection.get("/api/ledger")
        except InputError as error:
            if error.code != "input":
                raise
            return None
        found = msgspec.convert(told, Account)
        return found if tenant in (None, found.tenant) else None

    async def accounts(self) -> Sequence[Account]:
        """The one account that can be seen."""
        found = await self.account()
        return [] if found is None else [found]

    async def statement(
        self,
        tenant: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Statement:
        """What was posted from `since` on and before `until`."""
        if await self.account(tenant) is None:
            raise InputError(
                f"Tenant {tenant!r} has no account. `callsheet ledger show` lists those there are."
            )
        asked = {"from": since and since.isoformat(), "to": until and until.isoformat()}
        told = await self._connection.get("/api/ledger/statement", **asked)
        return msgspec.convert(told, Statement)

    async def grant(
        self,
        tenant: str,
        *,
        usd: float = 0.0,
        credits: float = 0.0,
        tokens: int = 0,
        note: str = "",
        by: str | None = None,
    ) -> Posting:
        """Put something into a tenant's account."""
        del by  # the key says who
        body = {"tenant": tenant, "usd": usd, "credits": credits, "tokens": tokens, "note": note}
        return msgspec.convert(await self._connection.post("/api/ledger/grants", body), Posting)


class ClientTools(Noun):
    """The tools that plans of the tenant may call."""

    async def specs(self) -> list[ToolSpec]:
        """All of them, by name."""
        return [msgspec.convert(each, ToolSpec) for each in await self._listed("tools")]


class ClientAgents(Noun):
    """The agents that steps of the tenant may ask."""

    async def list(self) -> list[dict[str, Any]]:
        """All of them, by name, as `AgentState.to_json` tells them."""
        return [dict(each) for each in await self._listed("agents")]

"""What whoever uploads something says of it: its type and its name. The bytes know neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.serve.tables.branch import BRANCH
from callsheet.serve.tables.moment import stamp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

    from callsheet.core.plan.artifact import Artifact
    from callsheet.engine.engine import Engine
    from callsheet.ports import Clock

_UNSAID = ("", "application/octet-stream")


class Uploads:
    """Types and names of uploads, each tenant's own; what is said last holds."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._database = engine.database(BRANCH)
        self._clock = clock

    async def note(self, tenant: str, artifact: Artifact) -> None:
        """Keep what was said of an upload."""
        at = stamp(self._clock.now())

        def act(connection: Connection) -> None:
            from callsheet.serve.tables.schema import uploads

            this = (uploads.c.tenant == tenant) & (uploads.c.digest == artifact.digest)
            connection.execute(uploads.delete().where(this))
            connection.execute(
                uploads.insert().values(
                    tenant=tenant,
                    digest=artifact.digest,
                    media_type=artifact.media_type,
                    name=artifact.name,
                    at=at,
                )
            )

        await self._database.write(act)

    async def named(self, tenant: str, artifacts: Iterable[Artifact]) -> list[Artifact]:
        """The same, with type and name where a run does not say them but an upload did."""
        every = list(artifacts)
        bare = [each.digest for each in every if each.media_type in _UNSAID]
        if not bare:
            return every

        def act(connection: Connection) -> dict[str, tuple[str, str]]:
            from callsheet.serve.tables.schema import uploads

            these = (uploads.c.tenant == tenant) & uploads.c.digest.in_(bare)
            found = connection.execute(uploads.select().where(these))
            return {row.digest: (row.media_type, row.name) for row in found}

        said = await self._database.read(act)
        return [_named(each, said.get(each.digest)) for each in every]


def _named(artifact: Artifact, said: tuple[str, str] | None) -> Artifact:
    if said is None or artifact.media_type not in _UNSAID:
        return artifact
    return replace(artifact, media_type=said[0], name=artifact.name or said[1])

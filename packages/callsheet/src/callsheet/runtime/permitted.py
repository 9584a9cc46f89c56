"""The tools that a tenant may use: any other is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.grants import Grants
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.ports import Context, Toolbox


def permitted(toolbox: Toolbox, grants: Grants, tenant: str) -> Toolbox:
    """The tools of a tenant: all of them, unless somebody has said otherwise."""
    return PermittedTools(toolbox, grants, tenant) if tenant in grants.tools else toolbox


class PermittedTools:
    """A toolbox with what one tenant may use, and with the undos of that."""

    def __init__(self, toolbox: Toolbox, grants: Grants, tenant: str) -> None:
        self._toolbox = toolbox
        self._grants = grants
        self._tenant = tenant
        self._undos: set[str] | None = None

    def spec(self, name: str) -> ToolSpec | None:
        """A tool's declaration, or None if there is no such tool for the tenant."""
        if not self._may_use(name) and name not in self._own_undos():
            return None
        return self._toolbox.spec(name)

    def names(self) -> Sequence[str]:
        """All of them, sorted."""
        return [
            name
            for name in self._toolbox.names()
            if self._may_use(name) or name in self._own_undos()
        ]

    async def call(self, name: str, args: dict[str, Json], ctx: Context) -> Json:
        """Call a tool.

        Raises:
            InvalidError: there is no such tool for the tenant; nothing was called.
        """
        if self.spec(name) is None:
            raise InvalidError(f"There is no tool {name!r}.")
        return await self._toolbox.call(name, args, ctx)

    async def close(self) -> None:
        """Nothing: they are others' too."""

    def _may_use(self, name: str) -> bool:
        return self._grants.permits(name, tenant=self._tenant)

    def _own_undos(self) -> set[str]:
        """What takes back what the tenant may do: who may do something may take it back."""
        if self._undos is None:
            specs = (self._toolbox.spec(n) for n in self._toolbox.names() if self._may_use(n))
            self._undos = {spec.undo for spec in specs if spec is not None and spec.undo}
        return self._undos

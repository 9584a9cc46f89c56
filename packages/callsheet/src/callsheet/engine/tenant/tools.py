"""The tools of a tenant, as `Tenant.tools` shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.errors import ToolDefinitionError
from callsheet.runtime.permitted import PermittedTools

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.tools.specs.forms import Form


class TenantTools(PermittedTools):
    """What a tenant may use of the tools of its engine."""

    def specs(
        self, *, form: Form = "openai", names: Iterable[str] | None = None
    ) -> list[dict[str, Json]]:
        """The tools as a model's provider, or MCP, describes them: all, or those of these names.

        `named` says which tool a name in them stands for.

        Raises:
            ToolDefinitionError: there is no such tool or form.
        """
        from callsheet.tools.specs.forms import all_told

        found = [self._described(name) for name in (self.names() if names is None else names)]
        return all_told(found, form)

    def named(self, written: str) -> str:
        """The tool's name behind one that stands in `specs`."""
        from callsheet.tools.specs.wire import plan_name

        return plan_name(written, self.names())

    def _described(self, name: str) -> ToolSpec:
        spec = self.spec(name)
        if spec is None:
            raise ToolDefinitionError(f"There is no tool {name!r}.")
        return spec

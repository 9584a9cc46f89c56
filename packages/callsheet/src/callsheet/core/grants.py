"""What tenants may use: secrets, in calls of which tools and for which hosts; and tools.

Of a secret that nobody speaks of, the tenant `default` is the owner: alone on an engine one need
say nothing, and whoever shares one is given nothing by accident.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

import msgspec

from callsheet.core.run.start import TENANT
from callsheet.errors import DeniedError


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of one secret; a list of tools or hosts that is not there stands for all."""

    tenants: tuple[str, ...] = (TENANT,)
    """Names, or patterns; `*` is everybody."""
    tools: tuple[str, ...] | None = None
    """Names, or patterns as in `http.*`."""
    hosts: tuple[str, ...] | None = None
    """Names, or patterns as in `*.example.com`; then only HTTP tools, or `tools`, are given it."""


_USUAL = Grant()
ANSWER = "model.answer"
CHOOSE = "model.choose"
DRAFT = "model.draft"
"""The tools that ask a model, that choose which, and that have one write a plan: what a tenant has
of models and agents is said of those. The one of an agent has its name behind a dot."""


class Grants(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of all secrets, and of the tools of tenants."""

    secrets: dict[str, Grant] = {}
    tools: dict[str, tuple[str, ...]] = {}
    """The tools that a tenant may use, as names or patterns; who is not here may use all."""
    http: frozenset[str] = frozenset()
    """The tools that keep to the hosts."""
    machine: frozenset[str] = frozenset()
    """The tools that reach the machine itself: its files, its programs, its network."""

    def check(self, name: str, *, tenant: str, tool: str) -> None:
        """Let a secret go into a call.

        Raises:
            DeniedError: it is not for this tenant or this tool.
        """
        grant = self.secrets.get(name, _USUAL)
        if not _matches(tenant, grant.tenants):
            raise DeniedError(
                f"The secret {name} is not granted to the tenant {tenant!r}. Whoever runs the "
                f"engine can grant it: [secrets.{name}] tenants = [{tenant!r}]."
            )
        is_named = grant.tools is not None and _matches(tool, grant.tools)
        if grant.tools is not None and not is_named:
            raise DeniedError(f"The secret {name} is not granted to the tool {tool}.")
        if grant.hosts is not None and tool not in self.http and not is_named:
            raise DeniedError(
                f"The secret {name} is granted for some hosts alone, and {tool} is no tool that "
                f"keeps to them."
            )

    def permits(self, tool: str, *, tenant: str) -> bool:
        """Whether a tenant may use a tool."""
        patterns = self.tools.get(tenant)
        if patterns is None or tool in (ANSWER, CHOOSE, DRAFT) or tool.startswith(f"{ANSWER}."):
            return True
        return _matches(tool, patterns)

    def allows(self, name: str, host: str) -> bool:
        """Whether a secret may go to a host."""
        grant = self.secrets.get(name, _USUAL)
        return grant.hosts is None or _matches(host.rstrip(".").lower(), grant.hosts)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, each) for each in patterns)

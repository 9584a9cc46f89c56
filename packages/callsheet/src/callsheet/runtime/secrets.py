"""Secrets: given to a tool at the call, and never written down.

Where `${secrets.NAME}` stands, the journal has just that text, and so has everything that the tool
says back with the secret in it. The call itself is resolved again, from the plan: text that merely
looks like a reference, in the output of some other tool, stays text.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from callsheet.core.grants import Grants
from callsheet.core.problem import spell
from callsheet.core.spellings import SHORTEST, looks_of
from callsheet.errors import DeniedError, InvalidError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from callsheet.core.problem import Place
    from callsheet.core.refs.references import Prepared
    from callsheet.core.value import Json
    from callsheet.ports import Secrets

PREFIX = "CALLSHEET_SECRET_"


class EnvironmentSecrets:
    """`ports.Secrets` from environment variables: `CALLSHEET_SECRET_NAME`."""

    def get(self, name: str) -> str | None:
        """The secret, or None if nobody has set it."""
        # Set to nothing is not set: a shell does that with a variable it does not know.
        return os.environ.get(PREFIX + name) or None


class GivenSecrets:
    """`ports.Secrets` from a mapping, then from the environment."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = dict(given)
        self._environment = EnvironmentSecrets()

    def get(self, name: str) -> str | None:
        """The secret, or None if nobody has set it."""
        found = self._given.get(name)
        return self._environment.get(name) if found is None else found


def secrets_of(given: Mapping[str, str] | Secrets | None) -> Secrets:
    """The secrets that an engine was given, or those of the environment."""
    if given is None:
        return EnvironmentSecrets()
    return GivenSecrets(given) if isinstance(given, Mapping) else given


def names_as_values(names: Iterable[str]) -> dict[str, Json]:
    """What stands for secrets in everything that is written down."""
    return {name: f"${{secrets.{name}}}" for name in names}


def put_in(written: Json, template: Prepared, secrets: Mapping[str, str]) -> Json:
    """Arguments as they were written down, with the secrets where the template has them.

    Only there: text that merely looks like a reference stays text.

    Raises:
        InvalidError: it cannot be told where in a text the secret stands.
    """
    names: dict[Place, list[str]] = {}
    for reference in template.references:
        for way in reference.parsed.paths:
            if way[0] == "secrets":
                names.setdefault(reference.place, []).append(str(way[1]))
    return _put_in(written, (), names, secrets) if names else written


def _put_in(
    written: Json, place: Place, names: Mapping[Place, list[str]], secrets: Mapping[str, str]
) -> Json:
    if isinstance(written, dict):
        return {key: _put_in(each, (*place, key), names, secrets) for key, each in written.items()}
    if isinstance(written, list):
        return [
            _put_in(each, (*place, index), names, secrets) for index, each in enumerate(written)
        ]
    if place not in names or not isinstance(written, str):
        return written
    for name, shown in names_as_values(dict.fromkeys(names[place])).items():
        if written.count(str(shown)) != names[place].count(name):
            raise InvalidError(
                f"{spell(place)}: what it refers to has changed, and it cannot be told any more "
                f"where in the text the secret {name!r} stands."
            )
    for name in dict.fromkeys(names[place]):
        written = written.replace(f"${{secrets.{name}}}", secrets[name])
    return written


class Revealed(dict[str, str]):
    """The secrets of one call, by name; a call is told no more of them than `ports` says."""

    __slots__ = ("_grants", "_looks")

    def __init__(self, secrets: Mapping[str, str], grants: Grants) -> None:
        super().__init__(secrets)
        self._grants = grants
        self._looks: list[tuple[str, str]] | None = None

    def in_text(self, text: str) -> str | None:
        """The name of a secret that stands in a text; a very short one must be all of it."""
        return next((name for name, secret in self.items() if _stands_in(secret, text)), None)

    def kept_from(self, host: str) -> str | None:
        """The name of a secret that must not be sent to a host."""
        return next((name for name in self if not self._grants.allows(name, host)), None)

    @property
    def looks(self) -> list[tuple[str, str]]:
        """How the secrets may stand in what a tool says, and their names, the longest first."""
        if self._looks is None:
            self._looks = looks_of(self)
        return self._looks


NOT_ANY = Revealed({}, Grants())


class Vault:
    """The secrets that one run's calls may be given."""

    def __init__(
        self,
        secrets: Secrets,
        grants: Grants,
        tenant: str,
        only: Collection[str] | None = None,
    ) -> None:
        """`only`: those that were offered where the run came in; None: all that are granted."""
        self._secrets = secrets
        self._only = only
        self._grants = grants
        self._tenant = tenant
        self._given: dict[tuple[tuple[str, str], ...], Revealed] = {}
        """How they may look is worked out once, not for every step."""

    def reveal(self, names: Iterable[str], tool: str) -> Revealed:
        """The secrets themselves, for a call of a tool.

        Raises:
            DeniedError: some are not granted, or not set; nothing was called.
        """
        wanted = tuple(names)
        if not wanted:
            return NOT_ANY
        for name in wanted:
            if self._only is not None and name not in self._only:
                raise DeniedError(
                    f"The secret {name} is not for this run: the door that it came in by does not "
                    "offer it."
                )
            self._grants.check(name, tenant=self._tenant, tool=tool)
        found = {name: self._secrets.get(name) for name in wanted}
        missing = [name for name, secret in found.items() if secret is None]
        if missing:
            variables = ", ".join(PREFIX + name for name in missing)
            raise DeniedError(f"Secrets are not set: {', '.join(missing)}. Set {variables}.")
        known = {name: secret for name, secret in found.items() if secret is not None}
        return self._given.setdefault(tuple(known.items()), Revealed(known, self._grants))


def _stands_in(secret: str, text: str) -> bool:
    return secret in text if len(secret) >= SHORTEST else secret == text


def hide(text: str, secrets: Mapping[str, str]) -> str:
    """A text with the names of secrets where they stood themselves."""
    for look, name in secrets.looks if isinstance(secrets, Revealed) else looks_of(secrets):
        if look in text:
            text = text.replace(look, f"${{secrets.{name}}}")
    return text


def hide_in(value: Json, secrets: Mapping[str, str]) -> Json:
    """A value with the names of secrets where they stood themselves."""
    if isinstance(value, str):
        return hide(value, secrets)
    if isinstance(value, list):
        return [hide_in(item, secrets) for item in value]
    if isinstance(value, dict):
        return {hide(key, secrets): hide_in(item, secrets) for key, item in value.items()}
    return value

"""The models there are, by the names that they are asked for with: who may have which, and how."""

from __future__ import annotations

import difflib
import hashlib
import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.agents.model import OFFLINE
from callsheet.agents.money import Price, ceiling_after, known_price
from callsheet.agents.provider.services import KEYS, NO_KEY, must_be_installed
from callsheet.core.run.start import TENANT
from callsheet.errors import DeniedError, InputError
from callsheet.tools.modeltables import ModelTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.agents.model import Model
    from callsheet.core.grants import Grants
    from callsheet.core.plan.plan import Cost
    from callsheet.core.value import Json
    from callsheet.ports import Secrets

RECORDED = "recorded"
MAX_TOKENS = 8192
"""Of an answer, thinking included, unless the configuration says otherwise."""
ANSWER = "model.answer"
"""The tool that every answer is a call of."""
ASK = "model.ask"
"""The tool that asks a model once."""


class Models:
    """Finds models, holds their connections, knows what they cost."""

    def __init__(
        self,
        tables: Mapping[str, ModelTable],
        tenants: Mapping[str, tuple[str, ...]],
        secrets: Secrets,
        grants: Grants,
    ) -> None:
        self._tables = tables
        self._tenants = tenants
        self._secrets = secrets
        self._grants = grants
        self._own: dict[str, Model] = {}
        self._open: dict[tuple[str, str], Model] = {}
        self._prices: dict[str, Price | None] = {}

    def add(self, name: str, model: Model, *, price: Price | None = None) -> None:
        """Offer a model of one's own under a name; without a price it costs nothing.

        Raises:
            InputError: there is one of that name.
        """
        if name in self._own or name in self._tables:
            raise InputError(f"There is a model {name!r} already.")
        self._own[name] = model
        self._prices[name] = price or Price(input=0.0, output=0.0)

    def usual(self, tenant: str = TENANT) -> str:
        """The model of who names none: the first of the configuration that is the tenant's."""
        return next((name for name in self._tables if self._has(name, tenant)), OFFLINE)

    def is_file(self, name: str, tenant: str = TENANT) -> bool:
        """Whether a name is that of a file here, which nobody has named for this tenant."""
        is_named = self.are_named(tenant) or name in self._own or name in self._tables
        return not is_named and name.partition(":")[0] == RECORDED

    def are_named(self, tenant: str) -> bool:
        """Whether the configuration says which models a tenant has, and none but those."""
        return tenant in self._tenants

    def _has(self, name: str, tenant: str) -> bool:
        patterns = self._tenants.get(tenant)
        if patterns is None:
            return tenant == TENANT
        return any(fnmatchcase(name, each) for each in patterns)

    def check(self, name: str, tenant: str = TENANT) -> None:
        """Refuse a name that stands for no model, or one that a tenant does not have.

        Raises:
            InputError: says what there is.
        """
        if not self._has(name, tenant):
            raise InputError(
                f"The tenant {tenant!r} does not have the model {name!r}. Whoever runs the engine "
                f'can give it: [tenants.{tenant}] models = ["{name}"].'
            )
        if self.find(name):
            must_be_installed()

    def find(self, name: str) -> bool:
        """Refuse a name that stands for no model; returns whether a provider's is behind it.

        Raises:
            InputError: says what there is.
        """
        if name in self._own or name == OFFLINE:
            return False
        service, colon, model = self._table(name).model.partition(":")
        if service == RECORDED and model:
            return False
        if not (colon and model and service in KEYS):
            raise InputError(self._unknown(name))
        return True

    def _unknown(self, name: str) -> str:
        named = sorted((*self._tables, *self._own))
        near = difflib.get_close_matches(name, named, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        known = ", ".join(
            (*named, *(f"{service}:MODEL" for service in KEYS), "recorded:FILE", OFFLINE)
        )
        return f"There is no model {name!r}.{hint} There are {known}."

    def _table(self, name: str) -> ModelTable:
        return self._tables.get(name) or ModelTable(model=name)

    def provider(self, name: str) -> str:
        """The provider behind a name: thoughts go back to the one they came from."""
        return self._table(name).model.partition(":")[0]

    def settings(
        self, name: str, run: str, step: str, *, max_tokens: int | None = None
    ) -> dict[str, Json]:
        """What a model is told in an answer: what the configuration says, over what is usual."""
        seed = int.from_bytes(hashlib.sha256(f"{run}\n{step}".encode()).digest()[:4], "big") >> 1
        usual: dict[str, Json] = {
            "temperature": 0,
            "seed": seed,
            "max_tokens": max_tokens or MAX_TOKENS,
        }
        return {**usual, **self._table(name).settings}

    def most(self, name: str, usual: int = MAX_TOKENS) -> int:
        """How many tokens an answer may have; `usual`, unless the configuration says it."""
        said = self._table(name).settings.get("max_tokens", usual)
        return said if isinstance(said, int) else usual

    def ceiling(self, name: str, *, characters: int, max_tokens: int = MAX_TOKENS) -> Cost:
        """What `model.ask` may cost at most, with so many characters of question and schema.

        The `ceiling` of its step: without a price that is known, its tokens alone.
        """
        return ceiling_after(0, characters, self.price(name), self.most(name, max_tokens))

    def price(self, name: str) -> Price | None:
        """What a model costs: as the configuration says, or as is known; None: nobody knows."""
        if name not in self._prices:
            self._prices[name] = self._priced(name)
        return self._prices[name]

    def _priced(self, name: str) -> Price | None:
        if name == OFFLINE:
            return Price(input=0.0, output=0.0)
        table = self._table(name)
        if table.price is not None:
            return Price(**table.price)
        service, _, model = table.model.partition(":")
        # What is on a tape has been paid for.
        return Price(input=0.0, output=0.0) if service == RECORDED else known_price(service, model)

    def open(self, name: str, tenant: str = TENANT) -> Model:
        """A model, ready to be asked.

        Raises:
            InputError: there is none of that name, or not for this tenant.
            DeniedError: there is no key for it.
        """
        self.check(name, tenant)
        if name == OFFLINE and name not in self._own:
            from callsheet.agents.offline.model import OfflineModel

            self._own[name] = OfflineModel()
        if name in self._own:
            return self._own[name]
        table = self._table(name)
        service, _, model = table.model.partition(":")
        key = "" if service == RECORDED else self._key(table, service, tenant)
        found = self._open.get((name, key))
        if found is None:
            found = self._open[name, key] = _opened(table, service, model, key)
        return found

    def _key(self, table: ModelTable, service: str, tenant: str) -> str:
        name = table.key or KEYS[service]
        # The key is given to whoever it is granted to, as any secret is.
        self._grants.check(name, tenant=tenant, tool=ANSWER)
        key = self._secrets.get(name)
        if key is None and table.key is None:
            key = os.environ.get(name) or (NO_KEY if table.base_url else None)
        if key is None:
            also = "" if table.key else f" {name} or"
            raise DeniedError(
                f"There is no key for {table.model}: set{also} CALLSHEET_SECRET_{name}."
            )
        return key

    async def close(self) -> None:
        """Let go of all connections."""
        while self._open:
            _, model = self._open.popitem()
            await model.close()


class OwnModels:
    """The models that a tenant has."""

    def __init__(self, models: Models, tenant: str, *, reach: bool) -> None:
        """`reach`: whether they may name files of this machine."""
        self._models = models
        self._tenant = tenant
        self._reach = reach

    def open(self, name: str) -> Model:
        """A model, ready to be asked.

        Raises:
            InputError: there is none of that name, or the tenant does not have it.
            DeniedError: there is no key for it.
        """
        if not self._reach and self._models.is_file(name, self._tenant):
            raise InputError(
                f"{name!r} is a file of the machine that this is asked of. Name another model."
            )
        return self._models.open(name, self._tenant)

    def price(self, name: str) -> Price | None:
        """As `Models.price`."""
        return self._models.price(name)

    def ceiling(self, name: str, *, characters: int, max_tokens: int = MAX_TOKENS) -> Cost:
        """As `Models.ceiling`."""
        return self._models.ceiling(name, characters=characters, max_tokens=max_tokens)


def _opened(table: ModelTable, service: str, model: str, key: str) -> Model:
    found: Model
    if service == RECORDED:
        from callsheet.agents.recorded import RecordedModel

        found = RecordedModel(Path(model))
    else:
        from callsheet.agents.provider.adapter import ProviderModel

        found = ProviderModel(service, model, key=key, base_url=table.base_url)
    if table.record is not None:
        from callsheet.agents.recorded import RecordingModel

        found = RecordingModel(found, table.record)
    return found

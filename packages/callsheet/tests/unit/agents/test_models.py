"""Models by name: which there are, who has them, what they cost, and with which key."""

from __future__ import annotations

import pytest

from callsheet.agents.message import UserMessage
from callsheet.agents.model import Request, Usage
from callsheet.agents.models import MAX_TOKENS, Models
from callsheet.agents.money import Price, ceiling_of, cost_of, estimated, known_price
from callsheet.core.grants import Grant, Grants
from callsheet.errors import ConfigurationError, DeniedError, InputError
from callsheet.runtime.secrets import GivenSecrets
from callsheet.testing.models import ScriptedModel
from callsheet.tools.configuration import configuration_of
from callsheet.tools.modeltables import ModelTable

WRITER = ModelTable(
    model="anthropic:claude-sonnet-5",
    key="ANTHROPIC",
    settings={"temperature": 0.5, "max_tokens": 100},
    price={"input": 3.0, "output": 15.0},
)


def models(**given: str) -> Models:
    grants = Grants(secrets={"ANTHROPIC": Grant(tenants=("default", "acme"))})
    return Models({"writer": WRITER}, {"acme": ("writer",)}, GivenSecrets(given), grants)


def test_names_are_tables_providers_and_tapes_and_nothing_else() -> None:
    found = models()
    for name in ("writer", "openai:gpt-5", "google:gemini-3", "recorded:tape.jsonl"):
        found.check(name)
    for name in ("test", "gpt-5", "bedrock:x", "openai:", "function", "test:x"):
        with pytest.raises(InputError, match="There is no model"):
            found.check(name)
    with pytest.raises(InputError, match="Did you mean 'writer'"):
        found.check("writter")


def test_a_tenant_has_the_models_that_it_is_given() -> None:
    found = models()
    found.check("writer", "acme")
    for tenant in ("acme", "other"):
        with pytest.raises(InputError, match=rf"\[tenants.{tenant}\] models"):
            found.check("openai:gpt-5", tenant)


def test_without_a_key_it_is_said_which_variable_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(DeniedError, match="OPENAI_API_KEY or CALLSHEET_SECRET_OPENAI_API_KEY"):
        models().open("openai:gpt-5")
    with pytest.raises(DeniedError, match="set CALLSHEET_SECRET_ANTHROPIC"):
        models().open("writer")


def test_a_key_goes_to_those_it_is_granted_to() -> None:
    grants = Grants(secrets={"ANTHROPIC": Grant(tenants=("default",))})
    found = Models({"writer": WRITER}, {"acme": ("*",)}, GivenSecrets({"ANTHROPIC": "k"}), grants)
    with pytest.raises(DeniedError, match="not granted to the tenant 'acme'"):
        found.open("writer", "acme")


def test_settings_are_what_is_configured_over_what_is_usual() -> None:
    found = models()
    assert found.settings("writer", "r1", "a1")["max_tokens"] == 100
    usual = found.settings("openai:gpt-5", "r1", "a1")
    assert usual["temperature"] == 0
    assert usual["max_tokens"] == MAX_TOKENS
    assert "top_p" not in usual
    assert usual["seed"] == found.settings("openai:gpt-5", "r1", "a1")["seed"]
    assert usual["seed"] != found.settings("openai:gpt-5", "r1", "a2")["seed"]


# The price list takes its time to load.
@pytest.mark.slow
def test_prices_are_configured_or_known_or_nobodys() -> None:
    found = models()
    assert found.price("writer") == Price(input=3.0, output=15.0)
    known = known_price("openai", "gpt-4o")
    assert known is not None
    assert 0 < known.input < known.output
    assert found.price("openai:gpt-4o") == known
    assert found.price("openai:never-heard-of") is None
    found.add("mine", ScriptedModel())
    assert found.price("mine") == found.price("recorded:x") == Price(input=0.0, output=0.0)


def test_money_adds_up() -> None:
    price = Price(input=3.0, output=15.0, cached=0.3)
    assert cost_of(Usage(input=1_000_000, output=100_000), price).usd == 4.5
    assert cost_of(Usage(input=1_000_000, cached=1_000_000), price).usd == 0.3
    request = Request(model="m", messages=(UserMessage(text="x" * 4000),))
    cut = estimated(request, ["y" * 400])
    assert cut.estimated
    assert 1000 <= cut.input < 1200
    assert cut.output == 100
    most = ceiling_of(request, price, 50)
    assert most.tokens >= 2 * 1000 + 50
    assert most.usd > cost_of(cut, price).usd


def test_a_configuration_of_models_is_read() -> None:
    said = configuration_of(
        {
            "models": {
                "writer": {
                    "model": "anthropic:claude-sonnet-5",
                    "base_url": "http://127.0.0.1:8080",
                    "key": "${secrets.ANTHROPIC}",
                    "settings": {"temperature": 0, "max_tokens": 8192},
                    "price": {"input": 3.0, "output": 15},
                }
            },
            "turns": {"budget": {"usd": 1.0}, "limits": {"turn": "3m", "rounds": 5}},
            "tenants": {"acme": {"models": ["writer"]}},
        }
    )
    assert said.models["writer"].key == "ANTHROPIC"
    assert said.turns.budget is not None
    assert said.turns.budget.usd == 1.0
    assert said.turns.limits == {"turn": 180.0, "rounds": 5}
    assert said.tenant_models == {"acme": ("writer",)}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({}, "model"),
        ({"model": "gpt-5"}, "a provider and a model"),
        ({"model": "openai:x", "key": "sk-123"}, "never be the key itself"),
        ({"model": "openai:x", "base_url": "nowhere"}, "address of a server"),
        ({"model": "openai:x", "settings": {"temprature": 1}}, "has no temprature"),
        ({"model": "openai:x", "settings": {"max_tokens": 0}}, "max_tokens"),
        ({"model": "openai:x", "price": {"input": 3}}, "input and output"),
        ({"model": "openai:x", "price": {"input": -3, "output": 1}}, "number of USD"),
        ({"model": "openai:x", "modle": "y"}, "modle"),
    ],
)
def test_what_is_wrong_in_a_table_is_said(table: dict[str, object], words: str) -> None:
    said = configuration_of({"models": {"writer": table}})  # type: ignore[dict-item]
    with pytest.raises(ConfigurationError, match=words):
        said.applied([], said.network)

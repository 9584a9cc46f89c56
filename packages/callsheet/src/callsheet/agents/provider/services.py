"""The services there are: how each is reached. Each is imported when it is first used."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from callsheet.errors import InputError

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model as TheirModel

KEYS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
    "openai": "OPENAI_API_KEY",
}
"""The services, and the environment's name for the key of each."""
NO_KEY = "none"
"""What a server of one's own is given where it wants no key: the libraries insist on one."""
EXTRA = "Models need a further package: pip install 'callsheet[models]'"


def must_be_installed() -> None:
    """Refuse to go on without the library.

    Raises:
        InputError: says how to install it.
    """
    # Not imported: that takes a second, and whoever lacks a key need not wait for it.
    if find_spec("pydantic_ai") is None:
        raise InputError(EXTRA)


def model_of(
    service: str, model: str, *, key: str, base_url: str | None, client: httpx2.AsyncClient
) -> TheirModel[Any]:
    """A model of a service, reached through this client."""
    match service:
        case "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            return AnthropicModel(
                model,
                provider=AnthropicProvider(api_key=key, base_url=base_url, http_client=client),
            )
        case "google":
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleModel(
                model, provider=GoogleProvider(api_key=key, base_url=base_url, http_client=client)
            )
        case "openai":
            from pydantic_ai.models.openai import OpenAIChatModel
            from pydantic_ai.providers.openai import OpenAIProvider

            return OpenAIChatModel(
                model,
                provider=OpenAIProvider(base_url=base_url, api_key=key, http_client=client),
            )
        case _:
            known = ", ".join(f"{name}:…" for name in KEYS)
            raise InputError(f"There is no provider {service!r}. There are {known}.")

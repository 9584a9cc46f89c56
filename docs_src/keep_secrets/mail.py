from callsheet import tool
from callsheet.errors import DeniedError


@tool(effect="write", idempotent=True)
async def send(to: str, token: str) -> str:
    """Send a letter."""
    if len(token) < 8:
        raise DeniedError(f"The token {token} is not one of ours.")
    return f"sent to {to}, with {token}"

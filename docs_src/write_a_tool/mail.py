from callsheet import tool
from callsheet.errors import (
    DeniedError,
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    TransientError,
)


async def post(address: str) -> int:
    """Stands for a call of a mail service; returns its status."""
    return int(address) if address.isdigit() else 200


@tool("mail.send", effect="write")
async def send(address: str) -> str:
    """Send a mail, and say what became of it in words that the engine understands."""
    status = await post(address)
    if status == 400:
        raise InvalidError(f"{address!r} is no address")
    if status == 403:
        raise DeniedError("this account may not send")
    if status == 410:
        raise FatalError("the mailbox was closed")
    if status == 429:
        raise RateLimitedError("too many mails", retry_after=0.2)
    if status == 503:
        raise NotDoneError("the server is down for maintenance")
    if status >= 500:
        raise TransientError(f"the server says {status}")
    return "sent"

from pathlib import Path

from callsheet import tool

STATEMENT = Path("statement.txt")


def pay(line: str) -> None:
    with STATEMENT.open("a", encoding="utf-8") as statement:
        statement.write(f"{line}\n")


@tool("bank.transfer", effect="write")
async def transfer(to: str, amount: float) -> dict[str, str]:
    """Transfer money. The bank knows no keys: called twice, it pays twice."""
    pay(f"{amount} to {to}")
    if to == "Ada":
        raise ConnectionResetError("the bank hung up")
    return {"receipt": f"{to}-{amount}"}

import asyncio

from callsheet import Engine


async def main() -> None:
    async with Engine.open(".callsheet", drive=False) as engine:
        month = await engine.ledger.statement("acme")
        for line in month.postings:
            print(line.number, line.kind, line.amount.usd)
        print("left:", month.closing.available.usd)


asyncio.run(main())

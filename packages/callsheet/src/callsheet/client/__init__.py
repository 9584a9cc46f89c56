"""A client of the service: the nouns and verbs of `Engine`, over HTTP.

async with Client("http://127.0.0.1:8400", key) as client:
    run = await client.start({"steps": [...]})
    result = await run.wait()
"""

from callsheet.lazy import door

__getattr__, __all__ = door(__name__, __file__)

"""The reference of the studio's routes: `python -m tests.serve.production_page` makes it anew."""

from __future__ import annotations

import asyncio

from tests.serve.rest_page import PAGE as REST
from tests.serve.rest_page import page_of
from tests.serve.studio_stage import ROUTES

PAGE = REST.with_name("rest-production.md")
HEAD = """# Reference: REST of the studio

What `callsheet-studio` adds to a [service](../how-to/serve.md) where it is installed: from a brief
to a film. Made from the OpenAPI document, which has an example of every body and every answer.
Keys, errors, lists and `Idempotency-Key` are those of [every route](rest.md).

Every stage is a run: it is watched, cancelled, undone and paid for as any other, under
`/api/runs/{run}`. An answer that takes longer than 50 s is 202 and names the run. A brief is an
object as in [the reference](brief.md), or a text.

```console sketch
$ curl -s http://127.0.0.1:8400/api/production/film -H "$KEY" \\
    -H 'Content-Type: application/json' \\
    -d '{"vrd": "Harbor keeps every berth in view. We need 15 seconds."}'
{"run":"r00t3v8sr47g8vqdsca091m0","state":"running",…}
$ curl -s http://127.0.0.1:8400/api/production/r00t3v8sr47g8vqdsca091m0 -H "$KEY"
{"run":"r00t3v8sr47g8vqdsca091m0","state":"succeeded",…,
 "files":{"film.mp4":{…,"href":"/api/artifacts/…"},…}}
```
"""


async def page() -> str:
    """The page, as it is to be."""
    return await page_of(HEAD, ROUTES, *ROUTES)


if __name__ == "__main__":
    PAGE.write_text(asyncio.run(page()), "utf-8")

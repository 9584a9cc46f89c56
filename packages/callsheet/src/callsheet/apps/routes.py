"""For the routes of apps (entry point `callsheet.routes`): what every route of the service has.

The entry point names a function that returns a router, made with `routes_of`. Each of its routes
says with `needs` which scope it needs, and asks `tenant_of(request)`, which is an engine for
whoever asks and for nobody else. Bodies are a `Body`: whatever is not in it is refused by name.
Errors of the engine become problems by themselves. A route that starts a run does it with `begin`,
and answers with `started`, `answered` or `streamed`.
"""

from callsheet.lazy import door

__getattr__, __all__ = door(__name__, __file__)

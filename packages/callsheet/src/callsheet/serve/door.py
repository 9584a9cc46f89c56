"""What the command line, and whoever embeds the service, needs of it."""

from __future__ import annotations

from callsheet.serve.access.local import local_key
from callsheet.serve.app import application, gated
from callsheet.serve.apps import routes_of_apps
from callsheet.serve.server import Address, Extras, is_local, listening, running, serve
from callsheet.serve.service import Service, Settings
from callsheet.tools.outside.network import Network

__all__ = [
    "Address",
    "Extras",
    "Network",
    "Service",
    "Settings",
    "application",
    "gated",
    "is_local",
    "listening",
    "local_key",
    "routes_of_apps",
    "running",
    "serve",
]

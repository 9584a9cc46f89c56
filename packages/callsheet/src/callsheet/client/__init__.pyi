from callsheet.client.client import Client as Client
from callsheet.client.run import ClientRun as ClientRun

__all__: list[str]

from callsheet.client.client import Client as Client
from callsheet.client.run import ClientRun as ClientRun
from callsheet.client.turns import ClientTurn as ClientTurn

__all__: list[str]

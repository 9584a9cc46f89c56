from callsheet.ports import Branch as Branch
from callsheet.ports import Database as Database
from callsheet.tools.calling.process import workers_ahead as workers_ahead
from callsheet.tools.outside.network import Network as Network

__all__: list[str]

from callsheet.serve.mcp.apps import Brought as Brought
from callsheet.serve.mcp.apps import Prompt as Prompt
from callsheet.serve.mcp.apps import Resource as Resource
from callsheet.serve.mcp.call import Call as Call
from callsheet.serve.mcp.call import Row as Row
from callsheet.serve.mcp.door import Door as Door
from callsheet.serve.mcp.schemas import LONGEST_WAIT as LONGEST_WAIT
from callsheet.serve.mcp.schemas import gives as gives
from callsheet.serve.mcp.schemas import takes as takes
from callsheet.serve.mcp.told import Told as Told
from callsheet.serve.mcp.told import link_of as link_of
from callsheet.serve.mcp.view import told_of as told_of
from callsheet.serve.mcp.waiting import waited as waited

__all__: list[str]

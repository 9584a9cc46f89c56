from callsheet import sync as sync
from callsheet.agents.agent import Agent as Agent
from callsheet.agents.agent import Capability as Capability
from callsheet.agents.terms import Limits as Limits
from callsheet.agents.turn import Turn as Turn
from callsheet.core.past.result import Result as Result
from callsheet.core.plan.artifact import Artifact as Artifact
from callsheet.core.plan.plan import (
    Budget as Budget,
)
from callsheet.core.plan.plan import (
    Cost as Cost,
)
from callsheet.core.plan.plan import (
    Plan as Plan,
)
from callsheet.core.plan.plan import (
    Retry as Retry,
)
from callsheet.core.plan.plan import (
    Step as Step,
)
from callsheet.core.plan.plan import (
    Undo as Undo,
)
from callsheet.core.plan.toolspec import Limit as Limit
from callsheet.core.run.step import RunState as RunState
from callsheet.core.run.step import StepState as StepState
from callsheet.engine.engine import Engine as Engine
from callsheet.errors import CallsheetError as CallsheetError
from callsheet.ports import Context as Context
from callsheet.runtime.feed import Event as Event
from callsheet.runtime.feed import Progress as Progress
from callsheet.runtime.feed import Text as Text
from callsheet.runtime.run import Run as Run
from callsheet.tools.blocking import SyncContext as SyncContext
from callsheet.tools.function.declare import Tool as Tool
from callsheet.tools.function.declare import tool as tool
from callsheet.tools.load import load_tools as load_tools
from callsheet.tools.outside.endpoint import http_tool as http_tool
from callsheet.tools.outside.program import program_tool as program_tool
from callsheet.tools.specs.dispatch import tools_from as tools_from

__version__: str
__all__: list[str]

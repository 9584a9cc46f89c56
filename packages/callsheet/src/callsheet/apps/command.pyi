from callsheet.cli.arguments import load_all as load_all
from callsheet.cli.ask import Advice as Advice
from callsheet.cli.attend import Interrupts as Interrupts
from callsheet.cli.attend import Parting as Parting
from callsheet.cli.attend import stay as stay
from callsheet.cli.closing import part as part
from callsheet.cli.home import Where as Where
from callsheet.cli.home import driving as driving
from callsheet.cli.home import looking as looking
from callsheet.cli.interrupt import ends_at_once as ends_at_once
from callsheet.cli.options import DEFAULT_HOME as DEFAULT_HOME
from callsheet.cli.options import AsJson as AsJson
from callsheet.cli.options import Home as Home
from callsheet.cli.output import BAD_INPUT as BAD_INPUT
from callsheet.cli.output import CANCELLED as CANCELLED
from callsheet.cli.output import FAILED as FAILED
from callsheet.cli.output import NOBODY_TO_ASK as NOBODY_TO_ASK
from callsheet.cli.output import Output as Output
from callsheet.cli.place import Place as Place
from callsheet.cli.show.table import duration as duration

__all__: list[str]

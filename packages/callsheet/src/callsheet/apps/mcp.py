"""For what apps bring to agents (entry point `callsheet.mcp`): tools, resources, prompts.

The entry point names a function that returns a `Brought`. A tool is a `Row`: its `do` is given a
`Call`, whose `door.tenant` is an engine for whoever calls, and answers with a `Told`. Errors of the
engine become results by themselves. A tool that starts a run does it with `call.begin`; with
`begins` its answer is a task whose id is the run's.
"""

from callsheet.lazy import door

__getattr__, __all__ = door(__name__, __file__)

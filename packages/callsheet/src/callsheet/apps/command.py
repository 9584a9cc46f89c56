"""For the commands of apps (entry points `callsheet.commands` and `callsheet.closings`).

A command says what it has to say through an `Output`, names a home by the options `Home` and
`AsJson`, opens it with `looking` or `driving`, and stays with a run until it is over with `stay`.
"""

from callsheet.lazy import door

__getattr__, __all__ = door(__name__, __file__)

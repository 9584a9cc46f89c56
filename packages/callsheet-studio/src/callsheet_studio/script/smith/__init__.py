"""ScriptSmith, the offline way: a script of a brief, the same one each time."""

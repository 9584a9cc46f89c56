"""The studio over REST: `production/*` and `research/tools`."""

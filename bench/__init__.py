"""What the engine costs, as ratios to the limit of the machine. `make bench` runs it.

The limit is a bare asyncio program that makes each result durable by group commit into SQLite and
does nothing else (`limit`). Ours is measured through the public door (`ours`), in turns with it.
"""

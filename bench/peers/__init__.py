"""The engines a user would otherwise pick, doing the same work in environments of their own.

`catalog` says which, `environments` installs them, `talk` speaks with their programs, `contest`
measures them in turns with ours, `traced` counts their syncs, `asking` asks what they do when
things go wrong, `report` writes it down. Nothing of theirs is imported here: what stands in
`programs/` runs in their environments.
"""

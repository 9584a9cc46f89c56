"""The studio: from a video brief to script, shot list and production plan.

An ordinary client of the engine: each stage is a tool, a production is a plan.
"""

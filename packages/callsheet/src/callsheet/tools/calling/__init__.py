"""Calling tools that are not async: in threads, and in processes that can be killed."""

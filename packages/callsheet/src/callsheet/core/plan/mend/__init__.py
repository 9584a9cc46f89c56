"""Mending: what was probably meant by a plan that is written as other systems write theirs.

Nothing is accepted that was not before: each guess is a problem with what to write, and a patch
where it is certain. The rest of the plan is then read and checked as if that had been written.
"""

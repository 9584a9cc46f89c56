"""A production: what is asked for, the plan that makes it, what is ordered and what came of it."""

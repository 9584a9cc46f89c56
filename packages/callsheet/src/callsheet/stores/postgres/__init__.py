"""The SQL store on a PostgreSQL server: what is particular to it.

Needs the extra `postgres`; `address` alone can be imported without it.
"""

"""The service: REST and SSE for many tenants. It translates and never decides.

`app.py` puts an application together, `server.py` runs it. What stands between a socket and a route
is in `http/`, who is asking in `access/`, what the service itself keeps in `tables/`; the routes
are in `routes/`, one module a noun. Importing the modules of this package imports FastAPI.
"""

"""What stands between a socket and a route: who may pass, what is read, how it is answered."""

"""Providers: the services that a production plan can order clips, pictures and voices from."""

"""The door: `Engine`, and everything that is put together behind it."""

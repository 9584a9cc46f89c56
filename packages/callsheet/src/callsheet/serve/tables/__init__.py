"""What the service itself keeps, in tables of its own beside the engine's."""

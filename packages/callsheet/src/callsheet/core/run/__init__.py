"""A run as its entries tell it: what has happened, and what should happen next."""

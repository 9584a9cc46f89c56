"""What stores keep beside journals, worked out from the entries alone."""

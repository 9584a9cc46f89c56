"""A script or a shot list that the user has written: taken over without changing a word."""

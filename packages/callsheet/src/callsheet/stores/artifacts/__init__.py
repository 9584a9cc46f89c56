"""Where the bytes of artifacts lie: in a directory, or in a bucket."""

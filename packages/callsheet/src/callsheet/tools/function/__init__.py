"""Tools from Python functions: how they are declared, and what their signatures say."""

"""Rankings between clubs on the command line."""

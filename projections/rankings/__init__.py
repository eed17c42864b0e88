"""Rankings between clubs, computed from what each club publishes."""

"""From the log to the rows: every event reaches every projection once, in order."""

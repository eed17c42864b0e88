"""The read side: rows by natural key, worked out from the log, which can be rebuilt."""

"""The read side: rows by natural key, worked out from the log, dropped and rebuilt at will."""

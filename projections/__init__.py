"""The read side: rows by natural key, computed from the log and rebuilt from it at any time."""

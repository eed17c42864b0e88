"""Speed of the log: its stores, its import, its audit."""

"""Players and pairs of the club after all merges."""

"""People: names and free texts, the only data that can be erased."""

"""People: names and free texts, the only things that can be erased."""

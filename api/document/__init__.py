"""The document of the API: what every key means, how each operation answers, and its page."""

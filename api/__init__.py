"""The outside: HTTP, pages and the command line."""

"""HTTPS of the house: its own authority, and TLS at the port of HTTP."""

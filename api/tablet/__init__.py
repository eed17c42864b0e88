"""The arbiter's tablet."""

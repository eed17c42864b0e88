"""Backups on pages: where they lie, how old they are, and what is in one."""

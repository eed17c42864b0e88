"""The ``guinote`` command."""

"""Handlers of commands: streams are read, an aggregate decides, and all is written at once."""

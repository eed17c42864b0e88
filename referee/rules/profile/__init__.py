"""Profiles: the options that a table plays by, each value with its article."""

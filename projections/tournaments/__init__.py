"""Tournaments: entries, rounds and standings, all of them public."""

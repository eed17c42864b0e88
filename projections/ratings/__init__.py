"""Strength of players and pairs after each day of play."""

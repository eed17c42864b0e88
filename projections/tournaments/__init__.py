"""Tournaments: entries, rounds and standings, as everybody may see them."""

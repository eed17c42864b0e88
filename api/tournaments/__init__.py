"""Tournaments: for everybody, and for their directors."""

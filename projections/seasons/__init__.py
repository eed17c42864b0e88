"""Seasons: points, standings and ratings counted from what was played."""

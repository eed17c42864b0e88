"""Leagues: teams, matches, sanctions, and standings item by item, all of them public."""

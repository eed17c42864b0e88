"""Leagues: teams, matches, sanctions, and standings item by item."""

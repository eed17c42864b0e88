"""Seasons and their evenings."""

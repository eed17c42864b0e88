"""Disputes, their rulings, and the warnings that stand."""

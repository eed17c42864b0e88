"""Fees and prizes of an evening or a season: what it costs, who has paid, who gets what."""

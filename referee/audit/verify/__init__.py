"""Verification: official conclusions on a log, recomputed from its acts."""

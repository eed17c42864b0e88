"""Verification: official conclusions on a log, worked out again from its acts."""

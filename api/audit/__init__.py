"""Proofs of the log, and the page that verifies them."""

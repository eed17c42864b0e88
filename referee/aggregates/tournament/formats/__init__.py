"""Formats of tournaments: brackets, groups, Swiss rounds, and the standings they lead to."""

"""Pairs of the club: typed or pasted as lines, made, named, shown on their list."""

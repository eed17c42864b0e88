"""Profiles: the rules that tables play by, in words."""

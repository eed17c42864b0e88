"""Tournaments between pairs: draws that anybody can verify, formats, standings, corrections.

Pure functions over frozen values: no clock, no chance but from a stated seed. A pair is a string,
whatever the organiser calls it. ``docs/law/tournaments.md`` says how each of it works.
"""

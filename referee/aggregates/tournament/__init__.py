"""Tournaments between pairs: draws that anybody can verify, formats, standings, corrections.

Pure functions over frozen values: no clock, and randomness only from a stated seed. A pair is any
string that the organiser chooses. ``docs/law/tournaments.md`` explains the rules.
"""

"""Leagues of teams: who takes part, the calendar, what came of each match, sanctions."""

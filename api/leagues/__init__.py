"""Leagues of teams: public pages, the organiser's desk, captains with a code, HTTP interface."""

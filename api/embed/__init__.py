"""Pieces of public pages for the club's own site, and a board for a stream."""

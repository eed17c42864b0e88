"""Boards: the public views, on the wall and on a phone."""

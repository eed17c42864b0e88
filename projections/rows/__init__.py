"""Rows of encuentros, partidas and evenings; all rows of a changed stream are written again."""

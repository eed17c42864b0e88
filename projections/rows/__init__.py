"""Rows of encuentros, partidas and evenings, rewritten whole for each stream touched."""

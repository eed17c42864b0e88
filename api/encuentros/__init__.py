"""Encuentros and their partidas: opened, recorded, read, imported and exported."""

"""Scores: of deals and vueltas in a partida, and of partidas and cotos in an encuentro."""

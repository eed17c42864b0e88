"""The replay: a partida step by step."""

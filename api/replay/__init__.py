"""The replay: pages and files that show a partida step by step."""

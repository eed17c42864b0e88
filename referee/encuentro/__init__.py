"""The encuentro: its partidas, its result, its cases. Deciders: commands in, events out."""

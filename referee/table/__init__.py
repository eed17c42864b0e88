"""The reading of a record: the state of a table that the acts of a partida give."""

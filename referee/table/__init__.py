"""The reading of a record: what the acts of a partida mean under the options of its table."""

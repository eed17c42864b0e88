"""The club's players and pairs."""

"""Speed of names, players, seasons and tournaments."""

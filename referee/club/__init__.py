"""The club: players and pairs, evenings, seasons."""

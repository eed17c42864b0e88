"""The club: players and pairs, rules, evenings, seasons."""

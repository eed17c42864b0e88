"""A club made up to look around in: a season, a tournament in its second round, a disputed hand."""

"""The brand of the club: its name, its logo and its colour, on every page."""

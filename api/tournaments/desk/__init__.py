"""The director's desk of a tournament, and the page where pairs enter by themselves."""

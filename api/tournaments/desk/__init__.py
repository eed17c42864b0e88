"""The director's desk of a tournament."""

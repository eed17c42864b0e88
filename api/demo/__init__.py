"""The demonstration: a made-up club with a season, a tournament and a disputed hand."""

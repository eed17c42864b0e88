"""A player across seasons: all that everybody may know of their play, on one page."""

"""Roads to a final: the road in public, the organiser's desk, signed lists of other houses."""

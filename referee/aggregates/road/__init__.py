"""Roads to a final: qualifiers, places by result and by invitation, renunciations, refills."""

"""Roads to a final: qualifiers, places, who renounced and who moved up, all of them public."""

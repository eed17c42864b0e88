"""Results: reported, confirmed by the other side, contested, signed."""

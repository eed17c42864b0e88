"""The season that an evening counts for: looked at before, then changed."""

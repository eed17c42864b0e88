"""The club's own rules, with all their editions."""

"""What the club publishes for rankings: signed results, who agreed, who is known elsewhere."""

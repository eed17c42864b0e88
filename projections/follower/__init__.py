"""The follower: every event of the log reaches every view once, in order."""

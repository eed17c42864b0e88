"""The follower: gives every event of the log to every view, once and in order."""

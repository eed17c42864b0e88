"""Access: who holds which role, and the keys that let people and devices in."""

"""Previews: what a ruling or a correction would change."""

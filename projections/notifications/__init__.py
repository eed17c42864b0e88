"""Notifications: what happened, as other programs are told of it."""

"""Accounts and devices: how somebody gets in."""

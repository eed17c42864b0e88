"""Accounts and devices: sign-in, invitations, pairing."""

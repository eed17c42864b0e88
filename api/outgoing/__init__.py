"""Outgoing connections: to addresses that were checked, within one time limit."""

"""Logs of any size: written in bulk, and measured."""

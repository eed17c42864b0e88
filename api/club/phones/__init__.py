"""Telephones that players agreed to: for the organisers alone, and forgotten by themselves."""

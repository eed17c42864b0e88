"""Tournaments as everybody may see them."""

"""Uploads: files larger than a request, which come in pieces."""

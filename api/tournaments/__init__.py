"""Tournaments: public pages, files to download, and the HTTP interface."""

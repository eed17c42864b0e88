"""Webhooks at work: a thread of one of the server's processes sends what there is."""

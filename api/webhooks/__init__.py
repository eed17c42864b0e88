"""Webhooks: other programs are told what happened, by signed messages, until they have it."""

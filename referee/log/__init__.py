"""The log: stored names, envelopes, and the stores that hold them."""

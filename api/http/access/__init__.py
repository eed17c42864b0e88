"""Access over HTTP: who is asking, from where, and whether they may do this."""

"""The arbiter's tablet: the page that loads it, and the files it keeps for offline use."""

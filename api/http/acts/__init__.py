"""Acts of any kind in one request: their kinds, their schemas, their place in the document."""

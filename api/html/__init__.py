"""HTML: what all pages share."""

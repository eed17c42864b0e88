"""HTML: what every page is made of."""

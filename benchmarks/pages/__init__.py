"""Speed of pages in a browser."""

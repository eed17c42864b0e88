"""Speed of the server: acts over HTTP, boards, load, strangers."""

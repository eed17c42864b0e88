"""For those who run the service: whether it is ready, its metrics, and a line for each request."""

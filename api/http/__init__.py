"""HTTP: who asks, in which language, validation of requests, shape of answers and refusals."""

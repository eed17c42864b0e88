"""HTTP: authentication, languages, validation of requests, answers and refusals."""

"""HTTP: who asks, in which language, what may come in, how answers and refusals look."""

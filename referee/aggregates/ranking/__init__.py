"""A ranking between clubs: which clubs take part, and what each of them published."""

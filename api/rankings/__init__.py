"""Rankings between clubs: the table in public, the organiser's desk, publications taken."""

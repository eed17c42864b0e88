"""Search: people, pairs, tournaments, evenings and seasons by their names, in one place."""

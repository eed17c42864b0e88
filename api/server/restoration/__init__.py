"""A backup in the place of the house, by a page: prepared beside it, swapped in at a start."""

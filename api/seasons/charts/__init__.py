"""A season to look at and to take along: points as lines, crossed results, files, paper."""

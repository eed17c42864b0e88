"""What everybody may see of a table while it is played."""

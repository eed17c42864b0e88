"""Examples: for each option of the rules a record that it decides, and the contrary beside it."""

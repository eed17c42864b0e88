"""The write side: the law of guiñote, what happened at the table, and what follows from it."""

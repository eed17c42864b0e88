"""The law of guiñote as pure functions: no I/O, no clock, no chance, no framework."""

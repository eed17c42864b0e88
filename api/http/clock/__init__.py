"""The clock of this computer, and those who say whether it is right."""

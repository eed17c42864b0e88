"""The rules of the club: its own sets of rules, made in plain questions, read and chosen."""
